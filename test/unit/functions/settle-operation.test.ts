import { beforeEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../../lambdas/domain/limits.ts';
import { injector, instead, unavailable } from '../../support/crash-points.ts';
import { corridor, type ReplyBody } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { START_OF_TEST } from '../../support/in-memory-system.ts';

let ports: Ports;
let stage: ReturnType<typeof corridor>;

beforeEach(() => {
  ports = inMemoryPorts();
  stage = corridor({ ports });
});

interface Settled {
  readonly next: string;
  readonly timeout_seconds: number;
  readonly turns: number;
  readonly sequence: number;
}

const GRACE = LIMITS.timer_grace_seconds;
let calls = 0;
/** Each is another call of its own, however alike. */
const pending = async (tool = 'refund_payment'): Promise<ReplyBody> => (await stage.propose(tool, { amount: 5 }, { call_id: `call-${(calls += 1)}` })).body;
const granted = async (): Promise<ReplyBody> => {
  const body = await pending();
  await stage.vote(body, 'user:ana');
  return body;
};
const running = async (): Promise<ReplyBody> => {
  const body = await granted();
  const mend = instead(ports.results, 'putResult', () => unavailable);
  await expect(stage.tasks.run({ operation_id: body.operation_id, arguments_hash: body.arguments_hash, task_token: 'T', entered_at: START_OF_TEST, retry_count: 0 })).rejects.toMatchObject({ name: 'OutcomeUnknown' });
  mend();
  return body;
};
const settle = async ({ operation_id, arguments_hash }: Pick<ReplyBody, 'operation_id' | 'arguments_hash'>, last?: Settled): Promise<Settled> =>
  (await stage.tasks.settle({ operation_id, arguments_hash, wait: { timeout_seconds: 60, ...(last === undefined ? {} : { next: last.next, last }) } })) as Settled;
const lastType = async ({ operation_id }: ReplyBody): Promise<string | undefined> => (await stage.eventsOf(operation_id)).at(-1)?.type;

describe('what the log says now', () => {
  test('pending before its deadline: wait on, with what is left', async () => {
    const body = await pending();
    await ports.clock.advance(600_500);
    expect(await settle(body)).toEqual({ next: 'await_decision', timeout_seconds: 3000 + GRACE, turns: 1, sequence: 1 });
    expect(await lastType(body)).toBe('approval.requested');
  });

  test('pending at its deadline: expired, done', async () => {
    const body = await pending();
    await ports.clock.advance(3600_000);
    expect(await settle(body)).toEqual({ next: 'done', timeout_seconds: 1, turns: 0, sequence: 2 });
    expect(await stage.eventsOf(body.operation_id)).toMatchObject([{}, { type: 'approval.expired', data: { actor: { subject: 'system:clock', kind: 'system' } } }]);
  });

  test('granted before its end: run', async () => {
    const body = await granted();
    await ports.clock.advance(60_000);
    expect(await settle(body)).toMatchObject({ next: 'run_tool', timeout_seconds: 840 + GRACE });
  });

  test('granted past its end: voided, done', async () => {
    const body = await granted();
    await ports.clock.advance(900_000);
    expect(await settle(body)).toMatchObject({ next: 'done' });
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'voided', decision: { reason: 'grant_lapsed' } });
  });

  test('running before its deadline: park there', async () => {
    const body = await running();
    expect(await settle(body)).toMatchObject({ next: 'run_tool', timeout_seconds: 45 + GRACE });
  });

  test('running past its deadline: unknown, done', async () => {
    const body = await running();
    await ports.clock.advance(45_000);
    expect(await settle(body)).toMatchObject({ next: 'done' });
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'unknown', reason: 'run_deadline_passed' });
  });

  test.each<[string, () => Promise<ReplyBody>]>([
    ['denied', async () => { const body = await pending(); await stage.vote(body, 'user:ana', 'deny'); return body; }],
    ['refused', async () => ({ ...(await pending('drop_table')), arguments_hash: `sha256:${'0'.repeat(64)}` })],
    ['answered', async () => { const body = await pending('ask_human'); await stage.vote(body, 'user:ana'); return body; }],
    ['completed', async () => { const body = await granted(); await stage.toTheEnd(); return body; }],
  ])('%s: done, and nothing more is stored', async (status, make) => {
    const body = await make();
    const texts = ports.eventLog.texts().length;
    expect(await settle(body)).toMatchObject({ next: 'done', timeout_seconds: 1 });
    expect((await stage.operationOf(body.operation_id)).status).toBe(status);
    expect(ports.eventLog.texts()).toHaveLength(texts);
  });

  test('nothing: done, without a run', async () => {
    expect(await settle({ operation_id: `op_${'f'.repeat(32)}`, arguments_hash: `sha256:${'0'.repeat(64)}` })).toMatchObject({ next: 'done' });
  });

  test('is never a grant or a start', async () => {
    const [asked, allowed] = [await pending(), await granted()];
    for (const body of [asked, allowed]) await settle(body);
    expect(ports.invoker.ledger).toEqual([]);
    expect([await lastType(asked), await lastType(allowed)]).toEqual(['approval.requested', 'approval.granted']);
  });

  test('cannot be read: the fault is thrown, for the state machine to try again', async () => {
    const body = await pending();
    instead(ports.eventLog, 'load', () => unavailable);
    await expect(settle(body)).rejects.toMatchObject({ name: 'Unavailable' });
  });

  test('is asked with a payload of another shape: a mistake of the deployment', async () => {
    await expect(stage.tasks.settle({ operation_id: 'x' })).rejects.toMatchObject({ name: 'Misconfigured' });
  });
});

