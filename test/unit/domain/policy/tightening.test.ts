import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePolicy, type PolicyScope } from '../../../../lambdas/domain/policy/policy-document.ts';
import { targetMatches } from '../../../../lambdas/domain/policy/target.ts';
import { looseningsOf, type Loosening } from '../../../../lambdas/domain/policy/tightening.ts';
import { judged } from '../../../support/policy-samples.ts';

const ASK = { id: 'wide.ask', target: 'tool:refund_payment', effect: 'ask', approvers: ['group:finance'] };
const DENY = { id: 'wide.deny', target: 'tool:drop_*', effect: 'deny' };
const allow = (target: string, more: object = {}) => ({ id: 'narrow', target, effect: 'allow', ...more });

function loosenings(narrow: unknown, wide: unknown, scope: PolicyScope = 'workspace:w1'): readonly Loosening[] {
  return looseningsOf(scope, parsePolicy(scope, narrow), [{ scope: 'org:acme', revision: 1, document: parsePolicy('org:acme', wide) }]);
}

describe('an allow that a wider scope asks for or denies', () => {
  test.each([
    ['of the same tool', 'tool:refund_payment', ASK, 'org:acme/wide.ask'],
    ['of everything', '*', ASK, 'org:acme/wide.ask'],
    ['of a glob around it', 'tool:refund_*', ASK, 'org:acme/wide.ask'],
    ['of one name among those denied', 'tool:drop_table', DENY, 'org:acme/wide.deny'],
    ['of a glob that meets theirs half way', 'tool:*_table', DENY, 'org:acme/wide.deny'],
    ['on a condition', 'tool:drop_table', DENY, 'org:acme/wide.deny'],
  ])('is refused %s, naming both rules', (how, target, wide, wider_rule) => {
    const [loosening] = loosenings({ rules: [allow(target, how === 'on a condition' ? { when: 'arguments.amount < 1' } : {})] }, { rules: [wide] });
    expect(loosening).toMatchObject({ rule: 'workspace:w1/narrow', wider_rule });
    expect(loosening?.why).toContain(wide.target);
    expect(loosening?.why).toContain(target);
  });

  test('is named with every rule that it would loosen', () => {
    expect(loosenings({ rules: [allow('*')] }, { rules: [ASK, DENY, { ...ASK, id: 'more', target: 'mcp:crm/*' }], mcp_servers: { crm: { approval_tools: ['update_contact'] } } }).map(({ wider_rule }) => wider_rule)).toEqual([
      'org:acme/wide.ask',
      'org:acme/wide.deny',
      'org:acme/more',
      'org:acme/mcp_servers',
    ]);
  });

  test.each(['mcp:crm/update_contact', 'mcp:crm/*', 'tool:crm/*', '*'])('%s is refused where the wider scope lists that MCP tool', (target) => {
    expect(loosenings({ rules: [allow(target)] }, { mcp_servers: { crm: { approval_tools: ['update_contact'] } } })).toMatchObject([{ wider_rule: 'org:acme/mcp_servers' }]);
  });

  test('of request_approval is refused everywhere', () => {
    for (const scope of ['org:acme', 'workspace:w1', 'agent:bot'] as const) expect(looseningsOf(scope, parsePolicy(scope, { rules: [allow('tool:request_approval')] }), [])).toMatchObject([{ wider_rule: 'request_approval' }]);
  });
});

describe('a document is not refused', () => {
  test.each<[string, unknown, unknown]>([
    ['for asking or denying more', { rules: [{ ...ASK, id: 'n', target: '*' }, { ...DENY, id: 'm', target: '*' }] }, { rules: [ASK, DENY] }],
    ['for asking fewer people of its own: the wider requirement is added', { rules: [{ ...ASK, id: 'n', approvers: ['user:ana'], timeout_seconds: 9 }] }, { rules: [{ ...ASK, quorum: 2 }] }],
    ['for allowing what nobody speaks of', { rules: [allow('tool:read_customer')] }, { rules: [ASK, DENY] }],
    ['for allowing what a wider scope allows', { rules: [allow('tool:x')] }, { rules: [{ ...allow('tool:x'), id: 'w' }] }],
    ['for allowing beside a wider rule with a condition: both may stand', { rules: [allow('tool:refund_payment', { when: 'arguments.amount <= 100' })] }, { rules: [{ ...ASK, when: 'arguments.amount > 100' }] }],
    ['for allowing what it denies itself', { rules: [allow('tool:x'), { ...DENY, target: 'tool:x' }] }, {}],
  ])('%s', (_, narrow, wide) => {
    expect(loosenings(narrow, wide)).toEqual([]);
  });

  test('and whatever stands there, the fold still asks where the wider condition holds', async () => {
    const org = { rules: [{ ...ASK, when: 'arguments.amount > 100' }] };
    const workspace = { rules: [allow('tool:refund_payment')] };
    expect(await judged({ org, workspace, call: { arguments: { amount: 500 } } })).toMatchObject({ verdict: 'ask', requirements: [{ approvers: ['group:finance'], quorum: 1 }], matched_rules: ['org:acme/wide.ask', 'workspace:w1/narrow'] });
    expect(await judged({ org, workspace, call: { arguments: { amount: 50 } } })).toMatchObject({ verdict: 'allow' });
    expect(await judged({ org, workspace, call: { arguments: {} } })).toMatchObject({ verdict: 'ask' });
  });
});

test('no allow that passes this check is ever overruled by an unconditional rule around it', () => {
  const target = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 3 }).map((glob) => `tool:${glob}`);
  const names = ['a', 'b', 'aa', 'ab', 'ba', 'bb', 'aba', 'bab', 'aab'];
  fc.assert(
    fc.property(target, target, (narrow, wide) => {
      const overruled = names.some((name) => targetMatches(narrow, name) && targetMatches(wide, name));
      const refused = loosenings({ rules: [allow(narrow)] }, { rules: [{ ...DENY, target: wide }] }).length > 0;
      expect(refused || !overruled).toBe(true);
    }),
  );
});
