import { beforeEach, describe, expect, test } from 'vitest';
import { Fault } from '../../../lambdas/domain/faults.ts';
import { plusSeconds } from '../../../lambdas/domain/times.ts';
import { crashPoints, injector, instead, unavailable } from '../../support/crash-points.ts';
import { corridor, streamBatch, type ReplyBody } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { START_OF_TEST } from '../../support/in-memory-system.ts';

let ports: Ports;
let stage: ReturnType<typeof corridor>;

beforeEach(() => {
  ports = inMemoryPorts();
  stage = corridor({ ports });
});

let calls = 0;
/** Each is another call of its own, however alike. */
const proposed = async (tool = 'refund_payment'): Promise<ReplyBody> => (await stage.propose(tool, { amount: 5 }, { call_id: `call-${(calls += 1)}` })).body;
const approved = async (): Promise<ReplyBody> => {
  const body = await proposed();
  await stage.vote(body, 'user:ana');
  return body;
};
/** A record per event, numbered from 100 on, as the stream delivers them. */
const batchOf = (...records: readonly (readonly [ReplyBody | string, number, string?])[]): object =>
  streamBatch(records.map(([of, sequence, eventName], index) => ({ pk: typeof of === 'string' ? of : of.operation_id, sk: `event#${String(sequence).padStart(6, '0')}`, number: String(100 + index), ...(eventName === undefined ? {} : { eventName }) })));
const relay = (payload: object = { sweep: true }, minimum_age_seconds = 0) => stage.relay(payload, minimum_age_seconds);
const published = (): readonly string[] => ports.bus.taken.map(({ event }) => event.id);
const relayedOf = async ({ operation_id }: ReplyBody): Promise<readonly boolean[]> => (await ports.eventLog.load(operation_id)).map(({ relayed }) => relayed);
const unmarked = (id: string) => instead(ports.outbox, 'markRelayed', (before) => async (event, ...rest) => (event.id === id ? unavailable() : before(event, ...rest)));

describe('relaying an operation', () => {
  test('publishes, then writes the views and leaves the lists, then starts, then wakes, and marks last', async () => {
    const body = await approved();
    await stage.executions.turn(stage.tasks);
    const inject = injector();
    await corridor({ ports, inject }).relay(batchOf([body, 1], [body, 2]));
    expect(inject.seen).toEqual(['bus.publish', 'views.write', 'openOperations.leaveAll', 'starter.start', 'waker.succeed', 'outbox.markRelayed', 'outbox.markRelayed']);
    expect(published()).toEqual([`${body.operation_id}/1`, `${body.operation_id}/2`]);
    expect(await relayedOf(body)).toEqual([true, true]);
  });

  test('publishes the stored text itself', async () => {
    await proposed();
    await relay();
    expect(ports.bus.taken.map(({ text }) => text)).toEqual(ports.eventLog.texts());
  });

  test('reads the log and never the record that woke it: what is relayed already is not published again', async () => {
    const body = await proposed();
    for (let times = 0; times < 3; times += 1) expect(await relay(batchOf([body, 1]))).toEqual({ batchItemFailures: [] });
    expect(published()).toHaveLength(1);
  });

  test('carries everything at once that has come by then, from whichever record', async () => {
    const body = await approved();
    await relay(batchOf([body, 1]));
    expect(published()).toHaveLength(2);
  });

  test('publishes even what no catalogue page of ours shows: a refused call is told, and waits nowhere', async () => {
    const body = await proposed('drop_table');
    await relay(batchOf([body, 1]));
    expect(published()).toHaveLength(1);
    expect(ports.starter.starts).toEqual([]);
  });
});

