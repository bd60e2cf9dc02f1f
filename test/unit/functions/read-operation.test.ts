import { beforeEach, describe, expect, test } from 'vitest';
import type { OperationEvent } from '../../../lambdas/domain/events.ts';
import { corridor, type ReplyBody } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';

let ports: Ports;
let stage: ReturnType<typeof corridor>;

beforeEach(() => {
  ports = inMemoryPorts();
  stage = corridor({ ports });
});

const proposed = async (tool = 'refund_payment', args: unknown = { amount: 5 }): Promise<ReplyBody> => (await stage.propose(tool, args)).body;

function read(id: string, as: string, query?: Readonly<Record<string, string>>) {
  const prefix = as.startsWith('user:') ? '/api' : '/agent';
  return stage.http({ route: `GET ${prefix}/operations/{id}`, as, id, ...(query === undefined ? {} : { query }) });
}

function readEvents(id: string, as: string) {
  const prefix = as.startsWith('user:') ? '/api' : '/agent';
  return stage.http({ route: `GET ${prefix}/operations/{id}/events`, as, id });
}

describe('an operation', () => {
  test('is described to its requester as it stands, without full arguments or tokens', async () => {
    const { operation_id } = await proposed('refund_payment', { amount: 5, api_key: 'CANARY-1', note: 'x'.repeat(5000) });
    await stage.quiet();
    const { status, body } = await read(operation_id, 'agent:billing-bot');
    expect(status).toBe(200);
    expect(body).toMatchObject({ operation_id, status: 'pending', tool: 'refund_payment', sequence: 1, redaction: { redacted: true, truncated: true } });
    expect(JSON.stringify(body)).not.toContain('CANARY');
    expect(JSON.stringify(body)).not.toContain('x'.repeat(300));
    for (const token of ports.waker.tokens) expect(JSON.stringify(body)).not.toContain(token);
  });

  test.each(['agent:billing-bot', 'user:olga', 'user:ana', 'user:ben', 'user:root'])('may be seen by %s, and so may its events', async (as) => {
    const { operation_id } = await proposed();
    expect((await read(operation_id, as)).status).toBe(200);
    expect((await readEvents(operation_id, as)).status).toBe(200);
  });

  test('may be seen by the members of a group that is asked', async () => {
    const { operation_id } = await proposed('wire_transfer');
    expect((await read(operation_id, 'user:zoe')).status).toBe(200);
    expect((await read(operation_id, 'user:olga')).status).toBe(200);
  });

  test.each(['user:zoe', 'agent:other-bot'])('is not there for %s, exactly as one that does not exist', async (as) => {
    const { operation_id } = await proposed();
    const absent = `op_${'f'.repeat(32)}`;
    for (const look of [read, readEvents]) {
      const [hidden, missing] = [await look(operation_id, as), await look(absent, as)];
      expect(hidden.status).toBe(404);
      expect(hidden).toEqual(missing);
      expect(hidden.body.code).toBe('operation_not_found');
    }
  });

  test('that nobody asked about is not looked up', async () => {
    const { operation_id } = await proposed();
    const reads = ports.eventLog.reads();
    for (const as of [undefined, 'user:mallory']) expect(await stage.http({ route: 'GET /api/operations/{id}', id: operation_id, ...(as === undefined ? {} : { as }) })).toMatchObject({ status: 401 });
    expect(ports.eventLog.reads()).toBe(reads);
  });

  test.each(['op_1', '', 'OP_00000000000000000000000000000001', 'op_00000000000000000000000000000001?x', '../admin', 'op_0000000000000000000000000000000%31'])('with the id %j is looked up nowhere (209)', async (id) => {
    await proposed();
    const reads = ports.eventLog.reads();
    expect(await read(id, 'user:ana')).toMatchObject({ status: 404, body: { code: 'operation_not_found' } });
    expect(ports.eventLog.reads()).toBe(reads);
  });

  test('whose record was tampered with is a fault, not an answer', async () => {
    const { operation_id } = await proposed();
    ports.eventLog.tamper(operation_id, 1, ports.eventLog.texts()[0]!.replace('"quorum":1', '"quorum":0'));
    expect(await read(operation_id, 'user:ana')).toMatchObject({ status: 500 });
  });
});

describe('the events of an operation', () => {
  test('are the stored texts themselves, in order', async () => {
    const body = await proposed('refund_payment', { n: 1.5 });
    await stage.vote(body, 'user:ana');
    await stage.toTheEnd();
    const { events } = (await readEvents(body.operation_id, 'user:ana')).body as unknown as { events: OperationEvent[] };
    expect(events.map(({ type }) => type)).toEqual(['approval.requested', 'approval.granted', 'tool.started', 'tool.completed']);
    expect(events).toEqual(await stage.eventsOf(body.operation_id));
    expect(ports.eventLog.texts().map((text) => JSON.parse(text) as OperationEvent)).toEqual(events);
  });
});

