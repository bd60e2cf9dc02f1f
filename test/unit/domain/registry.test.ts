import { describe, expect, test } from 'vitest';
import { exampleRegistry } from '../../../examples/registry.ts';
import { parseRegistry, toolDigest, toolSchema, type RegistryInput, type Tool } from '../../../lambdas/domain/registry.ts';

const DOCUMENT = {
  workspaces: [{ id: 'w1', org_id: 'acme' }],
  programs: [{ subject: 'agent:billing-bot', principals: ['iam:role/billing'], agent_ids: ['billing-bot'], workspaces: ['w1'], owner: 'user:olga', may_act_for: ['user:zoe'] }],
  people: ['ana', 'olga', 'zoe'].map((id) => ({ subject: `user:${id}`, principals: [`oidc:issuer#${id}`] })),
  groups: [{ id: 'group:finance', members: ['user:ana'] }],
  tools: [{ name: 'refund', version: '1', consequence: 'irreversible' }],
} as const satisfies RegistryInput;

/** The document with one place changed; `undefined` takes the member away. */
function changed(path: string, value: unknown): unknown {
  const copy = structuredClone(DOCUMENT) as unknown;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const place = keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], copy) as Record<string, unknown>;
  if (value === undefined) Reflect.deleteProperty(place, last);
  else place[last] = value;
  return copy;
}

const tool = (more: object): object => ({ ...DOCUMENT.tools[0], ...more });

describe('a registry document', () => {
  test('that is whole is read, with its defaults said', () => {
    expect(parseRegistry(DOCUMENT).tools).toEqual([
      {
        confidential: false,
        reveal: 'never',
        name: 'refund',
        version: '1',
        consequence: 'irreversible',
        risk: { level: 'medium', reasons: [] },
        idempotent: false,
        timeout_seconds: 60,
        use_within_seconds: 900,
        display: {},
      },
    ]);
  });

  test('that `npm start` loads is whole', () => {
    expect(parseRegistry(exampleRegistry).tools.map(({ name }) => name)).toContain('refund_payment');
  });

  test('that was read can be read again', () => {
    expect(parseRegistry(parseRegistry(DOCUMENT))).toEqual(parseRegistry(DOCUMENT));
  });
});

