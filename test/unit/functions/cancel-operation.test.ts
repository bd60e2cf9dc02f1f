import { beforeEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../../lambdas/domain/limits.ts';
import { instead, unavailable } from '../../support/crash-points.ts';
import { corridor, type ReplyBody } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';

let ports: Ports;
let stage: ReturnType<typeof corridor>;

beforeEach(() => {
  ports = inMemoryPorts();
  stage = corridor({ ports });
});

const proposed = async (tool = 'refund_payment'): Promise<ReplyBody> => {
  const { body } = await stage.propose(tool, { amount: 5 });
  await stage.quiet();
  return body;
};
const cancel = ({ operation_id }: Pick<ReplyBody, 'operation_id'>, as = 'agent:billing-bot', body: unknown = {}) =>
  stage.http({ route: `POST ${as.startsWith('user:') ? '/api' : '/agent'}/operations/{id}/cancel`, as, id: operation_id, body });
const typesOf = async ({ operation_id }: ReplyBody): Promise<readonly string[]> => (await stage.eventsOf(operation_id)).map(({ type }) => type);

describe('cancelling', () => {
  test.each(['agent:billing-bot', 'user:olga', 'user:root'])('is open to %s', async (as) => {
    const body = await proposed();
    expect(await cancel(body, as, { reason: 'not needed' })).toMatchObject({ status: 200, body: { status: 'cancelled', decision: { by: as, comment: 'not needed', reason: 'cancelled_on_request' } } });
    await stage.toTheEnd();
    expect(stage.executions.walk(body.operation_id)).toBe('AwaitDecision > Settle > Done');
  });

  test.each([
    ['an approver', 'user:ana', 403, 'not_an_administrator'],
    ['a stranger', 'user:zoe', 404, 'operation_not_found'],
    ['another agent', 'agent:other-bot', 404, 'operation_not_found'],
    ['nobody', 'user:mallory', 401, 'unauthenticated'],
  ])('is not open to %s', async (_, as, status, code) => {
    const body = await proposed();
    expect(await cancel(body, as)).toMatchObject({ status, body: { code } });
    expect(await typesOf(body)).toEqual(['approval.requested']);
  });

  test('is answered alike when it is sent again, and noted once', async () => {
    const body = await proposed();
    const [first, second] = [await cancel(body), await cancel(body)];
    expect(second).toEqual(first);
    expect(await typesOf(body)).toEqual(['approval.requested', 'approval.cancelled']);
  });

  test('beats a later approval', async () => {
    const body = await proposed();
    await cancel(body);
    expect(await stage.vote(body, 'user:ana')).toMatchObject({ status: 409, body: { code: 'already_decided' } });
    await stage.toTheEnd();
    expect(ports.invoker.ledger).toEqual([]);
  });

  test('stops a grant that has not started', async () => {
    const { body } = await stage.propose('refund_payment', { amount: 5 });
    await stage.vote(body, 'user:ana');
    expect(await cancel(body)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    await stage.toTheEnd();
    expect(ports.invoker.ledger).toEqual([]);
    expect(stage.executions.walk(body.operation_id)).toMatch(/Settle > Done$/);
  });

  test.each(['denied', 'expired', 'completed'])('comes too late for what is %s', async (status) => {
    const body = await proposed();
    if (status !== 'expired') await stage.vote(body, 'user:ana', status === 'denied' ? 'deny' : 'approve');
    await stage.toTheEnd();
    expect(await cancel(body)).toMatchObject({ status: 409, body: { code: 'already_decided', detail: expect.stringContaining(status) as string } });
  });

  test.each([{ reason: 5 }, { comment: 'x' }, [], { reason: 'x'.repeat(LIMITS.comment_bytes + 1) }, { actor_id: 'agent:billing-bot' }])('with the body %o is refused', async (sent) => {
    const body = await proposed();
    expect(await cancel(body, 'agent:billing-bot', sent)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await typesOf(body)).toEqual(['approval.requested']);
  });
});

describe('a cancel at any moment of an approval and its run', () => {
  test('leaves record, answers and runs in agreement', async () => {
    const came: string[] = [];
    for (let moments = 0; moments < 600; moments += 6) {
      const body = await proposed();
      const before = ports.invoker.ledger.length;
      const approving = stage.vote(body, 'user:ana').then(async (reply) => (await stage.quiet(), reply));
      for (let moment = 0; moment < moments; moment += 1) await Promise.resolve();
      const [voted, cancelled] = await Promise.all([approving, cancel(body)]);
      await stage.toTheEnd();
      const { status } = await stage.operationOf(body.operation_id);
      const runs = ports.invoker.ledger.length - before;
      came.push(`vote ${voted.status}, cancel ${cancelled.status} ${cancelled.status === 200 ? String(cancelled.body.status) : cancelled.body.code}: ${status}, ${runs} runs`);
    }
    expect(new Set(came)).toEqual(
      new Set([
        'vote 409, cancel 200 cancelled: cancelled, 0 runs',
        'vote 200, cancel 200 cancelled: cancelled, 0 runs',
        'vote 200, cancel 200 running: unknown, 1 runs',
        'vote 200, cancel 409 already_decided: completed, 1 runs',
      ]),
    );
  });
});

describe('cancelling what runs', () => {
  const runningUntil = async (during: (body: ReplyBody) => Promise<unknown>): Promise<ReplyBody> => {
    const body = await proposed();
    ports.invoker.behaving('refund_payment', async () => {
      await during(body);
      return { kind: 'completed', output: 'paid' };
    });
    await stage.vote(body, 'user:ana');
    await stage.toTheEnd();
    return body;
  };

  test('is noted, and a late success is kept as evidence only (I-4)', async () => {
    const body = await runningUntil(async (running) => {
      expect(await cancel(running)).toMatchObject({ status: 200, body: { status: 'running', run: { cancel_requested: true } } });
    });
    expect(await typesOf(body)).toEqual(['approval.requested', 'approval.granted', 'tool.started', 'tool.cancel_requested', 'tool.outcome_observed']);
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'unknown', observations: [{ observed: 'completed' }] });
    expect(stage.executions.walk(body.operation_id)).toMatch(/Done$/);
  });

  test('is noted once, however often it is asked for', async () => {
    const body = await runningUntil(async (running) => {
      await Promise.all([cancel(running), cancel(running, 'user:olga')]);
      await cancel(running);
    });
    expect((await typesOf(body)).filter((type) => type === 'tool.cancel_requested')).toHaveLength(1);
  });

  test('races with its outcome: whichever is stored first stands', async () => {
    for (let race = 0; race < 10; race += 1) {
      let cancelling: ReturnType<typeof cancel> | undefined;
      const body = await runningUntil(async (running) => {
        // Under way while the outcome is: nobody waits for it here.
        cancelling = cancel(running);
        for (let turn = 0; turn < race; turn += 1) await Promise.resolve();
      });
      const reply = await cancelling!;
      const { status } = await stage.operationOf(body.operation_id);
      expect(['completed', 'unknown']).toContain(status);
      if (status === 'completed') expect(reply).toMatchObject({ status: 409, body: { code: 'already_decided' } });
      else expect(reply).toMatchObject({ status: 200, body: { status: 'running' } });
    }
  });
});

test('a wake-up that fails does not lose the cancel', async () => {
  const body = await proposed();
  const mend = instead(ports.waker, 'fail', () => unavailable);
  expect(await cancel(body)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
  mend();
  await stage.toTheEnd();
  expect(stage.executions.walk(body.operation_id)).toBe('AwaitDecision > Settle > Done');
});
