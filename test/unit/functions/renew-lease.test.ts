// Leases: what waits is closed when whoever asked is gone, and nothing else ever comes of them.
import { beforeEach, describe, expect, test } from 'vitest';
import { plusSeconds } from '../../../lambdas/domain/times.ts';
import { instead } from '../../support/crash-points.ts';
import { corridor, type Reply, type ReplyBody } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { START_OF_TEST } from '../../support/in-memory-system.ts';

const BOT = 'agent:billing-bot';
let ports: Ports;
let stage: ReturnType<typeof corridor>;

beforeEach(() => {
  ports = inMemoryPorts();
  stage = corridor({ ports });
});

const leased = async (tool = 'refund_payment', more: Readonly<Record<string, unknown>> = {}): Promise<ReplyBody> => {
  const { body } = await stage.propose(tool, { amount: 5 }, { lease_seconds: 60, ...more });
  await stage.quiet();
  return body;
};
const renew = ({ operation_id }: ReplyBody, as = BOT): Promise<Reply> => stage.http({ route: 'POST /agent/operations/{id}/renew', as, id: operation_id, body: {} });
const after = (seconds: number): Promise<void> => ports.clock.set(plusSeconds(START_OF_TEST, seconds));
const GONE = { status: 'cancelled', decision: { by: 'system:clock', reason: 'requester_gone' } };

describe('a lease', () => {
  test('that ends cancels what is pending, and the execution is woken', async () => {
    const body = await leased();
    await after(60);
    await stage.quiet();
    expect(await stage.operationOf(body.operation_id)).toMatchObject(GONE);
    expect(ports.waker.wakes).toContain('AwaitDecision failure');
    expect(await stage.vote(body, 'user:ana')).toMatchObject({ status: 409, body: { code: 'already_decided' } });
    await stage.toTheEnd();
    expect(ports.invoker.ledger).toEqual([]);
    expect(await ports.leases.leaseUntil(body.operation_id)).toBeUndefined();
  });

  test('that is renewed goes on from then, again and again', async () => {
    const body = await leased();
    for (const second of [59, 118, 177]) {
      await after(second);
      expect(await renew(body)).toMatchObject({ status: 200, body: { operation_id: body.operation_id, lease_until: plusSeconds(START_OF_TEST, second + 60) } });
      await stage.quiet();
    }
    await after(236);
    await stage.quiet();
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'pending' });
    await after(237);
    await stage.quiet();
    expect(await stage.operationOf(body.operation_id)).toMatchObject(GONE);
  });

  test('is in event 1 and in no other event', async () => {
    const body = await leased();
    await renew(body);
    expect((await stage.eventsOf(body.operation_id)).map(({ data }) => 'lease_seconds' in data && data.lease_seconds)).toEqual([60]);
  });

  test('is not renewed by reading, nor by proposing the same again', async () => {
    const body = await leased('refund_payment', { call_id: 'call-1' });
    await after(59);
    await stage.http({ route: 'GET /agent/operations/{id}', as: BOT, id: body.operation_id });
    await leased('refund_payment', { call_id: 'call-1' });
    await after(60);
    await stage.quiet();
    expect(await stage.operationOf(body.operation_id)).toMatchObject(GONE);
  });

  test('is only what was asked for: without one an operation waits its time', async () => {
    const { body } = await stage.propose('refund_payment', { amount: 5 });
    await stage.quiet();
    await after(3599);
    await stage.quiet();
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'pending' });
  });

  test.each([4, 3601, 0, -1, 5.5, '60'])('of %s seconds is refused', async (lease_seconds) => {
    expect(await stage.propose('refund_payment', {}, { lease_seconds })).toMatchObject({ status: 400, body: { code: 'invalid_request', field: 'lease_seconds' } });
  });

  test('never outlives the time to decide', async () => {
    const body = await leased();
    for (let second = 50; second < 3600; second += 50) {
      await after(second);
      await renew(body);
    }
    await after(3600);
    await stage.quiet();
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'expired' });
  });
});

