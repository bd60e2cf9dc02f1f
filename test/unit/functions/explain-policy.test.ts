import { beforeEach, describe, expect, test } from 'vitest';
import { injector, type Injector } from '../../support/crash-points.ts';
import { corridor, type Reply } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { allows, asks, denies, testRegistry } from '../../support/port-registry.ts';

let ports: Ports;
let inject: Injector;
let stage: ReturnType<typeof corridor>;

beforeEach(() => {
  ports = inMemoryPorts(testRegistry(), {
    'org:acme': { rules: [denies('drop_*', { id: 'never' })] },
    'workspace:w1': {
      rules: [
        allows('refund_payment', { id: 'small', when: 'arguments.amount <= 100' }),
        asks('refund_payment', ['group:finance'], { id: 'finance', when: '$not(arguments.amount <= 100)' }),
        asks('own_books', ['user:olga']),
      ],
    },
  });
  inject = injector();
  stage = corridor({ ports, inject });
});

const CALL = { tool: 'refund_payment', arguments: { amount: 50 }, scope: { workspace_id: 'w1', agent_id: 'billing-bot' } };
const explain = (call: unknown, as = 'user:ana'): Promise<Reply> => stage.http({ route: 'POST /api/policies/explain', as, body: call });

describe('explaining a call', () => {
  test('says what would become of it, each rule and why, and who could approve it now', async () => {
    const { status, body } = await explain({ ...CALL, arguments: { amount: 500 } });
    expect(status).toBe(200);
    expect(body).toEqual({
      verdict: 'ask',
      would_be: 'pending',
      requirements: [{ approvers: ['group:finance'], quorum: 1 }],
      timeout_seconds: 3600,
      extendable_to_seconds: 3600,
      reminders: [],
      risk: { level: 'medium', reasons: [] },
      policy_id: 'finance',
      policy_revision: 'org:acme@1,workspace:w1@1,agent:billing-bot@0',
      matched_rules: ['workspace:w1/finance'],
      agent_mode: 'autonomous',
      rules: [
        { rule: 'org:acme/never', effect: 'deny', fired: false, why: 'the target does not match' },
        { rule: 'workspace:w1/small', effect: 'allow', fired: false, why: 'the condition does not hold' },
        { rule: 'workspace:w1/finance', effect: 'ask', fired: true, why: 'the target matches and the condition holds' },
        { rule: 'workspace:w1/own_books.asks', effect: 'ask', fired: false, why: 'the target does not match' },
      ],
      approvers_now: [[{ subject: 'user:ana', via: 'group:finance' }, { subject: 'user:ben', via: 'group:finance' }, { subject: 'user:zoe', via: 'group:finance' }]],
      nobody: [],
    });
  });

  test.each<[string, object, object]>([
    ['a small refund', CALL, { verdict: 'allow', would_be: 'granted', policy_id: 'small', approvers_now: [] }],
    ['a refund of nobody knows how much', { ...CALL, arguments: {} }, { verdict: 'ask', would_be: 'pending', matched_rules: ['workspace:w1/finance'] }],
    ['null for arguments', { ...CALL, arguments: null }, { verdict: 'ask' }],
    ['a dropped table', { ...CALL, tool: 'drop_table' }, { verdict: 'deny', would_be: 'refused', requirements: [], policy_id: 'never' }],
    ['a tool that nobody registered', { ...CALL, tool: 'Refund_Payment' }, { verdict: 'ask', would_be: 'refused', risk: { level: 'high', reasons: ['the tool is not registered'] } }],
    ['a tool that nobody speaks of', { ...CALL, tool: 'sync_ledger' }, { verdict: 'ask', would_be: 'refused', policy_id: 'unlisted.v1' }],
  ])('tells of %s', async (_, call, comes_to) => {
    expect(await explain(call)).toMatchObject({ status: 200, body: comes_to });
  });

  test('leaves out of the approvers who would ask, who is asked for and who owns the agent', async () => {
    const requester = { subject: 'agent:billing-bot', owner: 'user:olga', on_behalf_of: 'user:zoe' };
    expect((await explain({ ...CALL, tool: 'own_books', requester })).body).toMatchObject({ verdict: 'ask', would_be: 'refused', approvers_now: [[]] });
    expect((await explain({ ...CALL, arguments: { amount: 500 }, requester })).body['approvers_now']).toEqual([[{ subject: 'user:ana', via: 'group:finance' }, { subject: 'user:ben', via: 'group:finance' }]]);
  });

  test('agrees with what then happens', async () => {
    for (const amount of [50, 500]) {
      const { body } = await explain({ ...CALL, arguments: { amount } });
      expect((await stage.propose(CALL.tool, { amount })).body.status).toBe(body['would_be']);
    }
    expect((await stage.propose('drop_table', {})).body).toMatchObject({ status: 403, reason: 'policy_denied' });
  });

  test('changes nothing: nothing is appended, written, started or told', async () => {
    for (const tool of ['refund_payment', 'drop_table', 'own_books', 'x']) await explain({ ...CALL, tool });
    expect(inject.seen).toEqual([]);
    expect([ports.eventLog.texts(), ports.policies.log.texts().length, ports.vault.argumentsKept().size, ports.starter.starts, ports.bus.taken, ports.invoker.ledger]).toEqual([[], 2, 0, [], [], []]);
  });

  test.each<[string, unknown, object]>([
    ['a workspace that is not there', { ...CALL, scope: { workspace_id: 'w7', agent_id: 'a' } }, { code: 'invalid_request', field: 'scope.workspace_id' }],
    ['a policy of its own', { ...CALL, policy: {} }, { code: 'invalid_request', field: 'policy' }],
    ['a mode of its own', { ...CALL, agent_mode: 'autonomous' }, { code: 'invalid_request', field: 'agent_mode' }],
    ['an organisation of its own', { ...CALL, scope: { ...CALL.scope, org_id: 'other' } }, { field: 'scope.org_id' }],
    ['facts of its own', { ...CALL, workspace: { sandbox: { path: '/' } } }, { field: 'workspace' }],
    ['no arguments', { tool: CALL.tool, scope: CALL.scope }, { field: 'arguments' }],
    ['no tool', { arguments: {}, scope: CALL.scope }, { field: 'tool' }],
  ])('refuses %s', async (_, call, body) => {
    expect(await explain(call)).toMatchObject({ status: 400, body });
  });

  test('answers nobody whom no credential names', async () => {
    expect(await stage.http({ route: 'POST /api/policies/explain', body: CALL })).toMatchObject({ status: 401 });
  });
});
