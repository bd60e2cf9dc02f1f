// There is no field that nothing reads: each field of a policy document, of a rule, of a workspace's facts and of a
// tool's registry entry is changed by itself, and something that people, agents or tools can see becomes another. The
// fields come from the schemas: whoever adds one has to say here what it does. Digests do not count as seen.
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../lambdas/domain/json/json-value.ts';
import { documentSchemas } from '../../../lambdas/domain/policy/policy-document.ts';
import { toolSchema, workspaceSchema, type RegistryInput } from '../../../lambdas/domain/registry.ts';
import { corridor } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts } from '../../support/in-memory-ports.ts';
import { REGISTRY_INPUT, testRegistry } from '../../support/port-registry.ts';
import { fieldsOf } from '../../support/schema-fields.ts';

type Kind = keyof typeof documentSchemas;

interface World {
  readonly tool: RegistryInput['tools'][number];
  readonly workspace: RegistryInput['workspaces'][number];
  readonly documents: Readonly<Partial<Record<Kind, JsonObject>>>;
  readonly calls: string;
  readonly arguments: JsonObject;
}

const ANA = { approvers: ['user:ana'] };
const ALLOW_ALL = { rules: [{ id: 'all', target: '*', effect: 'allow' }] };
const PLAIN: World = {
  tool: { name: 'act', version: '1', consequence: 'change', risk: { level: 'low', reasons: ['r'] }, executor: { function: 'f' } },
  workspace: { id: 'w1', org_id: 'acme' },
  documents: { workspace: { default_approvers: ANA } },
  calls: 'act',
  arguments: { amount: 50, note: 'n'.repeat(5000) },
};

const NOT_SEEN: ReadonlySet<string> = new Set(['tool_digest', 'binding_hash', 'fingerprint', 'hash', 'policy_revision']);

/** Everything that anybody outside gets to see of one call, from the tools that a model is shown to the run itself. */
async function seen({ tool, workspace, documents, calls, arguments: args }: World): Promise<unknown> {
  const programs = REGISTRY_INPUT.programs.slice(0, 1).map((program) => ({ ...program, workspaces: [workspace.id] }));
  const { org = {}, workspace: middle = {}, agent = {} } = documents;
  const ports = inMemoryPorts(testRegistry({ workspaces: [workspace], programs, tools: [tool] }), { 'org:acme': org, 'workspace:w1': middle, 'agent:billing-bot': agent });
  const { propose, quiet, http, eventsOf } = corridor({ ports });
  const proposed = await propose(calls, args);
  const operation_id = proposed.body.operation_id;
  await quiet();
  const told = {
    proposed,
    first: (await eventsOf(operation_id))[0]?.data,
    full: (await http({ route: 'GET /api/operations/{id}/full', as: 'user:ana', id: operation_id })).body,
    tools: (await http({ route: 'GET /agent/tools', as: 'agent:billing-bot', query: { workspace_id: 'w1', agent_id: 'billing-bot' } })).body,
    runs: ports.invoker.ledger.map(({ function_name, timeout_seconds }) => ({ function_name, timeout_seconds })),
  };
  return JSON.parse(JSON.stringify(told, (key, value: unknown) => (NOT_SEEN.has(key) ? undefined : value)));
}

type Flip = readonly [World, World];

/** The same world but for one field of its tool. */
const ofTool = (change: Partial<World['tool']>, around: Partial<World> = {}): Flip => [{ ...PLAIN, ...around }, { ...PLAIN, ...around, tool: { ...PLAIN.tool, ...change } }];
const ofWorkspace = (calls: string, change: Partial<World['workspace']>): Flip => {
  const before = { ...PLAIN, calls, tool: { ...PLAIN.tool, name: calls } };
  return [before, { ...before, workspace: { ...before.workspace, ...change } }];
};

