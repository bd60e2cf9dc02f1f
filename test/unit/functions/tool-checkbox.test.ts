// The checkbox "requires approval" and the rules cannot drift: each tick is a rule, each look is at the rules.
import { beforeEach, describe, expect, test } from 'vitest';
import { corridor, type Reply } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { allows, asks, denies, REGISTRY_INPUT, testRegistry } from '../../support/port-registry.ts';

let ports: Ports;
let stage: ReturnType<typeof corridor>;

beforeEach(() => {
  const [bot, ...programs] = REGISTRY_INPUT.programs;
  const document = testRegistry({ workspaces: [...REGISTRY_INPUT.workspaces, { id: 'w2', org_id: 'acme' }], programs: [{ ...(bot ?? expect.fail('no program')), workspaces: ['w1', 'w2'] }, ...programs] });
  ports = inMemoryPorts(document, { 'org:acme': { rules: [allows('*', { id: 'open' })] }, 'workspace:w1': { default_approvers: { approvers: ['user:ana'] } } });
  stage = corridor({ ports });
});

const look = (tool: string): Promise<Reply> => stage.http({ route: 'GET /api/agents/{id}/tools/{tool}', as: 'user:root', id: 'billing-bot', path: { tool } });
const tick = (tool: string, requires_approval: unknown, as = 'user:root'): Promise<Reply> => stage.http({ route: 'PUT /api/agents/{id}/tools/{tool}', as, id: 'billing-bot', path: { tool }, body: { requires_approval } });
const rules = async (): Promise<readonly object[]> => (await ports.policies.current(['agent:billing-bot']))[0]?.document.rules ?? [];
const written = (): number => ports.policies.log.texts().length;

test('a tick is one rule of the agent, an untick takes it away, and each is what the next call meets', async () => {
  expect((await look('sync_ledger')).body).toEqual({ agent: 'agent:billing-bot', tool: 'sync_ledger', requires_approval: false });
  expect((await stage.propose('sync_ledger', {})).body).toMatchObject({ status: 'granted' });
  expect(await tick('sync_ledger', true)).toMatchObject({ status: 200, body: { requires_approval: true } });
  expect(await rules()).toEqual([{ id: 'checkbox.sync_ledger', target: 'tool:sync_ledger', effect: 'ask', approvers: ['user:ana'], quorum: 1 }]);
  expect((await look('sync_ledger')).body).toEqual({ agent: 'agent:billing-bot', tool: 'sync_ledger', requires_approval: true });
  expect((await stage.propose('sync_ledger', { next: 1 })).body).toMatchObject({ status: 'pending' });
  expect(await tick('sync_ledger', false)).toMatchObject({ status: 200, body: { requires_approval: false } });
  expect(await rules()).toEqual([]);
  expect((await stage.propose('sync_ledger', { next: 2 })).body).toMatchObject({ status: 'granted' });
});

test('ticking twice writes once, and unticking what is not ticked writes nothing', async () => {
  const before = written();
  await tick('sync_ledger', false);
  expect(written()).toBe(before);
  await tick('sync_ledger', true);
  await tick('sync_ledger', true);
  expect(written()).toBe(before + 1);
});

test('it leaves everything else of the agent’s document as it is', async () => {
  const document = { agent_mode: 'monitored', rules: [asks('wire_transfer', ['group:finance'], { quorum: 2 })] };
  await ports.policies.seed('agent:billing-bot', document);
  await tick('sync_ledger', true);
  await tick('sync_ledger', false);
  expect((await ports.policies.newest('agent:billing-bot'))?.data.document).toEqual(document);
});

test('a rule that somebody takes away by hand is a box that is not ticked', async () => {
  await tick('sync_ledger', true);
  await ports.policies.seed('agent:billing-bot', null);
  expect((await look('sync_ledger')).body).toMatchObject({ requires_approval: false });
});

test('a rule with the box’s name that asks for another tool does not tick it', async () => {
  await ports.policies.seed('agent:billing-bot', { rules: [asks('wire_transfer', ['user:ana'], { id: 'checkbox.sync_ledger' })] });
  expect((await look('sync_ledger')).body).toMatchObject({ requires_approval: false });
});

test.each([
  ['crm/update', 'crm_update'],
  ['a/b', 'a_b'],
  ['crm/update', 'crm.update'],
])('%s and %s have boxes of their own', async (one, other) => {
  await tick(one, true);
  expect([(await look(one)).body, (await look(other)).body]).toMatchObject([{ requires_approval: true }, { requires_approval: false }]);
  await tick(other, true);
  await tick(one, false);
  expect([(await look(one)).body, (await look(other)).body]).toMatchObject([{ requires_approval: false }, { requires_approval: true }]);
});

