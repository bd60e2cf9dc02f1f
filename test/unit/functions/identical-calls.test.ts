// The same call again, without a name of its own: one operation while it is open, a new one afterwards, and in a run
// never again what a person denied there.
import { beforeEach, describe, expect, test } from 'vitest';
import { deniedList } from '../../../lambdas/domain/open-lists.ts';
import { corridor, type Reply, type ReplyBody } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { START_OF_TEST } from '../../support/in-memory-system.ts';

let ports: Ports;
let stage: ReturnType<typeof corridor>;

beforeEach(() => {
  ports = inMemoryPorts();
  stage = corridor({ ports });
});

const SCOPE = { workspace_id: 'w1', agent_id: 'billing-bot' };
const IN_RUN = { scope: { ...SCOPE, run_id: 'run-1' } };
const again = (more: Readonly<Record<string, unknown>> = {}, args: unknown = { amount: 5 }): Promise<Reply> => stage.propose('refund_payment', args, more);
const opened = (): number => ports.eventLog.texts().filter((text) => text.includes('"type":"approval.requested"')).length;

describe('an identical call without a call_id', () => {
  test('is the operation of it that is open, and is answered alike', async () => {
    const [first, second] = [await again(), await again()];
    expect(second).toMatchObject({ status: 202, body: first.body });
    expect(opened()).toBe(1);
    expect(ports.vault.argumentsKept().size).toBe(1);
  });

  test('is one operation when eight arrive together', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => again(IN_RUN)));
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.operation_id}`)).size).toBe(1);
    expect([opened(), ports.starter.starts.length, ports.openOperations.places().length]).toEqual([1, 1, 2]);
  });

  test('is one operation when eight arrive together after an earlier one has ended', async () => {
    const { body } = await again();
    await stage.vote(body, 'user:ana', 'deny');
    const replies = await Promise.all(Array.from({ length: 8 }, () => again()));
    const ids = new Set(replies.map((reply) => reply.body.operation_id));
    expect(ids.size).toBe(1);
    expect(ids).not.toContain(body.operation_id);
    expect(opened()).toBe(2);
  });

  test('is the one that has a call_id, while that is open', async () => {
    const { body } = await again({ call_id: 'call-1' });
    expect((await again()).body.operation_id).toBe(body.operation_id);
  });

  test('finishes what was claimed and never stored', async () => {
    const claimed: string[] = [];
    const { claimSame } = ports.sameCalls;
    ports.sameCalls.claimSame = async (...args) => {
      const standing = await claimSame(...args);
      claimed.push(standing);
      if (claimed.length === 1) throw new Error('the process ended here');
      return standing;
    };
    expect(await again()).toMatchObject({ status: 500 });
    expect((await again()).body.operation_id).toBe(claimed[0]);
    expect(opened()).toBe(1);
  });

  test.each<[string, Readonly<Record<string, unknown>>, unknown]>([
    ['in another run', IN_RUN, { amount: 5 }],
    ['on behalf of a person', { on_behalf_of: 'user:zoe' }, { amount: 5 }],
    ['with other arguments', {}, { amount: 6 }],
    ['of another type', { type: 'workflow' }, { amount: 5 }],
  ])('%s is another call', async (_, more, args) => {
    const { body } = await again();
    expect((await again(more, args)).body.operation_id).not.toBe(body.operation_id);
  });

  test('under two call_ids is two operations', async () => {
    expect((await again({ call_id: 'a' })).body.operation_id).not.toBe((await again({ call_id: 'b' })).body.operation_id);
  });
});

describe('after it has ended', () => {
  const ended: readonly [string, (body: ReplyBody) => Promise<unknown>][] = [
    ['completed (149)', async (body) => [await stage.vote(body, 'user:ana'), await stage.toTheEnd()]],
    ['expired, however late it is approved then (166)', async (body) => [await ports.clock.advance(3601_000), await stage.vote(body, 'user:ana'), await stage.toTheEnd()]],
    ['cancelled', (body) => stage.http({ route: 'POST /agent/operations/{id}/cancel', as: 'agent:billing-bot', id: body.operation_id, body: {} })],
  ];

  test.each(ended.flatMap(([how, end]) => [IN_RUN, {}].map((more) => [how, 'scope' in more ? 'the same run' : 'no run', more, end] as const)))('%s, the same call in %s asks again', async (_, __, more, end) => {
    const { body } = await again(more);
    await end(body);
    const next = await again(more);
    expect(next).toMatchObject({ status: 202, body: { status: 'pending' } });
    expect(next.body.operation_id).not.toBe(body.operation_id);
    await stage.quiet();
    expect(ports.invoker.ledger.map(({ operation_id }) => operation_id)).not.toContain(next.body.operation_id);
  });

  test('the same call_id is still that operation: approved once, run once, and not asked twice (151)', async () => {
    const { body } = await again({ call_id: 'call-1', ...IN_RUN });
    await stage.vote(body, 'user:ana');
    expect((await again({ call_id: 'call-1', ...IN_RUN })).body).toMatchObject({ operation_id: body.operation_id, status: 'granted' });
    await stage.toTheEnd();
    expect((await again({ call_id: 'call-1', ...IN_RUN })).body).toMatchObject({ operation_id: body.operation_id, status: 'completed' });
    expect(ports.invoker.ledger).toHaveLength(1);
    expect((await again({ call_id: 'call-2', ...IN_RUN })).body).toMatchObject({ status: 'pending' });
  });

  test('an answer to the first round is no answer to the second (145)', async () => {
    const first = await again(IN_RUN);
    await stage.vote(first.body, 'user:ana');
    await stage.toTheEnd();
    const second = await again(IN_RUN);
    expect(await stage.vote(first.body, 'user:ben')).toMatchObject({ status: 409, body: { code: 'already_decided' } });
    expect(await stage.operationOf(second.body.operation_id)).toMatchObject({ status: 'pending', votes: [] });
  });
});

describe('what a person denied', () => {
  test.each([
    ['without a call_id', {}, {}],
    ['under another call_id', { call_id: 'a' }, { call_id: 'b' }],
    ['with a call_id, then without', { call_id: 'a' }, {}],
  ])('in a run is refused at once there, %s, and nobody is asked (161)', async (_, first, second) => {
    const { body } = await again({ ...IN_RUN, ...first });
    await stage.vote(body, 'user:ana', 'deny');
    for (let times = 0; times < 3; times += 1) {
      expect(await again({ ...IN_RUN, ...second })).toMatchObject({ status: 409, body: { code: 'already_decided', operation_id: body.operation_id, operation_status: 'denied', retryable: false } });
    }
    expect(opened()).toBe(1);
    expect((await again({ scope: { ...SCOPE, run_id: 'run-2' } })).status).toBe(202);
    expect((await again(IN_RUN, { amount: 6 })).status).toBe(202);
  });

  test('three times of one tool in a run ends the asking about that tool there, whatever its arguments (161)', async () => {
    const denyOne = async (amount: number, run_id = 'run-1'): Promise<void> => {
      const { body } = await again({ scope: { ...SCOPE, run_id } }, { amount });
      await stage.vote(body, 'user:ana', 'deny');
      await stage.quiet();
    };
    for (const amount of [6, 7, 8]) await denyOne(amount);
    expect(await again(IN_RUN, { amount: 9 })).toMatchObject({ status: 409, body: { code: 'already_decided', denied: 3, retryable: false } });
    expect(opened()).toBe(3);
    expect((await again({ scope: { ...SCOPE, run_id: 'run-2' } }, { amount: 9 })).status).toBe(202);
    expect((await again({}, { amount: 9 })).status).toBe(202);
    expect((await stage.propose('sync_ledger', {}, IN_RUN)).status).toBe(202);
    expect((await stage.propose('read_customer', {}, IN_RUN)).status).toBe(200);
  });

  test('counts towards that only where a person denied the call as it was (161)', async () => {
    for (const amount of [6, 7]) {
      const { body } = await again(IN_RUN, { amount });
      await stage.vote(body, 'user:ana', 'deny');
    }
    const { body: mistaken } = await again(IN_RUN, { amount: 8 });
    await stage.vote({ ...mistaken, arguments_hash: `sha256:${'0'.repeat(64)}` }, 'user:ana');
    const { body: cancelled } = await again(IN_RUN, { amount: 10 });
    await stage.http({ route: 'POST /agent/operations/{id}/cancel', as: 'agent:billing-bot', id: cancelled.operation_id, body: {} });
    await stage.quiet();
    expect((await again(IN_RUN, { amount: 9 })).status).toBe(202);
  });

  test('is looked up in the log before it counts: a row that says more than the log ends nothing', async () => {
    const { body } = await again(IN_RUN, { amount: 6 });
    const list = deniedList('agent:billing-bot', 'run-1', 'refund_payment');
    for (const operation_id of [body.operation_id, 'op_a', 'op_b']) await ports.openOperations.join(list, { operation_id, attempt: 'denied', joined_at: START_OF_TEST }, '2099-01-01T00:00:00.000Z');
    expect((await again(IN_RUN, { amount: 9 })).status).toBe(202);
  });

  test('is told as it was to whoever sends the denied call itself again', async () => {
    const { body } = await again({ ...IN_RUN, call_id: 'a' });
    await stage.vote(body, 'user:ana', 'deny');
    expect(await again({ ...IN_RUN, call_id: 'a' })).toMatchObject({ status: 200, body: { operation_id: body.operation_id, status: 'denied' } });
  });

  test('outside a run is asked anew', async () => {
    const { body } = await again();
    await stage.vote(body, 'user:ana', 'deny');
    expect((await again()).body).toMatchObject({ status: 'pending' });
  });

  test('by another hash says nothing of this call', async () => {
    const { body } = await again(IN_RUN);
    await stage.vote({ ...body, arguments_hash: `sha256:${'0'.repeat(64)}` }, 'user:ana');
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'denied' });
    expect((await again(IN_RUN)).status).toBe(202);
  });
});
