// What time and people do to a call that waits, through the product's own handlers: reminders, escalation, more time.
import { beforeEach, describe, expect, test } from 'vitest';
import { corridor, type ReplyBody } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { asks, testPolicies } from '../../support/port-registry.ts';
import { plusSeconds } from '../../../lambdas/domain/times.ts';

let ports: Ports;
let stage: ReturnType<typeof corridor>;
let started = '';
const RULE = asks('refund_payment', ['user:ana'], {
  id: 'in-time',
  extendable_to_seconds: 7200,
  reminders: [{ fraction: 0.5 }],
  escalation: [{ after_seconds: 2700, approvers: ['group:finance'] }],
});

beforeEach(() => {
  ports = inMemoryPorts(undefined, testPolicies([], { 'workspace:w1': { rules: [RULE] } }));
  stage = corridor({ ports });
  started = ports.clock.now();
});

const proposed = async (): Promise<ReplyBody> => {
  const { body } = await stage.propose('refund_payment', { amount: 5 });
  await stage.quiet();
  return body;
};
const at = async (second: number): Promise<void> => {
  await ports.clock.set(plusSeconds(started, second));
  await stage.quiet();
};
const extend = (body: ReplyBody, as: string, wish: Readonly<Record<string, unknown>>) => stage.http({ route: 'POST /api/operations/{id}/extend', as, id: body.operation_id, body: wish });
const typesOf = async ({ operation_id }: ReplyBody): Promise<readonly string[]> => (await stage.eventsOf(operation_id)).map(({ type }) => type);
const inboxOf = async (as: string): Promise<readonly string[]> => ((await stage.http({ route: 'GET /api/inbox', as })).body as unknown as { operations: { operation_id: string }[] }).operations.map(({ operation_id }) => operation_id);
const toldOf = (): readonly string[] => ports.bus.taken.map(({ event }) => event.type);

describe('a call that nobody answers', () => {
  test('is reminded of, escalated and expired, each once, under one task token (158)', async () => {
    const body = await proposed();
    await at(1800);
    await at(1801);
    expect(await inboxOf('user:ben')).toEqual([]);
    await at(2700);
    await at(2701);
    expect(await inboxOf('user:ben')).toEqual([body.operation_id]);
    expect(ports.waker.tokens).toHaveLength(1);
    await stage.toTheEnd();
    expect(await typesOf(body)).toEqual(['approval.requested', 'approval.reminded', 'approval.escalated', 'approval.expired']);
    expect(toldOf()).toEqual(['approval.requested', 'approval.reminded', 'approval.escalated', 'approval.expired']);
  });

  test('is decided by those whom the escalation added, after the reminder, and runs', async () => {
    const body = await proposed();
    await at(1800);
    await at(2700);
    expect((await stage.vote(body, 'user:ben')).body).toMatchObject({ status: 'granted', decision: { votes: [{ subject: 'user:ben', via: 'group:finance' }] } });
    await stage.toTheEnd();
    expect((await typesOf(body)).slice(-2)).toEqual(['tool.started', 'tool.completed']);
  });

  test('is kept by the sweep alone, once each, also where two look at the same time', async () => {
    const body = await proposed();
    await ports.clock.set(plusSeconds(started, 2750));
    await Promise.all([stage.relay({ sweep: true }), stage.relay({ sweep: true })]);
    await stage.quiet();
    expect((await typesOf(body)).toSorted()).toEqual(['approval.escalated', 'approval.reminded', 'approval.requested']);
  });
});

describe('more time', () => {
  test('is given by an approver: what was to expire waits on, and the same execution goes on', async () => {
    const body = await proposed();
    const until = plusSeconds(started, 7200);
    expect(await extend(body, 'user:ana', { expires_at: until, comment: 'I am on a train' })).toMatchObject({ status: 200, body: { status: 'pending', expires_at: until } });
    await at(3700);
    expect((await stage.operationOf(body.operation_id)).status).toBe('pending');
    expect(ports.starter.starts).toHaveLength(1);
    expect((await stage.vote(body, 'user:ana')).body).toMatchObject({ status: 'granted' });
    await stage.toTheEnd();
    expect((await typesOf(body)).at(-1)).toBe('tool.completed');
  });

  test('may be said in any zone and to the second', async () => {
    const body = await proposed();
    const local = `${plusSeconds(started, 7200 - 3600).slice(0, 19)}-01:00`;
    expect((await extend(body, 'user:ana', { expires_at: local })).body).toMatchObject({ expires_at: plusSeconds(started, 7200) });
  });

  test.each<[string, string, Readonly<Record<string, unknown>>, number, string]>([
    ['a time that is none', 'user:ana', { expires_at: 'tomorrow' }, 400, 'invalid_request'],
    ['no time', 'user:ana', {}, 400, 'invalid_request'],
    ['a field that nobody knows', 'user:ana', { expires_at: '2026-12-01T09:00:00Z', seconds: 5 }, 400, 'invalid_request'],
    ['a comment of more than 2 KB', 'user:ana', { expires_at: '2099-12-01T09:00:00Z', comment: 'x'.repeat(2049) }, 400, 'invalid_request'],
    ['a time that policy does not give', 'user:ana', { expires_at: '2099-01-01T00:00:00Z' }, 403, 'extension_not_allowed'],
    ['a stranger', 'user:ben', { expires_at: '2099-01-01T00:00:00Z' }, 404, 'operation_not_found'],
    ['the owner', 'user:olga', { expires_at: '2099-01-01T00:00:00Z' }, 403, 'own_operation'],
  ])('is refused for %s, and changes nothing', async (_, as, wish, status, code) => {
    const body = await proposed();
    expect(await extend(body, as, wish)).toMatchObject({ status, body: { code } });
    expect(await typesOf(body)).toEqual(['approval.requested']);
  });
});
