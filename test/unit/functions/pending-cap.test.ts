// How many operations one agent may have waiting for people in one workspace: never more, whoever comes together, and
// what is left behind by the dead takes no room for good.
import { beforeEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../../lambdas/domain/limits.ts';
import { pendingList } from '../../../lambdas/domain/open-lists.ts';
import { instead, unavailable } from '../../support/crash-points.ts';
import { corridor, type Reply } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { withinTurns } from '../../support/turns.ts';

const MOST = 3;
const LIST = pendingList({ org_id: 'acme', workspace_id: 'w1', agent_id: 'billing-bot' });
let ports: Ports;
let stage: ReturnType<typeof corridor>;

beforeEach(() => {
  ports = inMemoryPorts();
  stage = corridor({ ports, max_pending_per_agent: MOST });
});

const propose = (amount: number, more: Readonly<Record<string, unknown>> = {}): Promise<Reply> => stage.propose('refund_payment', { amount }, more);
const fill = async (): Promise<readonly Reply[]> => Promise.all(Array.from({ length: MOST }, (_, index) => propose(index)));
const pendingNow = async (): Promise<number> => {
  const ids = new Set(ports.eventLog.texts().map((text) => (JSON.parse(text) as { subject: string }).subject));
  return (await Promise.all([...ids].map((id) => stage.operationOf(id)))).filter(({ status }) => status === 'pending').length;
};

describe('one call more than there is room for', () => {
  test('is refused, may be tried later, and nothing is stored of it', async () => {
    await fill();
    const before = [ports.eventLog.texts().length, ports.vault.argumentsKept().size, ports.openOperations.places().length];
    expect(await propose(99)).toMatchObject({ status: 429, body: { code: 'too_many_pending', most_pending: MOST, retryable: true } });
    expect([ports.eventLog.texts().length, ports.vault.argumentsKept().size, ports.openOperations.places().length]).toEqual(before);
  });

  test.each<[string, (operation: Reply['body']) => Promise<unknown>]>([
    ['approved', (body) => stage.vote(body, 'user:ana')],
    ['denied', (body) => stage.vote(body, 'user:ana', 'deny')],
    ['cancelled', (body) => stage.http({ route: 'POST /agent/operations/{id}/cancel', as: 'agent:billing-bot', id: body.operation_id, body: {} })],
    ['expired', () => ports.clock.advance(3601_000)],
  ])('has room once another is %s, and the relay told', async (_, end) => {
    const [first] = await fill();
    await stage.relay({ sweep: true });
    await end(first?.body ?? expect.fail('nothing was proposed'));
    await stage.relay({ sweep: true });
    expect(await propose(99)).toMatchObject({ status: 202 });
  });

  test('has room at once where the relay is late: a full list is compared with the log', async () => {
    const [first] = await fill();
    await stage.vote(first?.body ?? expect.fail('nothing was proposed'), 'user:ana', 'deny');
    expect(await propose(99)).toMatchObject({ status: 202 });
    expect(await propose(100)).toMatchObject({ status: 429 });
  });

  test('under the call_id of one that waits is that one, however full it is', async () => {
    const { body } = await propose(1, { call_id: 'call-1' });
    await Promise.all([propose(2), propose(3)]);
    expect(await propose(1, { call_id: 'call-1' })).toMatchObject({ status: 202, body: { operation_id: body.operation_id } });
    expect(await propose(1)).toMatchObject({ status: 202, body: { operation_id: body.operation_id } });
  });

  test('finishes under its call_id once there is room', async () => {
    const [first] = await fill();
    expect(await propose(99, { call_id: 'late' })).toMatchObject({ status: 429 });
    await stage.vote(first?.body ?? expect.fail('nothing was proposed'), 'user:ana', 'deny');
    expect(await propose(99, { call_id: 'late' })).toMatchObject({ status: 202 });
  });
});

describe('room is taken only by what people are asked about', () => {
  test.each([
    ['read_customer', 200],
    ['drop_table', 403],
  ])('%s needs none', async (tool, status) => {
    await fill();
    expect((await stage.propose(tool, {})).status).toBe(status);
    expect(await ports.openOperations.listed(LIST, 9)).toHaveLength(MOST);
  });

  test('another agent in another workspace has its own', async () => {
    await fill();
    const theirs = { scope: { workspace_id: 'w9', agent_id: 'other-bot' } };
    expect(await stage.propose('refund_payment', {}, theirs, 'agent:other-bot')).toMatchObject({ status: 202 });
  });
});

describe('any that come together', () => {
  test.each(Array.from({ length: 40 }, (_, seed) => seed))('are never more than there is room for, in whatever order they go on (%i)', async (seed) => {
    withinTurns(ports.openOperations, ['join', 'listed', 'leave'], seed);
    withinTurns(ports.eventLog, ['append', 'load'], seed + 1);
    const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => propose(index)));
    for (const { status } of replies) expect([202, 429]).toContain(status);
    expect(replies.filter(({ status }) => status === 202)).toHaveLength(await pendingNow());
    expect(await pendingNow()).toBeLessThanOrEqual(MOST);
    expect(await ports.openOperations.listed(LIST, 99)).toHaveLength(await pendingNow());
  });

  test('as one call keep their place, whichever of them is refused', async () => {
    await Promise.all([propose(1), propose(2)]);
    const replies = await Promise.all(Array.from({ length: 6 }, () => propose(3)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set((await ports.openOperations.listed(LIST, 99)).map(({ operation_id }) => operation_id)).size).toBe(MOST);
  });
});

describe('a place whose operation was never stored', () => {
  const orphan = async (): Promise<void> => {
    const mend = instead(ports.vault, 'putArguments', () => unavailable);
    expect((await propose(0)).status).toBe(503);
    mend();
    await Promise.all([propose(1), propose(2)]);
  };

  test('is kept while its request may still be on its way', async () => {
    await orphan();
    expect(await propose(99)).toMatchObject({ status: 429 });
  });

  test('is given up afterwards', async () => {
    await orphan();
    await ports.clock.advance(LIMITS.place_grace_seconds * 1000);
    expect(await propose(99)).toMatchObject({ status: 202 });
    expect(await ports.openOperations.listed(LIST, 99)).toHaveLength(MOST);
  });
});
