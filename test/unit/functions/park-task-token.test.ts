import { beforeEach, describe, expect, test } from 'vitest';
import { plusSeconds } from '../../../lambdas/domain/times.ts';
import { instead, unavailable } from '../../support/crash-points.ts';
import { corridor, type ReplyBody } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { START_OF_TEST } from '../../support/in-memory-system.ts';

let ports: Ports;
let stage: ReturnType<typeof corridor>;
let body: ReplyBody;
const sent: string[] = [];
const dead = new Set<string>();

beforeEach(async () => {
  ports = inMemoryPorts();
  stage = corridor({ ports });
  sent.length = 0;
  dead.clear();
  const answer = (how: string) => async (token: string) => (sent.push(`${how} ${token}`), dead.has(token) ? ('dead' as const) : ('woken' as const));
  instead(ports.waker, 'succeed', () => answer('succeed'));
  instead(ports.waker, 'fail', () => answer('fail'));
  ({ body } = await stage.propose('refund_payment', { amount: 5 }));
});

const park = (task_token: string, retry_count = 0, entered_at = START_OF_TEST, id = body.operation_id) =>
  stage.tasks.park({ operation_id: id, arguments_hash: body.arguments_hash, task_token, entered_at, retry_count });
const parked = (): Promise<string | undefined> => ports.tokens.readToken(body.operation_id, 'await_decision');

describe('parking', () => {
  test('keeps the token and answers with nothing that the history would hold', async () => {
    expect(await park('T1')).toEqual({});
    expect(await parked()).toBe('T1');
    expect(sent).toEqual([]);
    expect(ports.log.lines.at(-1)).toEqual({ code: 'CS3001', facts: { operation_id: body.operation_id, status: 'await_decision' } });
  });

  test.each([
    ['approve', 'succeed T1'],
    ['deny', 'fail T1'],
  ] as const)('wakes at once what was decided before the token was there: %s (025)', async (decision, wake) => {
    await stage.vote(body, 'user:ana', decision);
    expect(sent).toEqual([]);
    await park('T1');
    expect(sent).toEqual([wake]);
  });

  test('stores the token before it reads the log: a decision that falls between finds it there', async () => {
    instead(ports.tokens, 'parkToken', (before) => async (...args) => {
      const answer = await before(...args);
      await stage.vote(body, 'user:ana');
      return answer;
    });
    await park('T1');
    // Twice is fine, for the second finds a dead token; not at all would strand the execution.
    expect(sent).toEqual(['succeed T1', 'succeed T1']);
  });

  test('looks back after it has stored, so that a decision before the store is not missed', async () => {
    instead(ports.tokens, 'parkToken', (before) => async (...args) => {
      await stage.vote(body, 'user:ana');
      return before(...args);
    });
    await park('T1');
    expect(sent).toEqual(['succeed T1']);
  });

  test('never lets a slow attempt put its dead token over a live one, and wakes the live one', async () => {
    await park('T2', 1);
    await stage.vote(body, 'user:ana');
    sent.length = 0;
    await park('T1', 0);
    expect(await parked()).toBe('T2');
    expect(sent).toEqual(['succeed T2']);
  });

  test('of a re-entered wait replaces the token, whatever the retries of the earlier one', async () => {
    await park('T9', 9);
    await park('U0', 0, plusSeconds(START_OF_TEST, 60));
    expect(await parked()).toBe('U0');
  });

  test('compares times as times: a whole second is not after its milliseconds', async () => {
    await park('late', 0, '2026-11-02T09:00:13.192Z');
    await park('early', 0, '2026-11-02T09:00:13Z');
    expect(await parked()).toBe('late');
  });

  test('tries the token that it finds newer when its own is dead already', async () => {
    await stage.vote(body, 'user:ana');
    dead.add('T1');
    instead(ports.waker, 'succeed', (before) => async (token) => {
      if (token === 'T1') await ports.tokens.parkToken(body.operation_id, 'await_decision', { task_token: 'T2', entered_at: START_OF_TEST, retry_count: 1 }, START_OF_TEST);
      return before(token);
    });
    await park('T1');
    expect(sent).toEqual(['succeed T1', 'succeed T2']);
  });

  test('again with the same token changes nothing', async () => {
    await park('T1');
    await park('T1');
    expect(await parked()).toBe('T1');
  });

  test('keeps the token as long as an operation can last', async () => {
    const kept: string[] = [];
    instead(ports.tokens, 'parkToken', (before) => async (...args) => (kept.push(args[3]), before(...args)));
    await park('T1');
    expect(kept[0]! > plusSeconds(START_OF_TEST, 32 * 24 * 3600)).toBe(true);
  });
});

describe('what breaks', () => {
  test('a wake-up that fails is thrown, so that the state retries with a new token', async () => {
    await stage.vote(body, 'user:ana');
    instead(ports.waker, 'succeed', () => unavailable);
    await expect(park('SECRET')).rejects.toMatchObject({ name: 'Unavailable', message: expect.not.stringContaining('SECRET') as string });
    expect(await parked()).toBe('SECRET');
  });

  test('a token that cannot be stored is thrown before anything is woken', async () => {
    await stage.vote(body, 'user:ana');
    instead(ports.tokens, 'parkToken', () => unavailable);
    await expect(park('T1')).rejects.toMatchObject({ name: 'Unavailable' });
    expect(sent).toEqual([]);
  });

  test('an operation that is not stored is a corrupt record', async () => {
    await expect(park('T1', 0, START_OF_TEST, `op_${'f'.repeat(32)}`)).rejects.toMatchObject({ name: 'CorruptRecord' });
  });

  test.each([{}, { task_token: 'T1' }, null, { operation_id: 'x', arguments_hash: 'y', task_token: 'T1', entered_at: START_OF_TEST, retry_count: 0 }])('a payload of another shape (%o) is a mistake of the deployment', async (payload) => {
    await expect(stage.tasks.park(payload)).rejects.toMatchObject({ name: 'Misconfigured' });
  });
});

test('no log line holds the token', async () => {
  await park('SECRET');
  await stage.vote(body, 'user:ana');
  expect(JSON.stringify(ports.log.lines)).not.toContain('SECRET');
  expect(ports.eventLog.texts().join()).not.toContain('SECRET');
});