describe('a registry document is refused, naming the place', () => {
  const fields: readonly [string, string, unknown, RegExp][] = [
    ['an unknown field at the top', 'callers', [], /"callers"/],
    ['an unknown field of a tool', 'tools.0.approvers', ['user:ana'], /"approvers"[^]*tools\[0\]/],
    ['a policy of a tool: policy stands in documents of its own', 'tools.0.policy', { effect: 'allow', policy_id: 'p' }, /"policy"[^]*tools\[0\]/],
    ['a person with white space', 'people.0.subject', 'user:ana ', /people\[0\]\.subject/],
    ['a person whose id is empty', 'people.0.subject', 'user:', /people\[0\]\.subject/],
    ['a person whose letters only look Latin (134)', 'people.0.subject', 'user:\u0430na', /people\[0\]\.subject/],
    ['a person with a line break', 'people.0.subject', 'user:ana\n', /people\[0\]\.subject/],
    ['an agent in a group (131)', 'groups.0.members', ['agent:billing-bot'], /groups\[0\]\.members\[0\]/],
    ['a bare id in a group', 'groups.0.members', ['ana'], /groups\[0\]\.members\[0\]/],
    ['a bare id for an owner', 'programs.0.owner', 'olga', /programs\[0\]\.owner/],
    ['a person to act for who is no person', 'programs.0.may_act_for', ['agent:other'], /programs\[0\]\.may_act_for\[0\]/],
    ['an unknown field of a person', 'people.0.admin', true, /"admin"[^]*people\[0\]/],
    ['an unknown field of a program', 'programs.0.roles', [], /"roles"[^]*programs\[0\]/],
    ['an unknown field of a group', 'groups.0.quorum', 2, /"quorum"[^]*groups\[0\]/],
    ['an unknown field of a workspace', 'workspaces.0.name', 'x', /"name"[^]*workspaces\[0\]/],
    ['an unknown field of an executor', 'tools.0.executor', { function: 'f', url: 'x' }, /"url"[^]*tools\[0\]\.executor/],
    ['an unknown field of a display', 'tools.0.display', { hidden: ['/a'] }, /"hidden"[^]*tools\[0\]\.display/],
    ['a tool without a name', 'tools.0.name', '', /tools\[0\]\.name/],
    ['a tool without a version', 'tools.0.version', undefined, /tools\[0\]\.version/],
    ['a consequence that nobody knows', 'tools.0.consequence', 'none', /tools\[0\]\.consequence/],
    ['a risk that nobody knows', 'tools.0.risk', { level: 'none' }, /tools\[0\]\.risk\.level/],
    ['a run longer than a Lambda may take', 'tools.0.timeout_seconds', 841, /tools\[0\]\.timeout_seconds/],
    ['a grant that is good for more than a day', 'tools.0.use_within_seconds', 24 * 3600 + 1, /tools\[0\]\.use_within_seconds/],
    ['an executor without a function', 'tools.0.executor', { function: '' }, /tools\[0\]\.executor\.function/],
    ['a display path that is no JSON Pointer', 'tools.0.display', { always_hidden: ['amount'] }, /tools\[0\]\.display\.always_hidden\[0\]/],
    ['a summary whose braces do not close', 'tools.0.summary', 'Refund {amount', /tools\[0\]\.summary/],
    ['a reveal that nobody knows', 'tools.0.reveal', 'always', /tools\[0\]\.reveal/],
    ['a program without a form', 'programs.0.subject', 'billing-bot', /programs\[0\]\.subject/],
    ['a person for a program', 'programs.0.subject', 'user:ana', /programs\[0\]\.subject/],
    ['a program proven as a person is', 'programs.0.principals', ['oidc:issuer#bot'], /programs\[0\]\.principals\[0\]/],
    ['a program that nothing proves', 'programs.0.principals', [], /programs\[0\]\.principals/],
    ['a program without a workspace', 'programs.0.workspaces', [], /programs\[0\]\.workspaces/],
    ['an owner who is no person', 'programs.0.owner', 'group:finance', /programs\[0\]\.owner/],
    ['a person without a form', 'people.0.subject', 'ana', /people\[0\]\.subject/],
    ['a person proven as a program is', 'people.0.principals', ['iam:role/ana'], /people\[0\]\.principals\[0\]/],
    ['a person that nothing proves', 'people.0.principals', [], /people\[0\]\.principals/],
    ['a group without people', 'groups.0.members', [], /groups\[0\]\.members/],
    ['a group within a group', 'groups.0.members', ['group:finance'], /groups\[0\]\.members\[0\]/],
    ['a group without a form', 'groups.0.id', 'finance', /groups\[0\]\.id/],
    ['no workspace', 'workspaces', [], /workspaces/],
    ['a workspace without an organisation', 'workspaces.0.org_id', '', /workspaces\[0\]\.org_id/],
  ];
  test.each(fields)('%s', (_, path, value, place) => {
    expect(() => parseRegistry(changed(path, value))).toThrow(/^The registry is refused:\n/);
    expect(() => parseRegistry(changed(path, value))).toThrow(place);
  });

  const references: readonly [string, string, unknown, string][] = [
    ['a member whom it does not hold', 'groups.0.members', ['user:ghost'], 'group:finance names user:ghost, which the registry does not hold'],
    ['an owner whom it does not hold', 'programs.0.owner', 'user:ghost', 'agent:billing-bot names user:ghost, which the registry does not hold'],
    ['a person to act for whom it does not hold', 'programs.0.may_act_for', ['user:ghost'], 'agent:billing-bot names user:ghost, which the registry does not hold'],
    ['a workspace that it does not hold', 'programs.0.workspaces', ['w9'], 'agent:billing-bot names w9, which the registry does not hold'],
    ['a tool twice', 'tools', [tool({}), tool({ version: '2' })], 'tool refund stands twice'],
    ['a principal of two people', 'people.1.principals', ['oidc:issuer#ana'], 'principal oidc:issuer#ana stands twice'],
    ['a principal twice of one person', 'people.0.principals', ['oidc:issuer#ana', 'oidc:issuer#ana'], 'principal oidc:issuer#ana stands twice'],
  ];
  test.each(references)('%s', (_, path, value, says) => {
    expect(() => parseRegistry(changed(path, value))).toThrow(`The registry is refused:\n✖ ${says}`);
  });

  test('each fault at once, not only the first', () => {
    const faults = { ...DOCUMENT, groups: [{ id: 'group:finance', members: ['user:ghost'] }], tools: [tool({}), tool({})] };

    expect(() => parseRegistry(faults)).toThrow(/user:ghost[^]*tool refund stands twice/);
  });

  test.each([undefined, null, 'registry', 7, []].map((value) => [value]))('%j, which is no document', (value) => {
    expect(() => parseRegistry(value)).toThrow(/^The registry is refused/);
  });

  test.each([
    ['a person', 'people', [...DOCUMENT.people, { subject: 'user:ana', principals: ['oidc:issuer#other'], administrator: true }]],
    ['a group', 'groups', [...DOCUMENT.groups, { id: 'group:finance', members: ['user:zoe'] }]],
    ['a workspace', 'workspaces', [...DOCUMENT.workspaces, { id: 'w1', org_id: 'other' }]],
    ['a program', 'programs', [...DOCUMENT.programs, { ...DOCUMENT.programs[0], principals: ['iam:role/other'], owner: 'user:ana' }]],
  ])('%s that stands twice', (_, path, value) => {
    expect(() => parseRegistry(changed(path, value))).toThrow(/stands twice/);
  });

  test.each([
    ['tools whose names differ only in case', 'tools', [tool({}), tool({ name: 'Refund' })]],
    ['tools whose names differ only in white space', 'tools', [tool({}), tool({ name: 'refund ' })]],
    ['a tool name with a line break', 'tools', [tool({ name: 'refund\nallowed' })]],
    ['people whose names differ only in case (134)', 'people', [...DOCUMENT.people, { subject: 'user:Ana', principals: ['oidc:issuer#Ana'] }]],
  ])('%s', (_, path, value) => {
    expect(() => parseRegistry(changed(path, value))).toThrow(/^The registry is refused/);
  });
});