const TOOL: Readonly<Record<string, Flip>> = {
  name: ofTool({ name: 'act2' }),
  version: ofTool({ version: '2' }),
  consequence: ofTool({ consequence: 'observation' }, { documents: { org: { ...ALLOW_ALL, approval_mode: 'tools', default_approvers: ANA } } }),
  'risk.level': ofTool({ risk: { level: 'high', reasons: ['r'] } }),
  'risk.reasons': ofTool({ risk: { level: 'low', reasons: ['other'] } }),
  'executor.function': ofTool({ executor: { function: 'g' } }, { documents: { org: ALLOW_ALL } }),
  idempotent: ofTool({ idempotent: true }),
  timeout_seconds: ofTool({ timeout_seconds: 9 }),
  use_within_seconds: ofTool({ use_within_seconds: 9 }),
  'display.critical': ofTool({ display: { critical: ['/note'] } }),
  'display.always_hidden': ofTool({ display: { always_hidden: ['/amount'] } }),
  'display.allow_only': ofTool({ display: { allow_only: ['/note'] } }),
  summary: ofTool({ summary: 'Act on {amount}' }),
  confidential: ofTool({ confidential: true }),
  reveal: ofTool({ reveal: 'on_request' }),
};

const WORKSPACE: Readonly<Record<string, Flip>> = {
  id: ofWorkspace('act', { id: 'w2' }),
  org_id: ofWorkspace('act', { org_id: 'other' }),
  'sandbox.path': ofWorkspace('run_command', { sandbox: { path: '/workspaces/w1' } }),
  network_access: ofWorkspace('web_fetch', { network_access: true }),
  search_backend: ofWorkspace('web_search', { search_backend: 's' }),
  browser_backend: ofWorkspace('browser', { browser_backend: 'b' }),
};

/** Two documents of one kind of scope, all else alike. What the other scopes say comes first. */
const ofDocument = (kind: Kind, before: JsonObject, after: JsonObject, others: World['documents'] = {}, more: Partial<World> = {}): Flip => [
  { ...PLAIN, ...more, documents: { ...others, [kind]: before } },
  { ...PLAIN, ...more, documents: { ...others, [kind]: after } },
];

const RULES: Readonly<Record<string, JsonObject>> = {
  allow: { id: 'r', target: 'tool:act', effect: 'allow' },
  ask: { id: 'r', target: 'tool:act', effect: 'ask', approvers: ['user:ana', 'user:ben'] },
  deny: { id: 'r', target: 'tool:act', effect: 'deny' },
};
const RULE_CHANGES: Readonly<Record<string, JsonValue>> = { id: 's', target: 'tool:other', when: 'arguments.amount > 50' };
/** What an ask says, each field by itself: of two people or a group, and of what comes when nobody answers. */
const LEVEL = { after_seconds: 60, approvers: ['group:finance'], quorum: 2 };
const ASK_CHANGES: Readonly<Record<string, readonly [JsonObject, JsonObject]>> = {
  approvers: [{}, { approvers: ['user:ana'] }],
  quorum: [{}, { quorum: 2 }],
  min_per_group: [{ approvers: ['group:finance'] }, { approvers: ['group:finance'], min_per_group: 1 }],
  veto: [{}, { veto: 2 }],
  share_votes: [{}, { share_votes: true }],
  separation_of_duties: [{}, { separation_of_duties: false }],
  timeout_seconds: [{}, { timeout_seconds: 60 }],
  extendable_to_seconds: [{}, { extendable_to_seconds: 200_000 }],
  reminders: [{}, { reminders: [{ fraction: 0.5 }] }],
  'escalation.after_seconds': [{ escalation: [LEVEL] }, { escalation: [{ ...LEVEL, after_seconds: 61 }] }],
  'escalation.approvers': [{ escalation: [LEVEL] }, { escalation: [{ ...LEVEL, approvers: ['user:zoe'] }] }],
  'escalation.quorum': [{ escalation: [LEVEL] }, { escalation: [{ ...LEVEL, quorum: 1 }] }],
};