describe('where something else asks already, the box is locked:', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ['a wider scope asks', () => ports.policies.seed('workspace:w1', { rules: [asks('sync_*', ['user:ana'], { id: 'wide' })] }), 'workspace:w1/wide'],
    ['a wider scope denies', () => ports.policies.seed('org:acme', { rules: [denies('*', { id: 'never' })] }), 'org:acme/never'],
    ['another rule of the agent asks', () => ports.policies.seed('agent:billing-bot', { rules: [asks('*', ['user:ana'], { id: 'all' })] }), 'agent:billing-bot/all'],
  ])('%s', async (_, seed, rule) => {
    await seed();
    expect((await look('sync_ledger')).body).toEqual({ agent: 'agent:billing-bot', tool: 'sync_ledger', requires_approval: true, locked_by: rule });
    const before = written();
    expect(await tick('sync_ledger', false)).toMatchObject({ status: 409, body: { code: 'policy_loosens', wider_rule: rule } });
    expect(written()).toBe(before);
  });

  test('an MCP server lists the tool', async () => {
    await ports.policies.seed('workspace:w2', { mcp_servers: { crm: { approval_tools: ['update'] } } });
    expect((await look('crm/update')).body).toMatchObject({ requires_approval: true, locked_by: 'workspace:w2/mcp_servers' });
    expect((await look('crm/read')).body).toMatchObject({ requires_approval: false });
  });

  test('and ticking it all the same holds in the workspaces that do not ask', async () => {
    await ports.policies.seed('workspace:w2', { rules: [asks('sync_ledger', ['user:ana'], { id: 'here.only' })] });
    expect((await look('sync_ledger')).body).toMatchObject({ requires_approval: true, locked_by: 'workspace:w2/here.only' });
    await tick('sync_ledger', true);
    expect((await stage.propose('sync_ledger', {})).body).toMatchObject({ status: 'pending' });
  });

  test('a rule on a condition locks nothing', async () => {
    await ports.policies.seed('workspace:w1', { default_approvers: { approvers: ['user:ana'] }, rules: [asks('sync_ledger', ['user:ana'], { when: 'arguments.amount > 5' })] });
    expect((await look('sync_ledger')).body).toEqual({ agent: 'agent:billing-bot', tool: 'sync_ledger', requires_approval: false });
  });
});

describe('is refused, and nothing is written,', () => {
  test.each(['user:ana', 'user:olga', 'agent:billing-bot'])('to %s', async (as) => {
    const before = written();
    expect(await tick('sync_ledger', true, as)).toMatchObject({ status: 403, body: { code: 'not_an_administrator' } });
    expect(written()).toBe(before);
  });

  test.each(['yes', 1, null, undefined])('with %j for a tick', async (value) => {
    expect(await tick('sync_ledger', value)).toMatchObject({ status: 400, body: { field: 'requires_approval' } });
  });

  test('with anything else in the body: who must approve is said in the document', async () => {
    expect(await stage.http({ route: 'PUT /api/agents/{id}/tools/{tool}', as: 'user:root', id: 'billing-bot', path: { tool: 'x' }, body: { requires_approval: true, approvers: ['user:ana'] } })).toMatchObject({ status: 400, body: { field: 'approvers' } });
  });

  test.each(['*', 'sync_*', 'sync_ledge?', 'a b', '', 'x'.repeat(124)])('for the tool %j: a box is of one tool under its exact name', async (tool) => {
    expect(await tick(tool, true)).toMatchObject({ status: 404, body: { code: 'policy_not_found' } });
  });

  test('where nobody could be asked', async () => {
    await ports.policies.seed('workspace:w1', {});
    expect(await tick('sync_ledger', true)).toMatchObject({ status: 422, body: { code: 'policy_invalid', field: 'default_approvers' } });
    expect(await rules()).toEqual([]);
  });

  test('to one of two who tick at once', async () => {
    const replies = await Promise.all([tick('sync_ledger', true), tick('refund_payment', true)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    expect(await rules()).toHaveLength(1);
  });
});

test('a long name has its box, too', async () => {
  const name = `crm/${'x'.repeat(119)}`;
  expect(await tick(name, true)).toMatchObject({ status: 200, body: { requires_approval: true } });
  expect(await tick(name, false)).toMatchObject({ body: { requires_approval: false } });
});