describe('asked at the same moment', () => {
  test('by Settle twice and the sweep, an operation expires once (K17)', async () => {
    const body = await pending();
    await stage.quiet();
    await ports.clock.advance(3600_000);
    await Promise.all([settle(body), settle(body), stage.relay({ sweep: true })]);
    expect((await stage.eventsOf(body.operation_id)).map(({ type }) => type)).toEqual(['approval.requested', 'approval.expired']);
  });

  test('as a vote in the last millisecond, one of the two is stored and both say so', async () => {
    const body = await pending();
    await ports.clock.advance(3599_999);
    const vote = stage.vote(body, 'user:ana');
    await ports.clock.advance(1);
    const [reply, settled] = await Promise.all([vote, settle(body)]);
    const { status } = await stage.operationOf(body.operation_id);
    expect(`${reply.status} ${settled.next} ${status}`).toMatch(/^(200 run_tool granted|410 done expired)$/);
  });

  test('a process that ends before or after its append leaves one expiry', async () => {
    for (const moment of ['before', 'after'] as const) {
      const body = await pending();
      await ports.clock.advance(3600_000);
      const dying = corridor({ ports, inject: injector({ effect: 1, moment, kind: 'crash' }) });
      await expect(dying.tasks.settle({ operation_id: body.operation_id, arguments_hash: body.arguments_hash, wait: { timeout_seconds: 60 } })).rejects.toThrow();
      expect(await settle(body)).toMatchObject({ next: 'done' });
      expect((await stage.eventsOf(body.operation_id)).map(({ type }) => type)).toEqual(['approval.requested', 'approval.expired']);
    }
  });
});

describe('turns that bring nothing', () => {
  test('go on at once the first time, then wait longer and longer, and close what is lost after ten', async () => {
    const body = await granted();
    const seen: string[] = [];
    let last: Settled | undefined;
    for (let asks = 0; asks < 40 && last?.next !== 'done'; asks += 1) {
      last = await settle(body, last);
      seen.push(last.next === 'back_off' ? `wait ${String(last.timeout_seconds)}` : last.next);
    }
    expect(seen).toEqual([
      'run_tool',
      ...[2, 4, 8, 16, 32, 60, 60, 60, 60].flatMap((seconds) => [`wait ${String(seconds)}`, 'run_tool']),
      'done',
    ]);
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'cancelled', decision: { reason: 'execution_lost' } });
    expect(ports.log.codes()).toContain('CS3006');
  });

  test('of a run that is lost end it as unknown, never as not run', async () => {
    const body = await running();
    expect(await settle(body, { next: 'run_tool', timeout_seconds: 5, turns: 10, sequence: 3 })).toMatchObject({ next: 'done' });
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'unknown', reason: 'execution_lost' });
  });

  test('are counted anew once an event has come', async () => {
    const body = await pending();
    await stage.vote(body, 'user:ana');
    expect(await settle(body, { next: 'await_decision', timeout_seconds: 5, turns: 10, sequence: 1 })).toMatchObject({ next: 'run_tool', turns: 1, sequence: 2 });
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'granted' });
  });

  test('do not outvote the deadline: what has expired has expired', async () => {
    const body = await pending();
    await ports.clock.advance(3600_000);
    await settle(body, { next: 'await_decision', timeout_seconds: 5, turns: 10, sequence: 1 });
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'expired' });
  });

  test('do not touch what is closed', async () => {
    const body = await pending();
    await stage.vote(body, 'user:ana', 'deny');
    expect(await settle(body, { next: 'await_decision', timeout_seconds: 5, turns: 10, sequence: 2 })).toMatchObject({ next: 'done' });
    expect(await lastType(body)).toBe('approval.denied');
  });
});