describe('the digest of a tool', () => {
  const full: Tool = toolSchema.parse({
    ...DOCUMENT.tools[0],
    risk: { level: 'high', reasons: ['it moves money'] },
    executor: { function: 'refund' },
    display: { critical: ['/amount'], always_hidden: ['/note'], allow_only: ['/amount'] },
    summary: 'Refund {amount}',
  });
  const leaves = leavesOf(full);

  test('covers every member that a tool may have', () => {
    expect(new Set(leaves.map(([path]) => path[0]))).toEqual(new Set(Object.keys(toolSchema.shape)));
  });

  test.each(leaves.map(([path, leaf]) => ({ at: path.join('.'), path, leaf })))('changes with $at', ({ path, leaf }) => {
    const other = typeof leaf === 'string' ? `${leaf}x` : typeof leaf === 'number' ? leaf + 1 : !leaf;

    expect(toolDigest(withLeaf(full, path, other))).not.toBe(toolDigest(full));
    expect(toolDigest(withLeaf(full, path, leaf))).toBe(toolDigest(full));
  });

  test.each(Object.keys(toolSchema.shape))('changes when %s goes', (member) => {
    const rest = Object.fromEntries(Object.entries(full).filter(([each]) => each !== member));

    expect(toolDigest(rest as unknown as Tool)).not.toBe(toolDigest(full));
  });

  test('does not depend on the order in which a definition was written', () => {
    expect(toolDigest(Object.fromEntries(Object.entries(full).reverse()) as unknown as Tool)).toBe(toolDigest(full));
  });

  test('is the same whether a default was written or filled in', () => {
    expect(toolDigest(toolSchema.parse({ ...DOCUMENT.tools[0], idempotent: false, timeout_seconds: 60 }))).toBe(toolDigest(toolSchema.parse(DOCUMENT.tools[0])));
    expect(toolDigest(full)).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

type Leaf = string | number | boolean;

function leavesOf(value: unknown, path: readonly string[] = []): readonly (readonly [readonly string[], Leaf])[] {
  if (typeof value !== 'object' || value === null) return [[path, value as Leaf]];
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, [...path, key]));
}

function withLeaf(value: Tool, path: readonly string[], leaf: Leaf): Tool {
  const copy = structuredClone(value);
  const place = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], copy) as Record<string, unknown>;
  place[path.at(-1) ?? ''] = leaf;
  return copy;
}
