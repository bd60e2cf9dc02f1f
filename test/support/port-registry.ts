// The registry that port and function tests share: two programs, five people, one group and a tool of every kind.
import { parseRegistry, type RegistryDocument, type RegistryInput } from '../../lambdas/domain/registry.ts';

export const ACCOUNT = '123456789012';
export const ISSUER = 'https://issuer.example';

const TOOLS: RegistryInput['tools'] = [
  { name: 'refund_payment', version: '1', consequence: 'irreversible', policy: { effect: 'ask', approvers: ['user:ana', 'user:ben'], timeout_seconds: 3600 }, executor: { function: 'refund_payment' }, timeout_seconds: 30 },
  { name: 'wire_transfer', version: '1', consequence: 'irreversible', policy: { effect: 'ask', approvers: ['group:finance'], quorum: 2, timeout_seconds: 3600 }, executor: { function: 'wire_transfer' } },
  { name: 'sync_ledger', version: '1', consequence: 'change', policy: { effect: 'ask', approvers: ['user:ana'], timeout_seconds: 3600 }, executor: { function: 'sync_ledger' }, idempotent: true },
  { name: 'ask_human', version: '1', consequence: 'observation', policy: { effect: 'ask', approvers: ['user:ana', 'user:olga'], timeout_seconds: 3600 } },
  { name: 'read_customer', version: '1', consequence: 'observation', policy: { effect: 'allow', policy_id: 'sandbox.workspace.v1' }, executor: { function: 'read_customer' }, idempotent: true },
  { name: 'drop_table', version: '1', consequence: 'irreversible', policy: { effect: 'deny' }, executor: { function: 'drop_table' } },
  { name: 'own_books', version: '1', consequence: 'change', policy: { effect: 'ask', approvers: ['user:olga'], timeout_seconds: 3600 }, executor: { function: 'own_books' } },
];

export const REGISTRY_INPUT: RegistryInput = {
  workspaces: [
    { id: 'w1', org_id: 'acme' },
    { id: 'w9', org_id: 'other' },
  ],
  programs: [
    { subject: 'agent:billing-bot', principals: [`iam:arn:aws:iam::${ACCOUNT}:role/billing-bot`], agent_ids: ['billing-bot'], workspaces: ['w1'], owner: 'user:olga', may_act_for: ['user:zoe'] },
    { subject: 'agent:other-bot', principals: [`iam:arn:aws:iam::${ACCOUNT}:role/other-bot`], agent_ids: ['other-bot'], workspaces: ['w9'] },
  ],
  people: ['ana', 'ben', 'olga', 'zoe', 'root'].map((name) => ({ subject: `user:${name}`, principals: [`oidc:${ISSUER}#${name}`], administrator: name === 'root' })),
  groups: [{ id: 'group:finance', members: ['user:ana', 'user:ben', 'user:zoe'] }],
  tools: TOOLS,
};

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
