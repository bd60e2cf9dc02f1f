import { beforeEach, describe, expect, test } from 'vitest';
import { corridor, type Reply } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { asks, denies, REGISTRY_INPUT, testPolicies, testRegistry } from '../../support/port-registry.ts';

let ports: Ports;
let stage: ReturnType<typeof corridor>;

beforeEach(() => {
  const tools = [...REGISTRY_INPUT.tools, { name: 'crm/update', version: '3', consequence: 'change' } as const];
  ports = inMemoryPorts(testRegistry({ tools }), testPolicies());
  stage = corridor({ ports });
});

const list = (query: Record<string, string> = {}, as = 'agent:billing-bot'): Promise<Reply> => stage.http({ route: 'GET /agent/tools', as, query: { workspace_id: 'w1', agent_id: 'billing-bot', ...query } });
const namesIn = ({ body }: Reply): readonly string[] => (body['tools'] as { name: string }[]).map(({ name }) => name);

describe('the tools that a model may be told of', () => {
  test('are all but those that are denied outright, by name; what asks stays in', async () => {
    const reply = await list();
    expect(reply.status).toBe(200);
    expect(namesIn(reply)).toEqual(['ask_human', 'crm/update', 'own_books', 'read_customer', 'refund_payment', 'sync_ledger', 'wire_transfer']);
    expect((reply.body['tools'] as unknown[])[1]).toEqual({ name: 'crm/update', version: '3', consequence: 'change' });
  });

  test.each(['org:acme', 'workspace:w1', 'agent:billing-bot'] as const)('lack what %s denies', async (scope) => {
    await ports.policies.seed(scope, { rules: [denies('wire_*')] });
    expect(namesIn(await list())).not.toContain('wire_transfer');
    expect(namesIn(await list())).toContain('refund_payment');
  });

  test('keep what is denied on a condition: other arguments might do', async () => {
    await ports.policies.seed('org:acme', { rules: [denies('wire_*', { when: 'arguments.amount > 5' })] });
    expect(namesIn(await list())).toContain('wire_transfer');
  });

  test('lack a whole MCP server where it is denied', async () => {
    await ports.policies.seed('agent:billing-bot', { rules: [{ id: 'crm', target: 'mcp:crm/*', effect: 'deny' }] });
    expect(namesIn(await list())).not.toContain('crm/update');
  });

  test('are none where everything is denied, and change with the policy', async () => {
    await ports.policies.seed('org:acme', { rules: [{ id: 'stop', target: '*', effect: 'deny' }] });
    expect(namesIn(await list())).toEqual([]);
    await ports.policies.seed('org:acme', { rules: [asks('*', ['user:ana'])] });
    expect(namesIn(await list())).toContain('wire_transfer');
  });

  test('are not touched by what another workspace or agent is denied', async () => {
    await ports.policies.seed('workspace:w9', { rules: [{ id: 'stop', target: '*', effect: 'deny' }] });
    await ports.policies.seed('agent:other-bot', { rules: [{ id: 'stop', target: '*', effect: 'deny' }] });
    expect(namesIn(await list())).toContain('wire_transfer');
  });
});

describe('are told to nobody else:', () => {
  test.each<[string, Record<string, string>, string, object]>([
    ['another workspace', { workspace_id: 'w9' }, 'agent:billing-bot', { field: 'workspace_id' }],
    ['a workspace that is not there', { workspace_id: 'w7' }, 'agent:billing-bot', { field: 'workspace_id' }],
    ['no workspace', { workspace_id: '' }, 'agent:billing-bot', { field: 'workspace_id' }],
    ['another agent', { agent_id: 'other-bot' }, 'agent:billing-bot', { field: 'agent_id' }],
    ['another program', {}, 'agent:other-bot', { field: 'workspace_id' }],
    ['a person', {}, 'user:root', {}],
  ])('%s', async (_, query, as, body) => {
    expect(await list(query, as)).toMatchObject({ status: 403, body: { code: 'scope_not_allowed', ...body } });
  });

  test('a caller whom no credential names', async () => {
    expect(await stage.http({ route: 'GET /agent/tools', query: {} })).toMatchObject({ status: 401 });
  });
});