describe('a stream batch', () => {
  test('that went well answers with an empty list', async () => {
    const body = await proposed();
    expect(JSON.stringify(await relay(batchOf([body, 1])))).toBe('{"batchItemFailures":[]}');
    expect(JSON.stringify(await relay({ Records: [] }))).toBe('{"batchItemFailures":[]}');
  });

  test('names the records of what failed by their sequence numbers, in the documented shape and in no other (176)', async () => {
    const [good, bad] = [await proposed(), await proposed()];
    unmarked(`${bad.operation_id}/1`);
    await stage.vote(bad, 'user:ana');
    expect(JSON.stringify(await relay(batchOf([good, 1], [bad, 1], [bad, 2])))).toBe('{"batchItemFailures":[{"itemIdentifier":"101"},{"itemIdentifier":"102"}]}');
    expect(await relayedOf(good)).toEqual([true]);
  });

  test('with one poisoned operation among ten relays the other nine (175)', async () => {
    const bodies: ReplyBody[] = [];
    for (let count = 0; count < 10; count += 1) bodies.push(await proposed());
    ports.eventLog.tamper(bodies[3]!.operation_id, 1, ports.eventLog.texts()[3]!.replace('"quorum":1', '"quorum":0'));
    expect(await relay(batchOf(...bodies.map((body) => [body, 1] as const)))).toEqual({ batchItemFailures: [{ itemIdentifier: '103' }] });
    expect(published()).toHaveLength(9);
    expect(ports.log.lines.filter(({ code }) => code === 'CS5004')).toEqual([{ code: 'CS5004', facts: { operation_id: bodies[3]!.operation_id, fault: 'CorruptRecord' } }]);
  });

  test('with a record of a version that is not known any more fails that one alone', async () => {
    const [old, good] = [await proposed(), await proposed()];
    ports.eventLog.tamper(old.operation_id, 1, '{"specversion":"0.3","type":"approval.requested"}');
    expect(await relay(batchOf([old, 1], [good, 1]))).toEqual({ batchItemFailures: [{ itemIdentifier: '100' }] });
    expect(await relayedOf(good)).toEqual([true]);
  });

  test.each(['MODIFY', 'REMOVE'])('passes over %s: a mark is no news, and nobody may delete', async (eventName) => {
    const body = await proposed();
    expect(await relay(batchOf([body, 1, eventName]))).toEqual({ batchItemFailures: [] });
    expect(published()).toEqual([]);
  });

  test('passes over rows that are no events', async () => {
    const body = await proposed();
    const records = streamBatch([{ pk: body.operation_id, sk: 'snapshot#000001', number: '1' }, { pk: 'policy#w1', sk: 'revision#1', number: '2' }]);
    expect(await relay(records)).toEqual({ batchItemFailures: [] });
    expect(published()).toEqual([]);
  });

  test('of an operation that is not stored has nothing to do', async () => {
    expect(await relay(batchOf([`op_${'f'.repeat(32)}`, 1]))).toEqual({ batchItemFailures: [] });
  });

  test.each([{}, { Records: 'x' }, { Records: [{ eventName: 'INSERT' }] }, { sweep: false }, { sweep: true, more: 1 }, null, 'sweep'])('of another shape (%o) fails as a whole, and is not taken for done', async (payload) => {
    await expect(relay(payload as object)).rejects.toMatchObject({ name: 'Misconfigured' });
  });
});

