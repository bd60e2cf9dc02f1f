import { beforeEach, describe, expect, test } from 'vitest';
import { argumentsHash } from '../../../lambdas/domain/binding.ts';
import { Fault } from '../../../lambdas/domain/faults.ts';
import { sha256Digest } from '../../../lambdas/domain/json/digest.ts';
import { LIMITS } from '../../../lambdas/domain/limits.ts';
import type { PolicyScope } from '../../../lambdas/domain/policy/policy-document.ts';
import type { RegistryDocument } from '../../../lambdas/domain/registry.ts';
import { plusSeconds } from '../../../lambdas/domain/times.ts';
import { injector, instead, unavailable, type CrashPoint } from '../../support/crash-points.ts';
import { corridor, type ReplyBody } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { START_OF_TEST } from '../../support/in-memory-system.ts';
import { denies, testRegistry, withoutTool, withTool } from '../../support/port-registry.ts';

let ports: Ports;
let stage: ReturnType<typeof corridor>;

beforeEach(() => {
  ports = inMemoryPorts();
  stage = corridor({ ports });
});

const granted = async (tool = 'refund_payment', args: unknown = { amount: 5, to: 'c-1' }): Promise<ReplyBody> => {
  const { body } = await stage.propose(tool, args);
  await stage.vote(body, 'user:ana');
  return body;
};
const run = ({ operation_id, arguments_hash }: Pick<ReplyBody, 'operation_id' | 'arguments_hash'>, task_token = 'T1', retry_count = 0, on = stage) =>
  on.tasks.run({ operation_id, arguments_hash, task_token, entered_at: START_OF_TEST, retry_count });
const typesOf = async ({ operation_id }: ReplyBody): Promise<readonly string[]> => (await stage.eventsOf(operation_id)).map(({ type }) => type).slice(2);
const calls = (): number => ports.invoker.ledger.length;

describe('running a granted tool', () => {
  test('stores the start, runs the tool on the hashed bytes, stores the result and then its digest', async () => {
    ports.invoker.behaving('refund_payment', async ({ operation_id }) => {
      expect((await stage.eventsOf(operation_id)).at(-1)?.type).toBe('tool.started');
      return { kind: 'completed', output: { receipt: 'r-1' } };
    });
    const body = await granted();
    expect(await run(body)).toEqual({});
    expect(ports.invoker.ledger).toEqual([{ function_name: 'refund_payment', operation_id: body.operation_id, arguments_hash: body.arguments_hash, arguments: '{"amount":5,"to":"c-1"}', timeout_seconds: 30 }]);
    const [started, completed] = (await stage.eventsOf(body.operation_id)).slice(2);
    expect(started).toMatchObject({ type: 'tool.started', data: { actor: { subject: 'system:run-tool' }, run_deadline: plusSeconds(START_OF_TEST, 45) } });
    expect(completed).toMatchObject({ type: 'tool.completed', data: { claim_id: (started as { data: { claim_id: string } }).data.claim_id, result_hash: sha256Digest('{"receipt":"r-1"}') } });
    expect(ports.vault.results().get(body.operation_id)?.value).toBe('{"receipt":"r-1"}');
  });

  test('parks its token before it claims, so that an outcome finds it', async () => {
    const body = await granted();
    const seen: (string | undefined)[] = [];
    instead(ports.eventLog, 'append', (before) => async (...args) => (seen.push(await ports.tokens.readToken(body.operation_id, 'run_tool')), before(...args)));
    await run(body);
    expect(seen).toEqual(['T1', 'T1']);
  });

  test('names the task that caused it without its token', async () => {
    const body = await granted();
    await run(body, 'SECRET-TOKEN');
    expect(ports.eventLog.texts().join()).not.toContain('SECRET-TOKEN');
    expect(JSON.stringify(ports.log.lines)).not.toContain('SECRET-TOKEN');
    expect((await stage.eventsOf(body.operation_id))[2]?.data.causation_id).toMatch(/^task:sha256:[0-9a-f]{16}$/);
  });

  test('says nothing of the output in events and log lines', async () => {
    ports.invoker.behaving('refund_payment', () => ({ kind: 'completed', output: 'CANARY' }));
    await run(await granted());
    expect(ports.eventLog.texts().join() + JSON.stringify(ports.log.lines)).not.toContain('CANARY');
  });
});

