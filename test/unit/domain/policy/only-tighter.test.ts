// Whatever a narrower document says, and whatever is added to any: what was explicitly asked for or denied stays so.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../lambdas/domain/json/json-value.ts';
import type { PolicyVerdict } from '../../../../lambdas/domain/policy/evaluate-policy.ts';
import { judged, type Judging, type Written } from '../../../support/policy-samples.ts';
import { expectCovers } from '../../../support/requirement-order.ts';

const VERDICTS = ['allow', 'ask', 'deny'];
const LEVELS = ['low', 'medium', 'high', 'critical'];

const approvers = fc.subarray(['user:ana', 'user:ben', 'group:leads'], { minLength: 1 });
const common = { target: fc.constantFrom('*', 'tool:refund_payment', 'tool:refund_*', 'tool:other'), when: fc.constantFrom('arguments.amount = 50', 'arguments.amount > 50', 'arguments.missing > 1'), risk: fc.record({ level: fc.constantFrom(...LEVELS), reasons: fc.subarray(['x', 'y']) }) };
const timed = {
  approvers,
  quorum: fc.integer({ min: 1, max: 2 }),
  timeout_seconds: fc.constantFrom(5, 3600, 30 * 24 * 3600),
  extendable_to_seconds: fc.constant(30 * 24 * 3600),
  veto: fc.constantFrom(1, 2),
  share_votes: fc.boolean(),
  separation_of_duties: fc.boolean(),
  reminders: fc.constant([{ fraction: 0.5 }]),
  escalation: fc.constantFrom([{ after_seconds: 2, approvers: ['user:cho'], quorum: 2 }], [{ after_seconds: 3, approvers: ['user:cho'], quorum: 2 }]),
};
const rule = fc.oneof(
  fc.record({ ...common, effect: fc.constantFrom('allow', 'deny') }, { requiredKeys: ['target', 'effect'] }),
  fc.record({ ...common, ...timed, effect: fc.constant('ask') }, { requiredKeys: ['target', 'effect', 'approvers'] }),
);
const rules = fc.array(rule, { maxLength: 3 }).map((all) => all.map((each, index) => ({ id: `r${String(index)}`, ...each })));
const default_approvers = fc.record(timed, { requiredKeys: ['approvers'] });
const document = (more: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<JsonObject> => fc.record({ rules, default_approvers, ...more }, { requiredKeys: [] });
const never = fc.constant('never');
const org = document({ approval_mode: fc.constantFrom('default', 'tools'), break_glass: fc.constant({ group: 'group:oncall', review_by: 'group:audit' }) });
const workspace = document({ break_glass: never });
const agent = document({ break_glass: never, agent_mode: fc.constantFrom('auto', 'monitored', 'strict') });
const surroundings = fc.record({ tool: fc.constantFrom(undefined, { consequence: 'observation' } as const, { consequence: 'change' } as const) });

/** At least as strict in every respect. Where nothing spoke of the call before, only the verdict is compared. */
function expectNoLooser(after: PolicyVerdict, before: PolicyVerdict): void {
  const unlisted = before.matched_rules.includes('default');
  if (unlisted) return;
  expect(VERDICTS.indexOf(after.verdict)).toBeGreaterThanOrEqual(VERDICTS.indexOf(before.verdict));
  expect(LEVELS.indexOf(after.risk.level)).toBeGreaterThanOrEqual(LEVELS.indexOf(before.risk.level));
  expect(after.risk.reasons).toEqual(expect.arrayContaining([...before.risk.reasons]));
  if (after.verdict !== 'ask' || before.verdict !== 'ask') return;
  expectCovers(after.requirements, before.requirements);
  // Where nobody was asked there was nothing to extend.
  if (before.requirements.length > 0) expect(after.extendable_to_seconds).toBeLessThanOrEqual(before.extendable_to_seconds ?? 0);
  if (after.break_glass !== undefined) expect(after.break_glass).toEqual(before.break_glass);
  expect(after.timeout_seconds).toBeLessThanOrEqual(before.timeout_seconds);
}

describe('no document loosens what a wider one says of a call', () => {
  test.each<[string, (all: Required<Written>) => Written]>([
    ['an agent’s', ({ org: wide, workspace: middle }) => ({ org: wide, workspace: middle })],
    ['a workspace’s', ({ org: wide, agent: narrow }) => ({ org: wide, agent: narrow })],
    ['a workspace’s and an agent’s together', ({ org: wide }) => ({ org: wide })],
    ['an organisation’s', ({ workspace: middle, agent: narrow }) => ({ workspace: middle, agent: narrow })],
  ])('%s', async (_, without) => {
    await fc.assert(
      fc.asyncProperty(org, workspace, agent, surroundings, async (wide, middle, narrow, { tool }) => {
        const all = { org: wide, workspace: middle, agent: narrow };
        expectNoLooser(await judged({ ...all, tool }), await judged({ ...without(all), tool }));
      }),
      { numRuns: 150 },
    );
  });
});

test('no rule that is added to a document loosens what was said before', async () => {
  await fc.assert(
    fc.asyncProperty(org, workspace, rule, fc.constantFrom('org', 'workspace', 'agent'), async (wide, middle, added, scope) => {
      const before: Judging = { org: wide, workspace: middle };
      const written = (before as Record<string, JsonObject | undefined>)[scope] ?? {};
      const standing = Array.isArray(written['rules']) ? (written['rules'] as readonly JsonObject[]) : [];
      const after = { ...before, [scope]: { ...written, rules: [...standing, { id: 'added', ...added }] } };
      expectNoLooser(await judged(after), await judged(before));
    }),
    { numRuns: 150 },
  );
});

test('only an allow lifts what nothing spoke of, and only of a tool that is registered', async () => {
  await fc.assert(
    fc.asyncProperty(org, rule, surroundings, async (wide, added, { tool }) => {
      const before = await judged({ org: wide, tool });
      const after = await judged({ org: wide, agent: { rules: [{ id: 'added', ...added }] }, tool });
      if (before.verdict === 'ask' && after.verdict === 'allow') expect([before.policy_id, added.effect, tool === undefined]).toEqual(['unlisted.v1', 'allow', false]);
    }),
    { numRuns: 150 },
  );
});

test('the order of rules within a document says nothing', async () => {
  await fc.assert(
    fc.asyncProperty(rules, async (some) => {
      expect(await judged({ org: { rules: some.toReversed() } })).toEqual(await judged({ org: { rules: some } }));
    }),
    { numRuns: 60 },
  );
});