describe('the bus', () => {
  test('that takes two of three has the third sent again alone, under the same id (169, K8)', async () => {
    const body = await approved();
    await stage.vote(body, 'user:ana');
    await stage.http({ route: 'POST /agent/operations/{id}/cancel', as: 'agent:billing-bot', id: body.operation_id, body: {} });
    ports.bus.answering(({ event }) => (event.data.sequence === 2 ? 'try_again' : 'published'));
    expect(await relay(batchOf([body, 1], [body, 2], [body, 3]))).toEqual({ batchItemFailures: [{ itemIdentifier: '100' }, { itemIdentifier: '101' }, { itemIdentifier: '102' }] });
    expect(await relayedOf(body)).toEqual([true, false, true]);
    ports.bus.answering(() => 'published');
    expect(await relay(batchOf([body, 1], [body, 2], [body, 3]))).toEqual({ batchItemFailures: [] });
    expect(ports.bus.batches).toEqual([3, 1]);
    expect(published()).toEqual([1, 3, 2].map((sequence) => `${body.operation_id}/${sequence}`));
  });

  test('that takes nothing keeps nobody from seeing and waking', async () => {
    const body = await approved();
    await stage.executions.turn(stage.tasks);
    ports.bus.answering(() => 'try_again');
    await relay();
    expect(ports.waker.wakes).toEqual(['AwaitDecision success']);
    expect(await relayedOf(body)).toEqual([false, false]);
    expect(ports.log.lines.filter(({ code }) => code === 'CS5002').map(({ facts }) => facts.event_id)).toEqual([1, 2].map((sequence) => `${body.operation_id}/${sequence}`));
  });

  test('that rejects an event for good is not asked again, and an error line says so', async () => {
    const body = await proposed();
    ports.bus.answering(() => 'rejected');
    expect(await relay()).toEqual({ relayed: 1, due: 0, failed: 0 });
    expect(await relay()).toEqual({ relayed: 0, due: 0, failed: 0 });
    expect(ports.bus.batches).toEqual([1]);
    expect(ports.log.lines).toContainEqual({ code: 'CS5003', facts: { event_id: `${body.operation_id}/1` } });
  });

  test('that answers too little is taken at its word for what it answered', async () => {
    const body = await approved();
    instead(ports.bus, 'publish', () => async () => ['published']);
    await relay();
    expect(await relayedOf(body)).toEqual([true, false]);
  });

  test('that is wired wrongly is a fault that fails the operation, and nothing is marked', async () => {
    const body = await proposed();
    instead(ports.bus, 'publish', () => async () => Promise.reject(new Fault('Misconfigured', 'x')));
    expect(await relay(batchOf([body, 1]))).toEqual({ batchItemFailures: [{ itemIdentifier: '100' }] });
    expect(await relayedOf(body)).toEqual([false]);
  });
});

describe('a relay that ends between any two steps', () => {
  test('is made good by the next, whichever it is: nothing is lost, and what is told twice has one id', async () => {
    const whole = injector();
    const first = await approved();
    await stage.executions.turn(stage.tasks);
    await corridor({ ports, inject: whole }).relay(batchOf([first, 1]));
    expect(whole.seen.length).toBe(7);
    for (const point of crashPoints(whole.seen.length)) {
      for (const next of ['sweep', 'stream'] as const) {
        ports = inMemoryPorts();
        stage = corridor({ ports });
        const body = await approved();
        while (await stage.executions.turn(stage.tasks));
        const texts = ports.eventLog.texts();
        const cut = await corridor({ ports, inject: injector(point) }).relay(batchOf([body, 1], [body, 2]));
        expect(cut, JSON.stringify(point)).toEqual({ batchItemFailures: [{ itemIdentifier: '100' }, { itemIdentifier: '101' }] });
        await relay(next === 'sweep' ? { sweep: true } : batchOf([body, 1], [body, 2]));
        expect(await relayedOf(body), JSON.stringify(point)).toEqual(texts.map(() => true));
        expect(new Set(published()).size).toBe(texts.length);
        for (const { event, text } of ports.bus.taken) expect(text).toBe(texts[event.data.sequence - 1]);
        expect((await stage.http({ route: 'GET /api/inbox', as: 'user:ana' })).body).toEqual({ operations: [] });
        expect(ports.starter.starts).toHaveLength(1);
      }
    }
  });

  test('never marks before it has published', async () => {
    for (const point of crashPoints(7, ['crash'])) {
      ports = inMemoryPorts();
      stage = corridor({ ports });
      const body = await approved();
      await corridor({ ports, inject: injector(point) }).relay(batchOf([body, 1], [body, 2])).catch(() => undefined);
      const marked = (await ports.eventLog.load(body.operation_id)).filter(({ relayed }) => relayed).map(({ event }) => event.id);
      expect(published()).toEqual(expect.arrayContaining(marked));
    }
  });
});