describe('two invocations at once', () => {
  test.each([2, 5])('of %i, one starts the tool and the others park and wait', async (count) => {
    const body = await granted();
    const outcomes = await Promise.allSettled(Array.from({ length: count }, (_, index) => run(body, `T${index}`, index)));
    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(calls()).toBe(1);
    expect((await typesOf(body)).filter((type) => type === 'tool.started')).toHaveLength(1);
    expect(await ports.tokens.readToken(body.operation_id, 'run_tool')).toBe(`T${count - 1}`);
    expect(ports.log.lines.filter(({ facts: { code } }) => code === 'grant_already_claimed')).toHaveLength(count - 1);
  });

  test('with one that comes while the tool runs runs it once', async () => {
    const body = await granted();
    ports.invoker.behaving('refund_payment', async () => (await run(body, 'T2', 1), { kind: 'completed', output: null }));
    await run(body);
    expect(calls()).toBe(1);
    expect(await typesOf(body)).toEqual(['tool.started', 'tool.completed']);
  });
});

describe('there is no grant', () => {
  test.each<[string, (body: ReplyBody) => Promise<unknown>]>([
    ['while people are asked', async () => undefined],
    ['after a denial', (body) => stage.vote(body, 'user:ana', 'deny')],
    ['after a cancel', ({ operation_id }) => stage.http({ route: 'POST /agent/operations/{id}/cancel', as: 'agent:billing-bot', id: operation_id, body: {} })],
    ['after a decision on another hash', (body) => stage.vote({ ...body, arguments_hash: `sha256:${'0'.repeat(64)}` }, 'user:ana')],
    ['once it has run', async (body) => (await stage.vote(body, 'user:ana'), run(body, 'T0'))],
  ])('%s: NotGranted, and the tool does not run', async (_, prepare) => {
    const { body } = await stage.propose('refund_payment', { amount: 5 });
    await prepare(body);
    const before = calls();
    const texts = ports.eventLog.texts().length;
    await expect(run(body)).rejects.toMatchObject({ name: 'NotGranted', message: 'there is no grant to take' });
    expect(calls()).toBe(before);
    expect(ports.eventLog.texts()).toHaveLength(texts);
  });

  test('for an operation that is not stored', async () => {
    await expect(run({ operation_id: `op_${'f'.repeat(32)}`, arguments_hash: `sha256:${'0'.repeat(64)}` })).rejects.toMatchObject({ name: 'NotGranted' });
  });

  test('whatever the payload says', async () => {
    await expect(stage.tasks.run({ granted: true })).rejects.toMatchObject({ name: 'Misconfigured' });
    expect(calls()).toBe(0);
  });
});

describe('a grant is voided, and the tool does not run,', () => {
  const expectVoided = async (body: ReplyBody, reason: string): Promise<void> => {
    await expect(run(body)).rejects.toMatchObject({ name: 'NotGranted' });
    expect(calls()).toBe(0);
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'voided', decision: { reason } });
    await expect(run(body, 'T2')).rejects.toMatchObject({ name: 'NotGranted' });
    expect(await typesOf(body)).toEqual(['approval.voided']);
  };

  test.each([
    ['changed by one digit', '{"amount":6,"to":"c-1"}'],
    ['spelled otherwise', '{"to":"c-1","amount":5}'],
    ['longer by a blank', '{"amount":5,"to":"c-1"} '],
    ['gone', undefined],
  ])('when the vault\u2019s bytes are %s', async (_, bytes) => {
    const body = await granted();
    ports.vault.tamperArguments(body.operation_id, bytes);
    await expectVoided(body, 'arguments_changed');
  });

  test('from the very moment of its end', async () => {
    const body = await granted();
    await ports.clock.advance(900_000);
    await expectVoided(body, 'grant_lapsed');
  });

  test('but not a millisecond before', async () => {
    const body = await granted();
    await ports.clock.advance(899_999);
    await run(body);
    expect(calls()).toBe(1);
  });

  test.each<[string, RegistryDocument, string]>([
    ['its version is another', withTool('refund_payment', { version: '2' }), 'tool_changed'],
    ['another function would run', withTool('refund_payment', { executor: { function: 'something_else' } }), 'tool_changed'],
    ['it has become idempotent', withTool('refund_payment', { idempotent: true }), 'tool_changed'],
    ['it is gone', withoutTool('refund_payment'), 'tool_changed'],
  ])('when %s', async (_, document, reason) => {
    const body = await granted();
    await ports.registry.replace(document);
    await expectVoided(body, reason);
  });

  test.each<PolicyScope>(['org:acme', 'workspace:w1', 'agent:billing-bot'])('when %s denies it now', async (scope) => {
    const body = await granted();
    await ports.policies.seed(scope, { rules: [denies('refund_*')] });
    await expectVoided(body, 'policy_denies_now');
  });
});

