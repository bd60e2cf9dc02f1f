// The laws of the fold: whatever order, grouping or repetition, and whatever is added, nothing comes out looser.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { join, joinAll, judgementOf, type Finding, type Judgement } from '../../../../lambdas/domain/policy/judgement.ts';
import { expectCovers } from '../../../support/requirement-order.ts';

const VERDICTS = ['allow', 'ask', 'deny'] as const;
const LEVELS = ['low', 'medium', 'high', 'critical'] as const;

const approvers = fc.array(fc.constantFrom('user:ana', 'user:ben', 'group:finance'), { minLength: 1, maxLength: 3 });
const level = fc.record({ after_seconds: fc.constantFrom(60, 120), approvers: fc.constantFrom<string[]>(['user:cho'], ['user:cho', 'user:dan']), quorum: fc.constantFrom(1, 3) });
const requirement = fc.record(
  {
    approvers,
    quorum: fc.integer({ min: 1, max: 3 }),
    min_per_group: fc.constantFrom(1, 2),
    veto: fc.constantFrom(2, 3),
    share_votes: fc.constant(true as const),
    separation_of_duties: fc.constant(false as const),
    escalation: fc.array(level, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['approvers', 'quorum'] },
);
const finding: fc.Arbitrary<Finding> = fc.record(
  {
    source: fc.constantFrom('org:acme/a', 'workspace:w1/b', 'agent:bot/c', 'default'),
    effect: fc.constantFrom(...VERDICTS),
    policy_id: fc.constantFrom('a', 'b', 'c', 'unlisted.v1'),
    requirement,
    timeout_seconds: fc.integer({ min: 1, max: 5 }),
    extendable_to_seconds: fc.integer({ min: 5, max: 9 }),
    reminders: fc.array(fc.oneof(fc.record({ after_seconds: fc.constantFrom(1, 2) }), fc.record({ fraction: fc.constantFrom(0.25, 0.5) })), { maxLength: 2 }),
    risk: fc.record({ level: fc.constantFrom(...LEVELS), reasons: fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }) }),
  },
  { requiredKeys: ['source', 'effect', 'policy_id'] },
);
const judgement = fc.array(finding, { minLength: 1, maxLength: 4 }).map((findings) => joinAll(findings.map(judgementOf)));

/** Whether `after` is at least as strict as `before` in every respect. */
function expectNoLooser(after: Judgement, before: Judgement): void {
  expect(VERDICTS.indexOf(after.verdict)).toBeGreaterThanOrEqual(VERDICTS.indexOf(before.verdict));
  expectCovers(after.requirements, before.requirements);
  expect(after.reminders).toEqual(expect.arrayContaining([...before.reminders]));
  expect(after.extendable_to_seconds ?? Infinity).toBeLessThanOrEqual(before.extendable_to_seconds ?? Infinity);
  expect(after.timeout_seconds ?? Infinity).toBeLessThanOrEqual(before.timeout_seconds ?? Infinity);
  expect(LEVELS.indexOf(after.risk.level)).toBeGreaterThanOrEqual(LEVELS.indexOf(before.risk.level));
  expect(after.risk.reasons).toEqual(expect.arrayContaining([...before.risk.reasons]));
  expect(after.matched_rules).toEqual(expect.arrayContaining([...before.matched_rules]));
}

const law = (check: (...judgements: [Judgement, Judgement, Judgement]) => void): void => fc.assert(fc.property(judgement, judgement, judgement, (...three) => void check(...three)));

describe('joining what speaks of a call', () => {
  test('does not depend on the order', () => law((a, b) => expect(join(a, b)).toEqual(join(b, a))));
  test('does not depend on the grouping', () => law((a, b, c) => expect(join(join(a, b), c)).toEqual(join(a, join(b, c)))));
  test('does not depend on how often a thing is said', () => law((a, b) => expect([join(a, a), join(join(a, b), b)]).toEqual([a, join(a, b)])));
  test('is the same in one go as one by one', () => law((a, b, c) => expect(joinAll([a, b, c])).toEqual([a, b, c].reduce(join))));
  test('never comes out looser than either side', () => law((a, b) => [a, b].forEach((side) => expectNoLooser(join(a, b), side))));
  test('takes nothing from what it joins', () => law((a, b) => {
    const before = structuredClone([a, b]);
    join(a, b);
    expect([a, b]).toEqual(before);
  }));
});

describe('what comes out', () => {
  const say = (effect: Finding['effect'], policy_id: string, more: Partial<Finding> = {}): Judgement => judgementOf({ source: `s/${policy_id}`, effect, policy_id, ...more });

  test('is denied where anything denies, asked where anything asks, and named for what was strictest', () => {
    expect(joinAll([say('allow', 'a'), say('ask', 'z'), say('ask', 'm')])).toMatchObject({ verdict: 'ask', policy_id: 'm' });
    expect(joinAll([say('deny', 'z'), say('ask', 'a'), say('allow', 'b')])).toMatchObject({ verdict: 'deny', policy_id: 'z', matched_rules: ['s/a', 's/b', 's/z'] });
  });

  test('keeps every requirement, and of the same approvers the stricter one, however they are written', () => {
    const of = (approvers: readonly string[], quorum: number) => ({ requirement: { approvers: [...approvers], quorum } });
    const joined = joinAll([say('ask', 'a', of(['user:ben', 'user:ana', 'user:ben'], 1)), say('ask', 'b', of(['user:ana', 'user:ben'], 1)), say('ask', 'c', of(['user:ana', 'user:ben'], 2))]);
    expect(joined.requirements).toEqual([{ approvers: ['user:ana', 'user:ben'], quorum: 2 }]);
  });

  test('waits for the shortest time and is as risky as the riskiest', () => {
    const joined = joinAll([say('ask', 'a', { timeout_seconds: 60, risk: { level: 'low', reasons: ['b', 'a'] } }), say('allow', 'b', { risk: { level: 'critical', reasons: ['a'] } }), say('ask', 'c', { timeout_seconds: 5 })]);
    expect(joined).toMatchObject({ timeout_seconds: 5, risk: { level: 'critical', reasons: ['a', 'b'] } });
  });

  test('says no time where nobody did', () => expect(joinAll([say('ask', 'a')])).not.toHaveProperty('timeout_seconds'));

  test('joins ten thousand in a moment', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => say('ask', `p${String(index)}`, { requirement: { approvers: [`user:p${String(index % 50)}`], quorum: (index % 7) + 1 }, risk: { level: 'low', reasons: [`r${String(index)}`] } }));
    const started = performance.now();
    expect(joinAll(many).requirements).toHaveLength(50);
    expect(performance.now() - started).toBeLessThan(1500);
  });
});
