// Who comes first is chance; that there is one result, and that everybody tells the same one, is not. 100 rounds each;
// RACE_ROUNDS=500 for more.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examplePolicies } from '../../examples/policies.ts';
import { startProduct, type Product } from '../support/local-product.ts';
import { raceRounds, ROUNDS, type Proposed, type Race } from '../support/race-rounds.ts';

const TIMEOUT_MS = 30_000 + ROUNDS * 1000;
const WAIT_MS = 1000;

/** In workspace w1 a refund of 2 waits a second, one of 3 needs two approvers. */
const policies = examplePolicies.map((policy) =>
  policy.scope === 'workspace:w1'
    ? {
        ...policy,
        document: {
          rules: [
            { id: 'refunds', target: 'tool:refund_payment', when: '$not(arguments.amount = 2 or arguments.amount = 3)', effect: 'ask', approvers: ['user:ana', 'user:ben'] },
            { id: 'short', target: 'tool:refund_payment', when: 'arguments.amount = 2', effect: 'ask', approvers: ['user:ana', 'user:ben'], timeout_seconds: WAIT_MS / 1000 },
            { id: 'two', target: 'tool:refund_payment', when: 'arguments.amount = 3', effect: 'ask', approvers: ['group:finance'], quorum: 2 },
          ],
        },
      }
    : policy,
);

const proposing =
  (race: string, amount = 1): Race['propose'] =>
  async (product, round) => {
    const { status, json } = await product.propose('refund_payment', { customer_id: `${race}-${round}`, amount, currency: 'EUR' }, { call_id: `${race}-${round}` });
    if (status !== 202) throw new Error(`not proposed: ${status}`);
    return json as Proposed;
  };
const voting =
  (decision: 'approve' | 'deny', as: string): Race['contenders'][number] =>
  (product, operation) =>
    product.decide(operation, decision, as);
const cancelling: Race['contenders'][number] = (product, { operation_id }) => product.call('POST', `/agent/operations/${operation_id}/cancel`, { body: {} });
const count = (types: readonly string[], type: string): number => types.filter((each) => each === type).length;

describe('two that act at once', () => {
  let product: Product;
  beforeAll(async () => {
    product = await startProduct({ policies, max_pending_per_agent: 1000 });
  });
  afterAll(() => product.close());

  it('approve and cancel: cancelled and not run, or run and said to be (160)', { timeout: TIMEOUT_MS }, async () => {
    const met = await raceRounds(product, {
      propose: proposing('cancel'),
      contenders: [voting('approve', 'user:ana'), cancelling],
      spread_ms: [300, 1500],
      holds: ({ status, types, replies, ran }) => {
        expect(['cancelled', 'completed', 'unknown']).toContain(status);
        if (status === 'cancelled') expect([ran, count(types, 'tool.started'), replies[1]]).toEqual([0, 0, 200]);
        if (status === 'completed') expect([ran, ...replies]).toEqual([1, 200, 409]);
        if (status === 'unknown') expect(types.slice(-2)).toEqual(['tool.cancel_requested', 'tool.outcome_observed']);
        expect(count(types, 'approval.granted')).toBe(replies[0] === 200 ? 1 : 0);
      },
    });
    expect(Object.values(met).reduce((sum, times) => sum + times, 0)).toBe(ROUNDS);
  });

  it('approve and deny: one of them is told yes, and that is what happens', { timeout: TIMEOUT_MS }, async () => {
    await raceRounds(product, {
      propose: proposing('deny'),
      contenders: [voting('approve', 'user:ana'), voting('deny', 'user:ben')],
      spread_ms: [300, 700],
      holds: ({ status, types, replies, ran }) => {
        expect([...replies].sort()).toEqual([200, 409]);
        expect([status, ran]).toEqual(replies[0] === 200 ? ['completed', 1] : ['denied', 0]);
        expect(count(types, 'approval.granted') + count(types, 'approval.denied')).toBe(1);
      },
    });
  });

  it('two approvers at quorum 2: both count, once each, and it runs once', { timeout: TIMEOUT_MS }, async () => {
    const met = await raceRounds(product, {
      propose: proposing('two', 3),
      contenders: [voting('approve', 'user:ana'), voting('approve', 'user:ben')],
      spread_ms: [100, 100],
      holds: ({ types, replies, ran }) => {
        expect(replies).toEqual([200, 200]);
        expect(types).toEqual(['approval.requested', 'approval.voted', 'approval.granted', 'tool.started', 'tool.completed']);
        expect(ran).toBe(1);
      },
    });
    expect(met).toEqual({ completed: ROUNDS });
  });

  it('approve and expire: in time and run, or too late and told so (152, 155)', { timeout: TIMEOUT_MS }, async () => {
    await raceRounds(product, {
      propose: proposing('expire', 2),
      contenders: [voting('approve', 'user:ana')],
      after_ms: WAIT_MS - 600,
      spread_ms: [700],
      holds: ({ status, types, replies, ran }) => {
        expect([200, 410]).toContain(replies[0]);
        expect([status, ran]).toEqual(replies[0] === 200 ? ['completed', 1] : ['expired', 0]);
        expect(count(types, 'approval.granted') + count(types, 'approval.expired')).toBe(1);
      },
    });
  });

  it('claim and cancel: what was claimed ran and is never called cancelled', { timeout: TIMEOUT_MS }, async () => {
    await raceRounds(product, {
      propose: async (product_, round) => {
        const operation = await proposing('claim')(product_, round);
        if ((await product_.decide(operation, 'approve')).status !== 200) throw new Error('not approved');
        return operation;
      },
      contenders: [cancelling],
      spread_ms: [600],
      holds: ({ status, types, replies, ran }) => {
        if (status === 'cancelled') expect([types, ran]).toEqual([['approval.requested', 'approval.granted', 'approval.cancelled'], 0]);
        else if (status === 'completed') expect([replies, ran]).toEqual([[409], 1]);
        else expect([status, types.slice(-2)]).toEqual(['unknown', ['tool.cancel_requested', 'tool.outcome_observed']]);
      },
    });
  });
});
