import { expect, test } from 'vitest';
import { callName, listsOf, pendingList, runName } from '../../../lambdas/domain/open-lists.ts';
import type { Status } from '../../../lambdas/domain/operation.ts';

const SCOPE = { org_id: 'acme', workspace_id: 'w1', agent_id: 'bot', run_id: 'run-1' };
const REQUESTER = { subject: 'agent:bot' };
const CALL = { requester: REQUESTER, scope: SCOPE, type: 'tool_call', tool: 't', arguments_hash: 'sha256:00' } as const;

test('a name joins no two things, however they are spelled', () => {
  const names = [
    pendingList(SCOPE), pendingList({ ...SCOPE, workspace_id: 'w1","bot' }), pendingList({ ...SCOPE, agent_id: 'w1', workspace_id: 'bot' }),
    runName('agent:bot', 'run-1'), runName('agent:bot","run-1', ''), runName('agent:other', 'run-1'), runName('w1', 'bot'),
    callName(CALL), callName({ ...CALL, scope: { ...SCOPE, run_id: 'null' } }), callName({ ...CALL, requester: { ...REQUESTER, on_behalf_of: 'user:zoe' } }),
    callName({ ...CALL, scope: { org_id: 'acme', workspace_id: 'w1', agent_id: 'bot' } }), callName({ ...CALL, type: 'workflow' }), callName({ ...CALL, tool: 'T' }), callName({ ...CALL, arguments_hash: 'sha256:01' }),
  ];
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{64}$/);
});

test('an owner, a frame and the organisation make no other call', () => {
  expect(callName({ ...CALL, requester: { ...REQUESTER, owner: 'user:olga' }, scope: { ...SCOPE, frame_id: 'f' } })).toBe(callName(CALL));
});

const [PENDING, RUN] = [pendingList(SCOPE), runName('agent:bot', 'run-1')];
test.each<[Status, readonly string[], readonly string[]]>([
  ['pending', [RUN, PENDING], []],
  ['granted', [RUN], [PENDING]],
  ['running', [RUN], [PENDING]],
  ...(['refused', 'answered', 'denied', 'expired', 'cancelled', 'voided', 'completed', 'failed', 'unknown'] as const).map((status): [Status, readonly string[], readonly string[]] => [status, [], [PENDING, RUN]]),
])('one that is %s stands in these lists and has left those', (status, stands, left) => {
  expect(listsOf(CALL, status)).toEqual({ stands, left });
});

test('one without a run stands in no list of a run', () => {
  const scope = { org_id: 'acme', workspace_id: 'w1', agent_id: 'bot' };
  expect(listsOf({ requester: REQUESTER, scope }, 'pending').stands).toEqual([pendingList(scope)]);
});