describe('what the tool answers', () => {
  test('as a failure is recorded as one, by its error type and the digest of its words', async () => {
    ports.invoker.behaving('refund_payment', () => ({ kind: 'failed', error: 'CardExpired', message: 'CANARY the card has expired' }));
    const body = await granted();
    await run(body);
    const kept = '{"error":"CardExpired","message":"CANARY the card has expired"}';
    expect((await stage.eventsOf(body.operation_id)).at(-1)).toMatchObject({ type: 'tool.failed', data: { error: 'CardExpired', result_hash: sha256Digest(kept) } });
    expect(ports.vault.results().get(body.operation_id)?.value).toBe(kept);
    expect(ports.eventLog.texts().join()).not.toContain('CANARY');
  });

  test('as not known is recorded as unknown, and no result is kept', async () => {
    ports.invoker.behaving('refund_payment', () => ({ kind: 'unknown', reason: 'answer_lost' }));
    const body = await granted();
    await run(body);
    expect((await stage.eventsOf(body.operation_id)).at(-1)).toMatchObject({ type: 'tool.outcome_unknown', data: { reason: 'answer_lost' } });
    expect(ports.vault.results().size).toBe(0);
    expect(ports.log.codes()).toContain('CS4004');
  });

  test.each([
    ['too large in characters', 'x'.repeat(LIMITS.result_bytes), LIMITS.result_bytes + 2],
    ['too large in bytes only', '\u20ac'.repeat(120_000), 360_002],
  ])('%s is left out, and says so with its size; the run is completed all the same', async (_, output, bytes) => {
    ports.invoker.behaving('refund_payment', () => ({ kind: 'completed', output }));
    const body = await granted();
    await run(body);
    const kept = JSON.stringify({ omitted: 'result_too_large', bytes });
    expect(ports.vault.results().get(body.operation_id)?.value).toBe(kept);
    expect((await stage.eventsOf(body.operation_id)).at(-1)).toMatchObject({ type: 'tool.completed', data: { result_hash: sha256Digest(kept) } });
  });

  test('of just the size that fits is kept whole', async () => {
    const output = 'x'.repeat(LIMITS.result_bytes - 2);
    ports.invoker.behaving('refund_payment', () => ({ kind: 'completed', output }));
    const body = await granted();
    await run(body);
    expect(ports.vault.results().get(body.operation_id)?.value).toBe(JSON.stringify(output));
  });

  test('as nothing at all is kept as null', async () => {
    ports.invoker.behaving('refund_payment', () => ({ kind: 'completed', output: undefined }));
    const body = await granted();
    await run(body);
    expect(ports.vault.results().get(body.operation_id)?.value).toBe('null');
  });
});

describe('what breaks after the start', () => {
  test.each<[string, () => unknown]>([
    ['the invoker itself', () => ports.invoker.behaving('refund_payment', () => unavailable())],
    ['the vault of results', () => instead(ports.results, 'putResult', () => unavailable)],
    ['the log', () => instead(ports.eventLog, 'append', (before) => async (sealed, append_id) => (sealed.event.type === 'tool.completed' ? unavailable() : before(sealed, append_id)))],
  ])('(%s) is OutcomeUnknown, and nothing runs the tool again', async (_, breakIt) => {
    breakIt();
    const body = await granted();
    await expect(run(body)).rejects.toMatchObject({ name: 'OutcomeUnknown', retryable: false, message: 'the tool was started and its outcome is not recorded' });
    expect(ports.log.codes()).toContain('CS4004');
    expect(await typesOf(body)).toEqual(['tool.started']);
    await run(body, 'T2', 1);
    expect(calls()).toBe(1);
    await stage.toTheEnd();
    expect(calls()).toBe(1);
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'unknown', reason: 'run_deadline_passed' });
  });

  test('before the claim is thrown as it is, and the grant is still there to be taken', async () => {
    const body = await granted();
    const mend = instead(ports.vault, 'readArguments', () => unavailable);
    await expect(run(body)).rejects.toMatchObject({ name: 'Unavailable' });
    mend();
    await run(body, 'T2', 1);
    expect(calls()).toBe(1);
    expect(await typesOf(body)).toEqual(['tool.started', 'tool.completed']);
  });

  test('at the claim itself, its reply lost, leaves a start that nobody owns: never run, unknown at its deadline (K12)', async () => {
    const body = await granted();
    const mend = instead(ports.eventLog, 'append', (before) => async (...args) => (await before(...args), unavailable()));
    await expect(run(body)).rejects.toMatchObject({ name: 'Unavailable' });
    mend();
    await run(body, 'T2', 1);
    await stage.toTheEnd();
    expect(calls()).toBe(0);
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'unknown' });
  });
});

