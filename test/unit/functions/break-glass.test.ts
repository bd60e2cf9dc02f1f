// Two people in place of the approvers, and a third afterwards, through the product's own handlers.
import { beforeEach, describe, expect, test } from 'vitest';
import { corridor, type ReplyBody } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { asks, denies, REGISTRY_INPUT, testPolicies, testRegistry } from '../../support/port-registry.ts';

let ports: Ports;
let stage: ReturnType<typeof corridor>;
const PEOPLE = ['gil', 'hal', 'sue', 'tim'].map((name) => ({ subject: `user:${name}`, principals: [`oidc:https://issuer.example#${name}`] }));
const GLASS = { group: 'group:oncall', review_by: 'group:security', within_seconds: 600 };
const POLICIES = testPolicies([], { 'org:acme': { break_glass: GLASS }, 'workspace:w1': { rules: [asks('refund_payment', ['user:ana'])] } });

beforeEach(() => {
  const groups = [...REGISTRY_INPUT.groups ?? [], { id: 'group:oncall', members: ['user:gil', 'user:hal', 'user:olga'] }, { id: 'group:security', members: ['user:sue', 'user:hal'] }];
  ports = inMemoryPorts(testRegistry({ people: [...REGISTRY_INPUT.people, ...PEOPLE], groups }), POLICIES);
  stage = corridor({ ports });
});

const proposed = async (amount = 5): Promise<ReplyBody> => {
  const { body } = await stage.propose('refund_payment', { amount });
  await stage.quiet();
  return body;
};
const breaks = ({ operation_id, arguments_hash }: ReplyBody, as: string, more: Readonly<Record<string, unknown>> = {}) =>
  stage.http({ route: 'POST /api/operations/{id}/break-glass', as, id: operation_id, body: { arguments_hash, reason: 'payments are down', ticket: 'INC-7', ...more } });
const reviews = ({ operation_id }: ReplyBody, as: string, comment = 'it was needed') => stage.http({ route: 'POST /api/operations/{id}/break-glass/review', as, id: operation_id, body: { comment } });
const typesOf = async ({ operation_id }: ReplyBody): Promise<readonly string[]> => (await stage.eventsOf(operation_id)).map(({ type }) => type);
const inboxOf = async (as: string): Promise<readonly object[]> => ((await stage.http({ route: 'GET /api/inbox', as })).body as unknown as { operations: object[] }).operations;

describe('breaking the glass', () => {
  test('has the tool run once two members have said why, and leaves an item until a third has looked', async () => {
    const body = await proposed();
    expect(await breaks(body, 'user:gil')).toMatchObject({ status: 200, body: { status: 'pending', break_glass: { by: [{ subject: 'user:gil', ticket: 'INC-7' }] } } });
    await stage.quiet();
    expect(ports.invoker.ledger).toEqual([]);
    expect(await breaks(body, 'user:hal')).toMatchObject({ status: 200, body: { status: 'granted', decision: { reason: 'break_glass' } } });
    await stage.toTheEnd();
    expect(await typesOf(body)).toEqual(['approval.requested', 'approval.break_glass_asked', 'approval.break_glass', 'tool.started', 'tool.completed']);
    expect(ports.invoker.ledger).toHaveLength(1);
    expect(await inboxOf('user:sue')).toMatchObject([{ operation_id: body.operation_id, review: 'break_glass' }]);
    expect(await inboxOf('user:ana')).toEqual([]);

    await ports.clock.advance(30 * 24 * 3600_000);
    expect(await inboxOf('user:sue')).toHaveLength(1);
    expect(await reviews(body, 'user:hal')).toMatchObject({ status: 403, body: { code: 'own_operation' } });
    expect(await reviews(body, 'user:sue')).toMatchObject({ status: 200, body: { status: 'completed', break_glass: { reviewed: { by: 'user:sue', comment: 'it was needed' } } } });
    await stage.quiet();
    expect(await inboxOf('user:sue')).toEqual([]);
    expect((await typesOf(body)).at(-1)).toBe('approval.break_glass_reviewed');
  });

  test('is told to subscribers as of high severity, with both people, the reason and the ticket', async () => {
    const body = await proposed();
    await breaks(body, 'user:gil');
    await breaks(body, 'user:hal', { reason: 'I see it too' });
    await stage.quiet();
    const told = ports.bus.taken.find(({ event }) => event.type === 'approval.break_glass')?.event;
    expect(told?.data).toMatchObject({ severity: 'high', with: { subject: 'user:gil', reason: 'payments are down', ticket: 'INC-7' }, by: { subject: 'user:hal', reason: 'I see it too' }, review_by: 'group:security' });
  });

  test('lets its people see the operation, who could not before, and nobody else', async () => {
    const body = await proposed();
    const seenBy = async (as: string): Promise<number> => (await stage.http({ route: 'GET /api/operations/{id}', as, id: body.operation_id })).status;
    expect([await seenBy('user:gil'), await seenBy('user:tim'), await seenBy('user:sue')]).toEqual([200, 404, 404]);
    await breaks(body, 'user:gil');
    await breaks(body, 'user:hal');
    expect([await seenBy('user:tim'), await seenBy('user:sue')]).toEqual([404, 200]);
  });

  test('is never over a policy that denies by now', async () => {
    const body = await proposed();
    await breaks(body, 'user:gil');
    await ports.policies.seed('workspace:w1', { rules: [denies('refund_payment')] });
    expect(await breaks(body, 'user:hal')).toMatchObject({ status: 403, body: { code: 'policy_denied' } });
  });

  test.each<[string, 'workspace:w1' | 'agent:billing-bot']>([['its workspace', 'workspace:w1'], ['its agent', 'agent:billing-bot']])('is forbidden where %s says never, also since', async (_, scope) => {
    const body = await proposed();
    await ports.policies.seed(scope, { ...(scope === 'workspace:w1' ? { rules: [asks('refund_payment', ['user:ana'])] } : {}), break_glass: 'never' });
    expect(await breaks(body, 'user:gil')).toMatchObject({ status: 403, body: { code: 'break_glass_not_allowed' } });
    expect(await breaks(await proposed(6), 'user:ana')).toMatchObject({ status: 403, body: { code: 'break_glass_not_allowed' } });
  });

  test.each<[string, string, Readonly<Record<string, unknown>>, number, string]>([
    ['an approver', 'user:ana', {}, 403, 'not_an_approver'],
    ['a stranger', 'user:tim', {}, 404, 'operation_not_found'],
    ['the owner, though a member', 'user:olga', {}, 403, 'own_operation'],
    ['no reason', 'user:gil', { reason: ' ' }, 400, 'invalid_request'],
    ['no ticket', 'user:gil', { ticket: '' }, 400, 'invalid_request'],
    ['a field that nobody knows (130)', 'user:gil', { on_behalf: 'user:hal' }, 400, 'invalid_request'],
  ])('is refused for %s, and changes nothing', async (_, as, more, status, code) => {
    const body = await proposed();
    expect(await breaks(body, as, more)).toMatchObject({ status, body: { code } });
    expect(await typesOf(body)).toEqual(['approval.requested']);
  });

  test('is reviewed with words', async () => {
    const body = await proposed();
    await breaks(body, 'user:gil');
    await breaks(body, 'user:hal');
    expect(await reviews(body, 'user:sue', '  ')).toMatchObject({ status: 400, body: { code: 'invalid_request', field: 'comment' } });
    expect(await reviews(body, 'user:ana')).toMatchObject({ status: 403, body: { code: 'not_an_approver' } });
  });
});
