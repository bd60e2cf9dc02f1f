// Runs: what one has open, whether it waits, and how it ends with everything in it, whatever comes at the same moment.
import { beforeEach, describe, expect, test } from 'vitest';
import { instead, unavailable } from '../../support/crash-points.ts';
import { corridor, type Reply } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { withinTurns } from '../../support/turns.ts';

const BOT = 'agent:billing-bot';
let ports: Ports;
let stage: ReturnType<typeof corridor>;

beforeEach(() => {
  ports = inMemoryPorts();
  stage = corridor({ ports });
});

const propose = (amount: number, { run_id = 'run-1', tool = 'refund_payment', ...more }: Readonly<Record<string, unknown>> & { run_id?: string; tool?: string } = {}): Promise<Reply> =>
  stage.propose(tool, { amount }, { scope: { workspace_id: 'w1', agent_id: 'billing-bot', run_id }, ...more });
const look = (run_id = 'run-1', as = BOT): Promise<Reply> => stage.http({ route: 'GET /agent/runs/{run_id}', as, path: { run_id } });
const cancel = (run_id = 'run-1', body: unknown = {}, as = BOT): Promise<Reply> => stage.http({ route: 'POST /agent/runs/{run_id}/cancel', as, path: { run_id }, body });
const told = ({ body }: Reply): unknown => [body.status, (body['operations'] as { operation_id: string; status: string }[]).map(({ status }) => status).sort()];

describe('a run', () => {
  test('waits while any of its operations does, and goes on when none does', async () => {
    const [first, second] = [await propose(1), await propose(2)];
    expect(told(await look())).toEqual(['waiting_for_approval', ['pending', 'pending']]);
    await stage.vote(first.body, 'user:ana');
    expect(told(await look())).toEqual(['waiting_for_approval', ['granted', 'pending']]);
    await stage.vote(second.body, 'user:ana', 'deny');
    expect(told(await look())).toEqual(['running', ['granted']]);
    await stage.toTheEnd();
    expect(told(await look())).toEqual(['running', []]);
  });

  test('describes what is open, oldest first, and nothing of its arguments but the summary', async () => {
    const { body } = await propose(1, { tool: 'refund_payment' });
    await ports.clock.advance(1000);
    await propose(2);
    const { status, body: run } = await look();
    expect(status).toBe(200);
    expect(run).toMatchObject({ run_id: 'run-1', operations: [{ operation_id: body.operation_id, status: 'pending', tool: 'refund_payment', summary: expect.any(String) as string, arguments_hash: body.arguments_hash, expires_at: body['expires_at'] }, {}] });
    expect(Object.keys((run['operations'] as object[])[0] ?? {}).sort()).toEqual(['arguments_hash', 'expires_at', 'operation_id', 'requested_at', 'status', 'summary', 'tool']);
  });

  test.each([
    ['nobody proposed in', 'run-2', BOT],
    ['is another caller’s', 'run-1', 'agent:other-bot'],
    ['has too long a name', 'x'.repeat(129), BOT],
  ])('that %s is not found', async (_, run_id, as) => {
    await propose(1);
    expect(await look(run_id, as)).toMatchObject({ status: 404, body: { code: 'run_not_found' } });
  });

  test('that proposed only what was denied by policy is a run all the same', async () => {
    await propose(1, { tool: 'drop_table' });
    expect(told(await look())).toEqual(['running', []]);
  });

  test('does not show what its list still holds of an operation that ended, and reading takes nothing away', async () => {
    const { body } = await propose(1);
    await stage.vote(body, 'user:ana', 'deny');
    const places = ports.openOperations.places();
    expect(told(await look())).toEqual(['running', []]);
    expect(ports.openOperations.places()).toEqual(places);
  });
});