describe('an approval', () => {
  test('in time is an approval, and the lease then says nothing more', async () => {
    const body = await leased();
    await after(59);
    expect(await stage.vote(body, 'user:ana')).toMatchObject({ status: 200, body: { status: 'granted' } });
    await after(200);
    await stage.quiet();
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'completed' });
    expect(await ports.leases.leaseUntil(body.operation_id)).toBeUndefined();
  });

  test.each([
    ['where the sweep has not been yet', async () => undefined],
    ['where the relay never wrote the lease', async (body: ReplyBody) => ports.leases.endLease(body.operation_id)],
  ])('after the end of the lease is refused, %s, and the operation is cancelled there and then', async (_, before) => {
    const body = await leased();
    await before(body);
    await after(60);
    expect(await stage.vote(body, 'user:ana')).toMatchObject({ status: 409, body: { code: 'already_decided', operation_status: 'cancelled' } });
    expect(await stage.operationOf(body.operation_id)).toMatchObject(GONE);
    await stage.toTheEnd();
    expect(ports.invoker.ledger).toEqual([]);
  });

  test('of two that a quorum needs is no vote any more', async () => {
    const body = await leased('wire_transfer');
    await after(61);
    expect((await stage.vote(body, 'user:ana')).status).toBe(409);
    expect(await stage.operationOf(body.operation_id)).toMatchObject(GONE);
  });

  test('by somebody who may not approve changes nothing, lease or not', async () => {
    const body = await leased();
    await after(60);
    expect(await stage.vote(body, 'user:olga')).toMatchObject({ status: 403 });
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'pending' });
  });

  test('that is a denial is a denial', async () => {
    const body = await leased();
    await after(60);
    expect(await stage.vote(body, 'user:ana', 'deny')).toMatchObject({ status: 200, body: { status: 'denied' } });
  });
});

describe('a renewal', () => {
  test.each<[string, (body: ReplyBody) => Promise<unknown>, string, number, string]>([
    ['after the end', async () => after(60), BOT, 410, 'operation_expired'],
    ['after the end, where the lease was never written', async (body) => [await ports.leases.endLease(body.operation_id), await after(60)], BOT, 410, 'operation_expired'],
    ['of what was approved', (body) => stage.vote(body, 'user:ana'), BOT, 409, 'already_decided'],
    ['of what was cancelled', (body) => stage.http({ route: 'POST /agent/operations/{id}/cancel', as: BOT, id: body.operation_id, body: {} }), BOT, 409, 'already_decided'],
    ['by another program', async () => undefined, 'agent:other-bot', 404, 'operation_not_found'],
    ['by an approver', async () => undefined, 'user:ana', 404, 'operation_not_found'],
    ['by the owner of the agent', async () => undefined, 'user:olga', 404, 'operation_not_found'],
  ])('%s is refused and moves nothing', async (_, before, as, status, code) => {
    const body = await leased();
    await before(body);
    const lease = await ports.leases.leaseUntil(body.operation_id);
    expect(await renew(body, as)).toMatchObject({ status, body: { code } });
    expect(await ports.leases.leaseUntil(body.operation_id)).toBe(lease);
  });

  test('of what has no lease is refused', async () => {
    const { body } = await stage.propose('refund_payment', {});
    expect(await renew(body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('before the relay wrote the lease is kept', async () => {
    const { body } = await stage.propose('refund_payment', { amount: 5 }, { lease_seconds: 60 });
    await after(30);
    expect((await renew(body)).status).toBe(200);
    await stage.quiet();
    await after(89);
    await stage.quiet();
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'pending' });
  });

  test('that the index does not show yet is seen by the sweep in the row itself', async () => {
    const body = await leased();
    await after(59);
    await renew(body);
    await after(60);
    instead(ports.leases, 'lapsedLeases', () => async () => [body.operation_id]);
    await stage.relay({ sweep: true });
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'pending' });
  });

  test('that a stalled relay leaves behind of a closed operation is taken away by the sweep', async () => {
    const body = await leased();
    await stage.vote(body, 'user:ana', 'deny');
    await stage.quiet();
    await ports.leases.beginLease(body.operation_id, plusSeconds(START_OF_TEST, 1));
    await after(61);
    await stage.quiet();
    expect(await ports.leases.leaseUntil(body.operation_id)).toBeUndefined();
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'denied' });
  });
});