describe('the outcome', () => {
  const ended = async (tool = 'refund_payment'): Promise<string> => {
    const body = await proposed(tool);
    await stage.vote(body, 'user:ana');
    await stage.toTheEnd();
    return body.operation_id;
  };
  const outcomeFor = async (as: string, operation_id: string): Promise<unknown> => (await read(operation_id, as)).body.outcome;

  test('is told to the requester and to nobody else', async () => {
    ports.invoker.behaving('refund_payment', () => ({ kind: 'completed', output: { receipt: 'CANARY' } }));
    const operation_id = await ended();
    expect(await outcomeFor('agent:billing-bot', operation_id)).toEqual({ status: 'completed', output: { receipt: 'CANARY' } });
    for (const as of ['user:ana', 'user:ben', 'user:olga', 'user:root']) expect(JSON.stringify((await read(operation_id, as)).body)).not.toContain('CANARY');
    expect(ports.eventLog.texts().join()).not.toContain('CANARY');
  });

  test.each([
    ['a failure', { kind: 'failed', error: 'CardExpired', message: 'the card has expired' }, { status: 'failed', error: { error: 'CardExpired', message: 'the card has expired' } }],
    ['nothing', { kind: 'completed', output: null }, { status: 'completed', output: null }],
    ['not known', { kind: 'unknown', reason: 'answer_lost' }, { status: 'unknown' }],
  ] as const)('may be %s', async (_, answer, outcome) => {
    ports.invoker.behaving('refund_payment', () => answer);
    expect(await outcomeFor('agent:billing-bot', await ended())).toEqual(outcome);
  });

  test('is not there before there is one', async () => {
    const body = await proposed();
    expect(await outcomeFor('agent:billing-bot', body.operation_id)).toBeUndefined();
    await stage.vote(body, 'user:ana');
    expect(await outcomeFor('agent:billing-bot', body.operation_id)).toBeUndefined();
  });

  test('of a denied operation is the human\u2019s words, and that it is not to be tried again', async () => {
    const body = await proposed();
    await stage.vote(body, 'user:ana', 'deny', { comment: 'too much' });
    expect((await read(body.operation_id, 'agent:billing-bot')).body).toMatchObject({ status: 'denied', retryable: false, decision: { by: 'user:ana', comment: 'too much', reason: 'denied_by_approver' } });
  });
});

describe('waiting for a change', () => {
  test('answers at once where nobody asked to wait', async () => {
    const { operation_id } = await proposed();
    await read(operation_id, 'agent:billing-bot');
    expect(ports.clock.sleeps).toEqual([]);
  });

  test('answers as soon as the status differs', async () => {
    const body = await proposed();
    ports.clock.after(2500, () => stage.vote(body, 'user:ana'));
    expect((await read(body.operation_id, 'agent:billing-bot', { wait_seconds: '20' })).body).toMatchObject({ status: 'granted' });
    expect(ports.clock.sleeps).toEqual([1000, 1000, 1000]);
  });

  test('reads at most once a second, and one cheap read at that', async () => {
    const { operation_id } = await proposed();
    const reads = ports.eventLog.reads();
    expect((await read(operation_id, 'agent:billing-bot', { wait_seconds: '20' })).body).toMatchObject({ status: 'pending' });
    expect(ports.clock.sleeps).toEqual(Array.from({ length: 20 }, () => 1000));
    expect(ports.eventLog.reads() - reads).toBe(21);
  });

  test('goes on waiting through a vote that decides nothing, and answers with that vote in the end', async () => {
    const body = await proposed('wire_transfer');
    ports.clock.after(1500, () => stage.vote(body, 'user:ana'));
    expect((await read(body.operation_id, 'agent:billing-bot', { wait_seconds: '3' })).body).toMatchObject({ status: 'pending', sequence: 2, votes: [{ subject: 'user:ana' }] });
    expect(ports.clock.sleeps).toHaveLength(3);
  });

  test('sees a change in the last second', async () => {
    const body = await proposed();
    ports.clock.after(2900, () => stage.vote(body, 'user:ana', 'deny'));
    expect((await read(body.operation_id, 'agent:billing-bot', { wait_seconds: '3' })).body).toMatchObject({ status: 'denied' });
  });

  test('does not wait for what is over, nor for what is not theirs', async () => {
    const body = await proposed();
    await stage.vote(body, 'user:ana', 'deny');
    await read(body.operation_id, 'agent:billing-bot', { wait_seconds: '20' });
    await read(body.operation_id, 'user:zoe', { wait_seconds: '20' });
    expect(ports.clock.sleeps).toEqual([]);
  });

  test.each(['21', '-1', 'x', '', '1.5'])('for %j seconds is refused', async (wait_seconds) => {
    const { operation_id } = await proposed();
    expect(await read(operation_id, 'agent:billing-bot', { wait_seconds })).toMatchObject({ status: 400, body: { code: 'invalid_request', field: 'wait_seconds' } });
  });
});

test('reading changes nothing', async () => {
  const body = await proposed();
  await stage.quiet();
  const [texts, taken] = [ports.eventLog.texts().join(), ports.bus.taken.length];
  for (const as of ['agent:billing-bot', 'user:ana', 'user:zoe']) {
    await read(body.operation_id, as);
    await readEvents(body.operation_id, as);
  }
  await stage.http({ route: 'GET /api/inbox', as: 'user:ana' });
  expect([ports.eventLog.texts().join(), ports.bus.taken.length]).toEqual([texts, taken]);
});