describe('the sweep', () => {
  test('counts what it relayed, what was due, and what failed', async () => {
    await proposed();
    const bad = await proposed();
    unmarked(`${bad.operation_id}/1`);
    expect(await relay()).toEqual({ relayed: 2, due: 0, failed: 1 });
  });

  test('leaves to the stream what is younger than its minimum age', async () => {
    await proposed();
    expect(await relay({ sweep: true }, 30)).toMatchObject({ relayed: 0 });
    await ports.clock.advance(29_999);
    expect(await relay({ sweep: true }, 30)).toMatchObject({ relayed: 0 });
    await ports.clock.advance(1);
    expect(await relay({ sweep: true }, 30)).toMatchObject({ relayed: 1 });
  });

  test('together with the stream, ten times over, tells each event under one id and leaves nothing (187)', async () => {
    const bodies: ReplyBody[] = [];
    for (let count = 0; count < 10; count += 1) bodies.push(await approved());
    await Promise.all([relay(), relay(batchOf(...bodies.map((body) => [body, 1] as const))), relay(), relay(batchOf(...bodies.map((body) => [body, 2] as const)))]);
    expect(new Set(published()).size).toBe(20);
    for (const body of bodies) expect(await relayedOf(body)).toEqual([true, true]);
    const texts = new Map<string, string>();
    for (const { event, text } of ports.bus.taken) expect(texts.set(event.id, texts.get(event.id) ?? text).get(event.id)).toBe(text);
    expect(ports.starter.starts).toHaveLength(10);
  });

  test('of a stalled relay cannot bring a closed operation back', async () => {
    const body = await proposed();
    let resume: () => void = () => undefined;
    const stalled = new Promise<void>((resolve) => (resume = resolve));
    let writes = 0;
    instead(ports.views, 'write', (before) => async (views) => {
      if ((writes += 1) === 1) await stalled;
      return before(views);
    });
    const slow = relay();
    await stage.vote(body, 'user:ben', 'deny');
    await relay(batchOf([body, 2]));
    resume();
    await slow;
    expect((await stage.http({ route: 'GET /api/inbox', as: 'user:ana' })).body).toEqual({ operations: [] });
    expect(await ports.dueList.due('9999', 9)).toEqual([]);
  });

  test('starts what submit could not, and only what waits for something', async () => {
    const mend = instead(ports.starter, 'start', () => unavailable);
    const [waits, over] = [await proposed(), await proposed()];
    await stage.vote(over, 'user:ana', 'deny');
    mend();
    expect(await relay()).toMatchObject({ failed: 0 });
    expect(ports.starter.starts.map(({ operation_id }) => operation_id)).toEqual([waits.operation_id]);
  });

  test('after a day without any stream tells everything, each operation in its order (K19)', async () => {
    const bodies = [await approved(), await approved(), await proposed()];
    await ports.clock.advance(25 * 3600_000);
    await relay({ sweep: true }, 30);
    for (const body of bodies) {
      const sequences = ports.bus.taken.filter(({ event }) => event.subject === body.operation_id).map(({ event }) => event.data.sequence);
      expect(sequences).toEqual((await stage.eventsOf(body.operation_id)).map(({ data }) => data.sequence).slice(0, sequences.length));
      expect(sequences.length).toBeGreaterThan(0);
    }
    await stage.toTheEnd();
    expect(new Set(published()).size).toBe(ports.eventLog.texts().length);
  });

  test('goes on past an operation that fails', async () => {
    const [bad, good] = [await proposed(), await proposed()];
    ports.eventLog.tamper(bad.operation_id, 1, ports.eventLog.texts()[0]!.replace('"quorum":1', '"quorum":0'));
    expect(await relay()).toEqual({ relayed: 2, due: 0, failed: 1 });
    expect(await relayedOf(good)).toEqual([true]);
  });

  test('that cannot read the outbox fails as a whole', async () => {
    instead(ports.outbox, 'unpublished', () => unavailable);
    await expect(relay()).rejects.toMatchObject({ name: 'Unavailable' });
  });
});