describe('an execution that was stopped, aborted or timed out', () => {
  const changed = (name: string, status: string, detail: object = {}) =>
    stage.tasks.settle({
      version: '0',
      id: '315c1398-40ff-a850-213b-158f73e60175',
      'detail-type': 'Step Functions Execution Status Change',
      source: 'aws.states',
      account: '123456789012',
      time: '2026-11-02T09:10:00Z',
      region: 'eu-central-1',
      resources: [`arn:aws:states:eu-central-1:123456789012:execution:approval:${name}`],
      detail: { executionArn: `arn:aws:states:eu-central-1:123456789012:execution:approval:${name}`, stateMachineArn: 'arn', name, status, startDate: 1, stopDate: 2, input: null, inputDetails: { included: false }, output: null, outputDetails: null, ...detail },
    });

  test.each(['ABORTED', 'FAILED', 'TIMED_OUT'])('(%s) closes what waited for it, also when input and output are null (040)', async (status) => {
    const [asked, allowed] = [await pending(), await granted()];
    for (const body of [asked, allowed]) {
      expect(await changed(body.operation_id, status)).toEqual({});
      expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'cancelled', decision: { reason: 'execution_stopped', by: 'system:state-machine' } });
    }
    expect(ports.invoker.ledger).toEqual([]);
  });

  test('leaves a run unknown, and a late result is evidence (K14)', async () => {
    const body = await granted();
    ports.invoker.behaving('refund_payment', async () => (await changed(body.operation_id, 'ABORTED'), { kind: 'completed', output: 'paid' }));
    await stage.tasks.run({ operation_id: body.operation_id, arguments_hash: body.arguments_hash, task_token: 'T', entered_at: START_OF_TEST, retry_count: 0 });
    expect((await stage.eventsOf(body.operation_id)).map(({ type }) => type).slice(2)).toEqual(['tool.started', 'tool.outcome_unknown', 'tool.outcome_observed']);
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'unknown', observations: [{ observed: 'completed' }] });
  });

  test('changes nothing that is closed, however often it is told', async () => {
    const body = await granted();
    await stage.toTheEnd();
    const texts = ports.eventLog.texts().length;
    for (let times = 0; times < 2; times += 1) await changed(body.operation_id, 'ABORTED');
    expect(ports.eventLog.texts()).toHaveLength(texts);
  });

  test('past the deadline is told as what time did', async () => {
    const body = await pending();
    await ports.clock.advance(3600_000);
    await changed(body.operation_id, 'TIMED_OUT');
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'expired' });
  });

  test('of another name than an operation of ours is let go', async () => {
    expect(await changed('someone-elses-execution', 'ABORTED')).toEqual({});
    expect(await changed(`op_${'f'.repeat(32)}`, 'ABORTED')).toEqual({});
    expect(ports.eventLog.texts()).toEqual([]);
  });

  test.each(['SUCCEEDED', 'RUNNING', 'PENDING_REDRIVE'])('with the status %s, which the rule does not deliver, is no reason to close anything', async (status) => {
    const body = await pending();
    await expect(changed(body.operation_id, status)).rejects.toMatchObject({ name: 'Misconfigured' });
    expect(await lastType(body)).toBe('approval.requested');
  });

  test('is noticed while people are asked: their vote comes too late, and says why', async () => {
    const body = await pending();
    await stage.quiet();
    stage.executions.stop(body.operation_id);
    await changed(body.operation_id, 'ABORTED');
    expect(await stage.vote(body, 'user:ana')).toMatchObject({ status: 409, body: { code: 'already_decided' } });
    await stage.toTheEnd();
    expect(ports.invoker.ledger).toEqual([]);
  });
});
