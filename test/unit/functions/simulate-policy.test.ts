import { beforeEach, describe, expect, test } from 'vitest';
import { injector, type Injector } from '../../support/crash-points.ts';
import { corridor, type Reply } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { asks, denies, RULES, testPolicies, testRegistry } from '../../support/port-registry.ts';

let ports: Ports;
let inject: Injector;
let stage: ReturnType<typeof corridor>;
let ids: readonly string[];

beforeEach(async () => {
  ports = inMemoryPorts(testRegistry(), testPolicies());
  inject = injector();
  stage = corridor({ ports, inject });
  const calls: readonly (readonly [string, object])[] = [['read_customer', {}], ['refund_payment', { amount: 50 }], ['refund_payment', { amount: 5000 }], ['drop_table', {}]];
  const proposed: string[] = [];
  for (const [tool, args] of calls) {
    proposed.push((await stage.propose(tool, args)).body.operation_id);
    await ports.clock.advance(1000);
  }
  ids = proposed;
  await stage.propose('refund_payment', { amount: 9 }, { scope: { workspace_id: 'w9', agent_id: 'other-bot' } }, 'agent:other-bot');
  await stage.quiet();
});

const simulate = (scope: string, document: unknown, more: object = {}, as = 'user:root'): Promise<Reply> => stage.http({ route: 'POST /api/policies/simulate', as, body: { scope, document, ...more } });
const changedOf = ({ body }: Reply): readonly (readonly unknown[])[] => (body['changed'] as { operation_id: string; before: { verdict: string }; after: { verdict: string } }[]).map(({ operation_id, before, after }) => [operation_id, before.verdict, after.verdict]);
const large = asks('refund_payment', ['group:finance'], { id: 'large', when: 'arguments.amount > 1000', quorum: 2 });

describe('a draft', () => {
  test('is held against the newest operations of its scope: what would change, newest first, and what it was', async () => {
    const reply = await simulate('workspace:w1', { rules: [denies('read_*'), large, ...RULES.slice(0, 4)] });
    expect(reply).toMatchObject({ status: 200, body: { looked_at: 4, without_arguments: 0 } });
    // What nothing forbids any more would still ask: nobody speaks of it.
    expect(changedOf(reply)).toEqual([[ids[3], 'deny', 'ask'], [ids[2], 'ask', 'ask'], [ids[0], 'allow', 'deny']]);
    expect(reply.body['changed']).toMatchObject([{ tool: 'drop_table' }, { tool: 'refund_payment', after: { requirements: [{ quorum: 2 }, { quorum: 1 }] } }, { tool: 'read_customer' }]);
  });

  test('that says what stands already changes nothing', async () => {
    expect((await simulate('workspace:w1', { rules: [...RULES] })).body).toMatchObject({ looked_at: 4, changed: [] });
  });

  test('of the organisation is held against all its workspaces, and no other organisation’s', async () => {
    const reply = await simulate('org:acme', { rules: [denies('*')] });
    expect(reply.body).toMatchObject({ looked_at: 4 });
    expect(changedOf(reply).map(([id]) => id)).toEqual([ids[2], ids[1], ids[0]]);
  });

  test('of an agent is held against that agent’s calls only', async () => {
    expect((await simulate('agent:billing-bot', { agent_mode: 'strict' })).body).toMatchObject({ looked_at: 4, changed: [] });
    expect((await simulate('agent:other-bot', { rules: [denies('*')] })).body).toMatchObject({ looked_at: 1, changed: [{ before: { verdict: 'ask' }, after: { verdict: 'deny' } }] });
    expect((await simulate('agent:nobody', { rules: [denies('*')] })).body).toMatchObject({ looked_at: 0, changed: [] });
  });

  test('sees a shorter wait and a higher risk as a change, too', async () => {
    const rules = RULES.map((rule) => (rule.id === 'refund_payment.asks' ? { ...rule, timeout_seconds: 60 } : rule.id === 'sandbox.workspace.v1' ? { ...rule, risk: { level: 'high' } } : rule));
    expect(changedOf(await simulate('workspace:w1', { rules }))).toEqual([[ids[2], 'ask', 'ask'], [ids[1], 'ask', 'ask'], [ids[0], 'allow', 'allow']]);
  });

  test('looks at as many as it is told to', async () => {
    expect((await simulate('workspace:w1', { rules: [] }, { last: 2 })).body).toMatchObject({ looked_at: 2 });
    for (const last of [0, 201, 1.5, '5']) expect(await simulate('workspace:w1', { rules: [] }, { last })).toMatchObject({ status: 400, body: { field: 'last' } });
  });

  test('says of how many it cannot tell, since their arguments are gone', async () => {
    const gone = ports.vault.readArguments;
    ports.vault.readArguments = async (id) => (id === ids[1] ? undefined : gone(id));
    expect((await simulate('workspace:w1', { rules: [denies('*')] })).body).toMatchObject({ looked_at: 3, without_arguments: 1 });
  });

  test('changes nothing: nothing is appended, written, started or told', async () => {
    const before = [inject.seen.length, ports.eventLog.texts(), ports.policies.log.texts(), ports.bus.taken.length];
    await simulate('workspace:w1', { rules: [denies('*')] });
    expect([inject.seen.length, ports.eventLog.texts(), ports.policies.log.texts(), ports.bus.taken.length]).toEqual(before);
    expect((await stage.propose('read_customer', {})).body.status).toBe('granted');
  });

  test('gives away no arguments', async () => {
    expect(JSON.stringify((await simulate('workspace:w1', { rules: [denies('*')] })).body)).not.toContain('5000');
  });
});

describe('is refused', () => {
  test.each(['user:ana', 'user:olga', 'agent:billing-bot'])('to %s', async (as) => {
    expect(await simulate('workspace:w1', { rules: [] }, {}, as)).toMatchObject({ status: 403, body: { code: 'not_an_administrator' } });
  });

  test.each<[string, unknown, object]>([
    ['workspace:w1', { rules: [asks('x', ['user:nobody'])] }, { status: 422, code: 'policy_invalid', field: 'rules.0.approvers' }],
    ['workspace:w1', { agent_mode: 'strict' }, { status: 422, field: 'agent_mode' }],
    ['workspace:w1', { rules: [denies('x', { when: '(((' })] }, { status: 422, field: 'rules.0.when' }],
    ['nowhere', {}, { status: 400, field: 'scope' }],
    ['workspace:w1', [], { status: 400, field: 'document' }],
  ])('%s with %j', async (scope, document, body) => {
    expect((await simulate(scope, document)).body).toMatchObject(body);
  });
});
