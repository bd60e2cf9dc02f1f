import { describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../../lambdas/domain/binding.ts';
import type { Caller } from '../../../lambdas/domain/caller.ts';
import { describeOperation, maySee } from '../../../lambdas/domain/describe-operation.ts';
import { CLOSED_HISTORIES, HISTORY_NAMES, history, OPEN_HISTORIES } from '../../support/domain-histories.ts';
import { approve, ARGUMENTS_HASH, asking, at, COMPLETED, DIRECTORY, instant, OPERATION_ID, propose, REQUESTER, SCOPE, tell, type Step } from '../../support/operation-builder.ts';

describe('an operation on the wire', () => {
  test('says what was asked, by whom, until when and of whom', async () => {
    const { operation } = await tell([at(0, propose({ reason: 'please', call_id: 'call-7' }))]);

    expect(describeOperation(operation)).toMatchObject({
      operation_id: OPERATION_ID,
      status: 'pending',
      type: 'tool_call',
      tool: 'refund_payment',
      tool_version: '1',
      arguments: { customer_id: 'c-42', amount: 120, currency: 'EUR' },
      arguments_hash: ARGUMENTS_HASH,
      fingerprint: fingerprintOf(operation.opening.operation.binding_hash),
      scope: SCOPE,
      requester: REQUESTER,
      call_id: 'call-7',
      reason_claimed: 'please',
      requested_at: instant(0),
      changed_at: instant(0),
      sequence: 1,
      expires_at: instant(3600),
      requirements: [{ approvers: ['user:ana', 'user:ben'], quorum: 1 }],
      votes: [],
    });
  });

  test('says until when a grant is good, and who gave it', async () => {
    expect(describeOperation((await history('granted')).operation)).toMatchObject({ status: 'granted', use_by: instant(960), decision: { by: 'user:ana', votes: [{ subject: 'user:ana' }] } });
  });

  test('says since when it runs, and whether that is to be cancelled', async () => {
    expect(describeOperation((await history('running')).operation)).toMatchObject({ run: { started_at: instant(70), run_deadline: instant(145), cancel_requested: false } });
    expect(describeOperation((await history('running, to be cancelled')).operation)).toMatchObject({ run: { cancel_requested: true } });
  });

  test('says why nothing is known, and what was seen since', async () => {
    expect(describeOperation((await history('unknown after a late result')).operation)).toMatchObject({
      unknown_because: 'cancel_requested',
      observations: [{ observed: 'completed', result_hash: COMPLETED.result_hash }],
    });
  });

  test('tells an agent why it was denied, and not to try again (161)', async () => {
    expect(describeOperation((await history('denied')).operation)).toMatchObject({ status: 'denied', retryable: false, decision: { reason: 'denied_by_approver', by: 'user:ana' } });
    expect(describeOperation((await history('denied for a wrong hash')).operation)).toMatchObject({ status: 'denied', retryable: false, decision: { reason: 'arguments_hash_mismatch' } });
  });

  test.each(CLOSED_HISTORIES)('is not retryable when it is %s', async (name) => {
    expect(describeOperation((await history(name)).operation)).toMatchObject({ retryable: false });
  });

  test.each(OPEN_HISTORIES)('does not say so while it is %s', async (name) => {
    expect(describeOperation((await history(name)).operation)).not.toHaveProperty('retryable');
  });

  test.each(HISTORY_NAMES)('shows who can still decide only while somebody can: %s', async (name) => {
    const { operation } = await history(name);
    const shown = describeOperation(operation);

    expect('expires_at' in shown && 'requirements' in shown && 'votes' in shown).toBe(operation.status === 'pending');
    expect('decision' in shown).toBe(operation.status !== 'pending');
    expect('use_by' in shown).toBe(operation.status === 'granted');
    expect(shown).toMatchObject({ status: operation.status, sequence: operation.tail.sequence, fingerprint: expect.stringMatching(/^[0-9a-f]{5}-[0-9a-f]{5}$/) });
  });

  test('says what went wrong with a run that failed', async () => {
    expect(describeOperation((await history('failed')).operation)).toMatchObject({ status: 'failed', run: { claim_id: 'claim-1' } });
  });
});

describe('who may see an operation', () => {
  const person = (subject: string, more: Partial<Caller> = {}): Caller => ({ subject, kind: 'user', groups: [], administrator: false, proof: { method: 'jwt', principal: `oidc:issuer#${subject}` }, ...more });
  const agent: Caller = { subject: 'agent:billing-bot', kind: 'agent', groups: [], administrator: false, proof: { method: 'iam', principal: 'iam:role' }, agency: { agent_ids: ['billing-bot'], workspaces: ['w1'], may_act_for: [], owner: 'user:olga' } };
  const asked = at(0, propose({ requirements: [{ approvers: ['user:ana'], quorum: 1 }, { approvers: ['group:finance'], quorum: 1 }] }));
  const sees = async (caller: Caller, steps: readonly Step[] = [asked]): Promise<boolean> => maySee((await tell(steps)).operation, caller);

  test.each([
    ['the agent that asked', agent, true],
    ['the person that it acts for', person('user:zoe'), true],
    ['the agent\u2019s owner', person('user:olga'), true],
    ['an approver by name', person('user:ana'), true],
    ['an approver by group', person('user:fay', { groups: ['group:finance'] }), true],
    ['an administrator', person('user:root', { administrator: true }), true],
    ['a person whom nobody asked', person('user:mallory'), false],
    ['a person of another group', person('user:ian', { groups: ['group:audit'] }), false],
    ['another agent of the same workspace', { ...agent, subject: 'agent:other-bot' }, false],
    ['somebody whose name differs in case', person('user:Ana'), false],
    ['somebody named like a group that is asked', person('user:finance', { groups: ['finance'] }), false],
    ['nobody', person(''), false],
  ])('%s: %3$s', async (_, caller, may) => {
    expect(await sees(caller)).toBe(may);
  });

  test.each(HISTORY_NAMES)('stays the same when it is %s', async (name) => {
    const { operation, sealed } = await history(name);
    const votes = operation.status === 'pending' ? operation.votes : operation.decision.votes;
    const wasAsked = sealed[0]?.event.type === 'approval.requested' && (operation.opening.asked.includes('user:ana') || votes.some(({ subject }) => subject === 'user:ana'));

    expect(maySee(operation, agent)).toBe(true);
    expect(maySee(operation, person('user:ana'))).toBe(wasAsked);
    expect(maySee(operation, person('user:mallory'))).toBe(false);
  });

  test('is whoever has voted, though no longer asked', async () => {
    const steps = [at(0, propose({ policy: asking(['group:finance'], 2) })), at(10, approve('user:ana', { directory: DIRECTORY }))];

    expect(await sees(person('user:ana', { groups: [] }), steps)).toBe(true);
  });
});