describe('a run that is cancelled', () => {
  test('ends all it has open, says why, and wakes what waited', async () => {
    const [pending, granted] = [await propose(1), await propose(2)];
    await stage.vote(granted.body, 'user:ana');
    await stage.quiet();
    const next = await propose(3);
    expect(told(await cancel('run-1', { reason: 'the user left' }))).toEqual(['cancelled', []]);
    for (const { body } of [pending, next]) expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'cancelled', decision: { by: BOT, reason: 'cancelled_on_request', comment: 'the user left' } });
    expect(await stage.operationOf(granted.body.operation_id)).toMatchObject({ status: 'completed' });
    await stage.toTheEnd();
    expect(ports.invoker.ledger).toHaveLength(1);
    expect(ports.openOperations.places()).toEqual([]);
    expect(told(await look())).toEqual(['cancelled', []]);
  });

  test('notes the wish on what is running, and lists it until it ends', async () => {
    const { body } = await propose(1);
    await stage.vote(body, 'user:ana');
    let during: Reply | undefined;
    instead(ports.invoker, 'invoke', (before) => async (...args) => ((during = await cancel()), before(...args)));
    await stage.toTheEnd();
    expect(during?.body).toMatchObject({ status: 'cancelled', operations: [{ operation_id: body.operation_id, status: 'running', cancel_requested: true }] });
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'unknown', reason: 'cancel_requested' });
  });

  test.each([{}, { call_id: 'call-9' }])('takes no further proposal, and stores nothing of it', async (more) => {
    await propose(1);
    await cancel();
    const before = ports.eventLog.texts().length;
    for (const tool of ['refund_payment', 'read_customer', 'drop_table']) expect(await propose(2, { tool, ...more, ...('call_id' in more ? { call_id: tool } : {}) })).toMatchObject({ status: 409, body: { code: 'run_cancelled', retryable: false } });
    expect(ports.eventLog.texts()).toHaveLength(before);
    expect((await propose(2, { run_id: 'run-2' })).status).toBe(202);
  });

  test('before it proposed anything takes no first proposal: it may be on its way', async () => {
    expect(told(await cancel())).toEqual(['cancelled', []]);
    expect(await propose(1)).toMatchObject({ status: 409, body: { code: 'run_cancelled' } });
  });

  test('of another caller is another run', async () => {
    await propose(1);
    await cancel('run-1', {}, 'agent:other-bot');
    expect(told(await look())).toEqual(['waiting_for_approval', ['pending']]);
  });

  test('twice is cancelled once, by the first word', async () => {
    await propose(1);
    await cancel('run-1', { reason: 'first' });
    const before = ports.eventLog.texts().length;
    expect(told(await cancel('run-1', { reason: 'second' }))).toEqual(['cancelled', []]);
    expect(ports.eventLog.texts()).toHaveLength(before);
  });

  test('and could not end all of them tries each, and is done when it is repeated', async () => {
    const replies = [await propose(1), await propose(2), await propose(3)];
    const mend = instead(ports.eventLog, 'append', (before) => async (...args) => (args[0].event.subject === replies[1]?.body.operation_id ? unavailable() : before(...args)));
    expect((await cancel()).status).toBe(503);
    expect((await Promise.all(replies.map(({ body }) => stage.operationOf(body.operation_id)))).map(({ status }) => status)).toEqual(['cancelled', 'pending', 'cancelled']);
    mend();
    expect(told(await cancel())).toEqual(['cancelled', []]);
  });

  test('answers the same call_id with what became of it', async () => {
    const { body } = await propose(1, { call_id: 'call-1' });
    await cancel();
    expect(await propose(1, { call_id: 'call-1' })).toMatchObject({ status: 200, body: { operation_id: body.operation_id, status: 'cancelled' } });
  });
});

describe('a cancel and a proposal at the same moment', () => {
  test.each(Array.from({ length: 60 }, (_, seed) => seed))('leave nothing open, in whatever order they go on (%i)', async (seed) => {
    withinTurns(ports.openOperations, ['join', 'listed', 'run', 'cancelRun', 'beginRun'], seed);
    withinTurns(ports.eventLog, ['append', 'load'], seed + 1);
    const replies = await Promise.all([propose(1), propose(2, { tool: 'read_customer' }), cancel(), propose(3)]);
    const ids = new Set(ports.eventLog.texts().map((text) => (JSON.parse(text) as { subject: string }).subject));
    for (const id of ids) expect(['cancelled', 'refused']).toContain((await stage.operationOf(id)).status);
    for (const { status } of replies) expect([200, 202, 409]).toContain(status);
    await stage.toTheEnd();
    expect(ports.invoker.ledger).toEqual([]);
  });

  test('leave nothing open where the opener died before it could look for the mark: the relay looks', async () => {
    // Listed by the canceller before the place was taken, stored after; then the opener's process ends.
    let looks = 0;
    const mend = instead(ports.runs, 'run', (before) => async (run) => {
      looks += 1;
      if (looks === 1) return before(run);
      await cancel();
      return unavailable();
    });
    instead(ports.openOperations, 'listed', (before) => async (list, most) => (most === Infinity ? [] : before(list, most)));
    expect((await propose(1)).status).toBe(503);
    mend();
    const [text = ''] = ports.eventLog.texts();
    const { subject } = JSON.parse(text) as { subject: string };
    expect(await stage.operationOf(subject)).toMatchObject({ status: 'pending' });
    await stage.quiet();
    expect(await stage.operationOf(subject)).toMatchObject({ status: 'cancelled', decision: { by: BOT } });
    expect(ports.openOperations.places()).toEqual([]);
  });
});