function flipsOfRule(kind: Kind, effect: string): readonly (readonly [string, Flip])[] {
  const rule: JsonObject = RULES[effect] ?? {};
  const others: World['documents'] = kind === 'org' ? { workspace: { default_approvers: ANA } } : { org: { default_approvers: ANA } };
  const flip = (field: string, before: JsonObject, after: JsonObject): readonly [string, Flip] => [`rules.${effect}.${field}`, ofDocument(kind, { rules: [before] }, { rules: [after] }, others)];
  return [
    ...(effect === 'ask' ? Object.entries(ASK_CHANGES).map(([field, [before, after]]) => flip(field, { ...rule, ...before }, { ...rule, ...after })) : []),
    ...['id', 'target', 'when'].map((field) => flip(field, rule, { ...rule, [field]: RULE_CHANGES[field] ?? null })),
    flip('effect', rule, effect === 'deny' ? { ...rule, effect: 'allow' } : { id: 'r', target: 'tool:act', effect: 'deny' }),
    flip('risk.level', rule, { ...rule, risk: { level: 'high', reasons: [] } }),
    flip('risk.reasons', { ...rule, risk: { level: 'low', reasons: [] } }, { ...rule, risk: { level: 'low', reasons: ['because'] } }),
  ];
}

const modes = (kind: Kind, field: string, before: string, after: string): Flip => ofDocument(kind, { [field]: before }, { [field]: after }, { workspace: { ...ALLOW_ALL, default_approvers: ANA } });
const listing = (kind: Kind, before: JsonObject, after: JsonObject): Flip =>
  ofDocument(kind, { mcp_servers: before }, { mcp_servers: after }, { agent: { ...ALLOW_ALL, default_approvers: ANA } }, { calls: 'crm/act', tool: { ...PLAIN.tool, name: 'crm/act' } });

function flipsOfDocument(kind: Kind): Readonly<Record<string, Flip>> {
  const defaults = { approvers: ['user:ana', 'user:ben'] };
  const ofDefaults = ([before, after]: readonly [JsonObject, JsonObject]): Flip => ofDocument(kind, { default_approvers: { ...defaults, ...before } }, { default_approvers: { ...defaults, ...after } });
  const glass = { group: 'group:oncall', review_by: 'group:audit', within_seconds: 600 };
  const ofGlass = (change: JsonObject): Flip => ofDocument('org', { break_glass: glass }, { break_glass: { ...glass, ...change } }, { workspace: { default_approvers: ANA } });
  return {
    ...Object.fromEntries(['allow', 'ask', 'deny'].flatMap((effect) => flipsOfRule(kind, effect))),
    ...Object.fromEntries(Object.entries(ASK_CHANGES).map(([field, change]) => [`default_approvers.${field}`, ofDefaults(change)])),
    ...(kind === 'org'
      ? { 'break_glass.group': ofGlass({ group: 'group:finance' }), 'break_glass.review_by': ofGlass({ review_by: 'group:finance' }), 'break_glass.within_seconds': ofGlass({ within_seconds: 700 }) }
      : { break_glass: ofDocument(kind, {}, { break_glass: 'never' }, { org: { break_glass: glass, default_approvers: ANA } }) }),
    ...(kind === 'org' ? { approval_mode: modes(kind, 'approval_mode', 'default', 'tools') } : {}),
    ...(kind === 'agent' ? { agent_mode: modes(kind, 'agent_mode', 'autonomous', 'monitored') } : {}),
    ...(kind === 'agent' ? {} : { 'mcp_servers.*': listing(kind, { other: { approval_tools: ['act'] } }, { crm: { approval_tools: ['act'] } }), 'mcp_servers.*.approval_tools': listing(kind, { crm: { approval_tools: ['other'] } }, { crm: { approval_tools: ['act'] } }) }),
  };
}

const KINDS: readonly Kind[] = ['org', 'workspace', 'agent'];
const ALL: readonly (readonly [string, Readonly<Record<string, Flip>>, readonly string[]])[] = [
  ['a tool', TOOL, fieldsOf(toolSchema)],
  ['a workspace', WORKSPACE, fieldsOf(workspaceSchema)],
  ...KINDS.map((kind) => [`the document of ${kind}`, flipsOfDocument(kind), fieldsOf(documentSchemas[kind])] as const),
];

describe.each(ALL)('%s', (_, flips, fields) => {
  test('has no field but those that are changed here', () => {
    expect(Object.keys(flips).sort()).toEqual([...new Set(fields)].sort());
  });

  test.each(Object.entries(flips))('%s matters', async (_field, [before, after]) => {
    const [was, is] = [await seen(before), await seen(after)];
    expect(was).not.toEqual(is);
    expect(await seen(before)).toEqual(was);
  });
});