describe('what is due', () => {
  test('expires at its deadline from stored data alone, is told once, and wakes the execution as closed (157)', async () => {
    const body = await proposed();
    await stage.quiet();
    await ports.clock.advance(3599_999);
    expect(await relay()).toMatchObject({ due: 0 });
    await ports.clock.advance(1);
    expect(await relay()).toEqual({ relayed: 0, due: 1, failed: 0 });
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'expired' });
    expect(published().at(-1)).toBe(`${body.operation_id}/2`);
    expect(await relayedOf(body)).toEqual([true, true]);
    expect(ports.waker.wakes).toEqual(['AwaitDecision failure']);
    expect(ports.log.lines).toContainEqual({ code: 'CS5005', facts: { operation_id: body.operation_id, status: 'expired' } });
    expect(await relay()).toEqual({ relayed: 0, due: 0, failed: 0 });
  });

  test('as a grant that nobody took is voided', async () => {
    const body = await approved();
    await relay();
    await ports.clock.advance(900_000);
    expect(await relay()).toMatchObject({ due: 1 });
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'voided', decision: { reason: 'grant_lapsed' } });
  });

  test('as a run without news is unknown', async () => {
    const body = await approved();
    instead(ports.results, 'putResult', () => unavailable);
    await expect(stage.tasks.run({ operation_id: body.operation_id, arguments_hash: body.arguments_hash, task_token: 'T', entered_at: START_OF_TEST, retry_count: 0 })).rejects.toThrow();
    await relay();
    await ports.clock.set(plusSeconds(START_OF_TEST, 45));
    expect(await relay()).toMatchObject({ due: 1, failed: 0 });
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'unknown', reason: 'run_deadline_passed' });
  });

  test('by a row that is older than the log is only looked at: the log decides', async () => {
    const body = await proposed();
    await relay();
    await ports.clock.advance(3599_000);
    await stage.vote(body, 'user:ana');
    await ports.clock.advance(1_000);
    // The due row still says that it is pending: its relay is late.
    expect(await relay({ sweep: true }, 3600)).toMatchObject({ due: 1, failed: 0 });
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'granted' });
    expect(await relayedOf(body)).toEqual([true, true]);
  });

  test('twice at once is closed once', async () => {
    const body = await proposed();
    await relay();
    await ports.clock.advance(3600_000);
    await Promise.all([relay(), relay(), relay()]);
    expect((await stage.eventsOf(body.operation_id)).map(({ type }) => type)).toEqual(['approval.requested', 'approval.expired']);
  });

  test('as a vote arrives in the last moment is one of the two', async () => {
    const body = await proposed();
    await relay();
    await ports.clock.advance(3599_999);
    const vote = stage.vote(body, 'user:ana');
    await ports.clock.advance(1);
    const [reply] = await Promise.all([vote, relay()]);
    const { status } = await stage.operationOf(body.operation_id);
    expect(`${reply.status} ${status}`).toMatch(/^(200 granted|410 expired)$/);
  });

  test('that fails is due again at the next sweep', async () => {
    const body = await proposed();
    await relay();
    await ports.clock.advance(3600_000);
    const mend = instead(ports.eventLog, 'append', () => unavailable);
    expect(await relay()).toMatchObject({ due: 1, failed: 1 });
    mend();
    expect(await relay()).toMatchObject({ due: 1, failed: 0 });
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'expired' });
  });
});

test('no log line of a relay holds more than ids, counts and codes', async () => {
  const { body } = await stage.propose('refund_payment', { note: 'CANARY' }, { reason: 'CANARY' });
  await stage.vote(body, 'user:ana', 'approve', { comment: 'CANARY' });
  await stage.toTheEnd();
  const lines = JSON.stringify(ports.log.lines);
  for (const secret of ['CANARY', ...ports.waker.tokens]) expect(lines).not.toContain(secret);
});
