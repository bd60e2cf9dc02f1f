import { describe, expect, test } from 'vitest';
import { readTask, settleTaskSchema, waitingTaskSchema } from '../../../lambdas/middleware/task-payload.ts';

const ids = { operation_id: `op_${'0'.repeat(32)}`, arguments_hash: `sha256:${'0'.repeat(64)}` };
const waiting = { ...ids, task_token: 'AAAA+b/c==', entered_at: '2026-11-02T09:00:00.192Z', retry_count: 0 };

describe('the payload of a waiting task', () => {
  test('is read as the state machine writes it, the token byte for byte', () => {
    expect(readTask(waiting, waitingTaskSchema)).toEqual(waiting);
  });

  test.each([
    ['2026-11-02T09:00:00Z', '2026-11-02T09:00:00.000Z'],
    ['2026-11-02T09:00:00.1Z', '2026-11-02T09:00:00.100Z'],
    ['2026-11-02T10:00:00.192+01:00', '2026-11-02T09:00:00.192Z'],
  ])('has its time made comparable: %s is %s', (entered_at, comparable) => {
    expect(readTask({ ...waiting, entered_at }, waitingTaskSchema).entered_at).toBe(comparable);
  });

  test.each([
    ['another word for the id', { ...waiting, operation_id: 'op_1' }],
    ['no token', { ...waiting, task_token: '' }],
    ['a count below zero', { ...waiting, retry_count: -1 }],
    ['a count as text', { ...waiting, retry_count: '0' }],
    ['more than it should have', { ...waiting, arguments: { amount: 5 } }],
    ['no time', { ...waiting, entered_at: undefined }],
    ['nothing', undefined],
    ['null', null],
    ['text', JSON.stringify(waiting)],
  ])('with %s is a mistake of the deployment, told without its values', (_, payload) => {
    expect(() => readTask(payload, waitingTaskSchema)).toThrow(expect.objectContaining({ name: 'Misconfigured', message: 'the task payload is not as the state machine writes it' }) as Error);
  });

  test('with a time that is none is a mistake of the deployment, too', () => {
    expect(() => readTask({ ...waiting, entered_at: 'soon' }, waitingTaskSchema)).toThrow(expect.objectContaining({ name: 'Misconfigured' }) as Error);
  });
});

describe('the payload of Settle', () => {
  test.each([
    ['on the first turn', { timeout_seconds: 3605 }, undefined],
    ['after a turn', { next: 'await_decision', timeout_seconds: 5, last: { next: 'await_decision', timeout_seconds: 5, turns: 1, sequence: 2 } }, { next: 'await_decision', turns: 1, sequence: 2 }],
    ['after a turn of an older version', { next: 'await_decision', timeout_seconds: 5, last: { next: 'await_decision' } }, { next: 'await_decision' }],
  ])('is read %s', (_, wait, last) => {
    expect(readTask({ ...ids, wait }, settleTaskSchema).wait.last).toEqual(last);
  });

  test('without its wait is a mistake of the deployment', () => {
    expect(() => readTask(ids, settleTaskSchema)).toThrow(expect.objectContaining({ name: 'Misconfigured' }) as Error);
  });
});
