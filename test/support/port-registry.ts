// The registry and policies that port and function tests share: two programs, five people, two groups, a tool of every
// kind, and a document that says of each what it comes to.
import type { JsonObject } from '../../lambdas/domain/json/json-value.ts';
import type { PolicyScope } from '../../lambdas/domain/policy/policy-document.ts';
import { parseRegistry, type RegistryDocument, type RegistryInput } from '../../lambdas/domain/registry.ts';

export const ACCOUNT = '123456789012';
export const ISSUER = 'https://issuer.example';

const TOOLS: RegistryInput['tools'] = [
  { name: 'refund_payment', version: '1', consequence: 'irreversible', executor: { function: 'refund_payment' }, timeout_seconds: 30 },
  { name: 'wire_transfer', version: '1', consequence: 'irreversible', executor: { function: 'wire_transfer' } },
  { name: 'sync_ledger', version: '1', consequence: 'change', executor: { function: 'sync_ledger' }, idempotent: true },
  { name: 'ask_human', version: '1', consequence: 'observation' },
  { name: 'read_customer', version: '1', consequence: 'observation', executor: { function: 'read_customer' }, idempotent: true },
  { name: 'drop_table', version: '1', consequence: 'irreversible', executor: { function: 'drop_table' } },
  { name: 'own_books', version: '1', consequence: 'change', executor: { function: 'own_books' } },
];

export const REGISTRY_INPUT: RegistryInput = {
  workspaces: [
    { id: 'w1', org_id: 'acme' },
    { id: 'w9', org_id: 'other' },
  ],
  programs: [
    { subject: 'agent:billing-bot', principals: [`iam:arn:aws:iam::${ACCOUNT}:role/billing-bot`], agent_ids: ['billing-bot'], workspaces: ['w1'], owner: 'user:olga', may_act_for: ['user:zoe'] },
    { subject: 'agent:other-bot', principals: [`iam:arn:aws:iam::${ACCOUNT}:role/other-bot`], agent_ids: ['other-bot'], workspaces: ['w9'], owner: 'user:olga' },
  ],
  people: ['ana', 'ben', 'olga', 'zoe', 'root'].map((name) => ({ subject: `user:${name}`, principals: [`oidc:${ISSUER}#${name}`], administrator: name === 'root' })),
  groups: [{ id: 'group:finance', members: ['user:ana', 'user:ben', 'user:zoe'] }],
  tools: TOOLS,
};

/** One rule of a document as it is written by hand. */
export type RuleInput = JsonObject & { readonly id: string; readonly target: string; readonly effect: string };

export function asks(tool: string, approvers: readonly string[], more: JsonObject = {}): RuleInput {
  return { id: `${tool.replaceAll(/[^a-z0-9_]/g, '-')}.asks`, target: `tool:${tool}`, effect: 'ask', approvers: [...approvers], timeout_seconds: 3600, ...more };
}

export function denies(tool: string, more: JsonObject = {}): RuleInput {
  return { id: `${tool.replaceAll(/[^a-z0-9_]/g, '-')}.denied`, target: `tool:${tool}`, effect: 'deny', ...more };
}

export function allows(tool: string, more: JsonObject = {}): RuleInput {
  return { id: `${tool.replaceAll(/[^a-z0-9_]/g, '-')}.allowed`, target: `tool:${tool}`, effect: 'allow', ...more };
}

export const RULES: readonly RuleInput[] = [
  asks('refund_payment', ['user:ana', 'user:ben']),
  asks('wire_transfer', ['group:finance'], { quorum: 2 }),
  asks('sync_ledger', ['user:ana']),
  asks('ask_human', ['user:ana', 'user:olga']),
  { id: 'sandbox.workspace.v1', target: 'tool:read_customer', effect: 'allow' },
  denies('drop_table'),
  asks('own_books', ['user:olga']),
];

export type PolicySet = Readonly<Partial<Record<PolicyScope, JsonObject>>>;

/** What both workspaces say of the tools above; further rules of `w1` come last, and a document given whole stands for itself. */
export function testPolicies(more: readonly RuleInput[] = [], others: PolicySet = {}): PolicySet {
  return { 'workspace:w1': { rules: [...RULES, ...more] }, 'workspace:w9': { rules: RULES }, ...others };
}

export function testRegistry(change: Partial<RegistryInput> = {}): RegistryDocument {
  return parseRegistry({ ...REGISTRY_INPUT, ...change });
}

/** The document with one tool defined anew. */
export function withTool(name: string, change: Partial<NonNullable<RegistryInput['tools'][number]>>): RegistryDocument {
  return testRegistry({ tools: TOOLS.map((tool) => (tool.name === name ? { ...tool, ...change } : tool)) });
}

export function withoutTool(name: string): RegistryDocument {
  return testRegistry({ tools: TOOLS.filter((tool) => tool.name !== name) });
}

export function withFinance(members: readonly string[]): RegistryDocument {
  return testRegistry({ groups: [{ id: 'group:finance', members: [...members] }] });
}