describe('a process that ends (148, K12 to K15)', () => {
  const effects = ['tokens.parkToken', 'eventLog.append', 'invoker.invoke', 'results.putResult', 'eventLog.append'];

  test.each(effects.flatMap((effect, index) => (['before', 'after'] as const).map((moment) => [moment, effect, index + 1] as const)))('%s %s (effect %i) never has the tool run twice', async (moment, _, effect) => {
    const body = await granted();
    const point: CrashPoint = { effect, moment, kind: 'crash' };
    const inject = injector(point);
    await expect(run(body, 'T1', 0, corridor({ ports, inject }))).rejects.toThrow();
    expect(inject.seen).toEqual(effects.slice(0, moment === 'before' ? effect : effect));
    await run(body, 'T2', 1).catch(() => undefined);
    await stage.toTheEnd();
    expect(calls()).toBeLessThanOrEqual(1);
    const { status } = await stage.operationOf(body.operation_id);
    const started = effect > 2 || (effect === 2 && moment === 'after');
    const stored = effect === 5 && moment === 'after';
    expect(status).toBe(started && !stored ? 'unknown' : 'completed');
  });
});

describe('a tool that declares itself idempotent', () => {
  test('is run again by the next invocation under the same operation, and its first outcome stands', async () => {
    const body = await granted('sync_ledger');
    const mend = instead(ports.results, 'putResult', () => unavailable);
    await expect(run(body)).rejects.toMatchObject({ name: 'OutcomeUnknown' });
    mend();
    await run(body, 'T2', 1);
    expect(ports.invoker.ledger.map(({ operation_id }) => operation_id)).toEqual([body.operation_id, body.operation_id]);
    expect(await typesOf(body)).toEqual(['tool.started', 'tool.completed']);
    await expect(run(body, 'T3', 2)).rejects.toMatchObject({ name: 'NotGranted' });
  });

  test('records one outcome when two invocations both finish', async () => {
    const body = await granted('sync_ledger');
    await Promise.all([run(body, 'T1', 0), run(body, 'T2', 1)]);
    expect((await typesOf(body)).filter((type) => type === 'tool.completed')).toHaveLength(1);
  });

  test('is not run again after its deadline or once a cancel is wanted', async () => {
    const [late, cancelled] = [await granted('sync_ledger'), await granted('sync_ledger')];
    const mend = instead(ports.results, 'putResult', () => unavailable);
    for (const body of [late, cancelled]) await expect(run(body)).rejects.toMatchObject({ name: 'OutcomeUnknown' });
    mend();
    await stage.http({ route: 'POST /agent/operations/{id}/cancel', as: 'agent:billing-bot', id: cancelled.operation_id, body: {} });
    await run(cancelled, 'T2', 1);
    await ports.clock.advance(75_000);
    await run(late, 'T2', 1);
    expect(calls()).toBe(2);
  });

  const startedOnce = async (): Promise<ReplyBody> => {
    const body = await granted('sync_ledger');
    const mend = instead(ports.results, 'putResult', () => unavailable);
    await expect(run(body)).rejects.toMatchObject({ name: 'OutcomeUnknown' });
    mend();
    return body;
  };

  test('is not run again on other bytes than those that were approved', async () => {
    const body = await startedOnce();
    ports.vault.tamperArguments(body.operation_id, '{"amount":500000,"to":"c-1"}');
    await run(body, 'T2', 1).catch(() => undefined);
    for (const each of ports.invoker.ledger) expect(argumentsHash(each.arguments)).toBe(body.arguments_hash);
  });

  test('is not run again as another definition than the one that was approved', async () => {
    const body = await startedOnce();
    await ports.registry.replace(withTool('sync_ledger', { executor: { function: 'something_else' } }));
    await run(body, 'T2', 1).catch(() => undefined);
    expect(ports.invoker.ledger.map(({ function_name }) => function_name)).not.toContain('something_else');
  });

  test('is not run again under a policy that denies now', async () => {
    const body = await startedOnce();
    await ports.policies.seed('org:acme', { rules: [denies('sync_ledger')] });
    await run(body, 'T2', 1).catch(() => undefined);
    expect(calls()).toBe(1);
  });

  test('must have declared so when it was approved, not afterwards', async () => {
    const body = await granted();
    instead(ports.results, 'putResult', () => unavailable);
    await expect(run(body)).rejects.toMatchObject({ name: 'OutcomeUnknown' });
    await ports.registry.replace(withTool('refund_payment', { idempotent: true }));
    await run(body, 'T2', 1).catch(() => undefined);
    expect(calls()).toBe(1);
  });
});

test('a tool without executor is never granted, and so never reaches the runner', async () => {
  ports = inMemoryPorts(testRegistry());
  stage = corridor({ ports });
  const { body } = await stage.propose('ask_human', {});
  await stage.vote(body, 'user:ana');
  await expect(run(body)).rejects.toMatchObject({ name: 'NotGranted' });
});

test('an executor that is gone between the claim and the call is a fault after the start: unknown', async () => {
  const body = await granted();
  ports.invoker.behaving('refund_payment', async () => Promise.reject(new Fault('Misconfigured', 'x')));
  await expect(run(body)).rejects.toMatchObject({ name: 'OutcomeUnknown' });
});
