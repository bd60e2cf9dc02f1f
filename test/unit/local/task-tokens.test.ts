import { describe, expect, test, vi } from 'vitest';
import { openLocalMachine, settled, useFakeTime, type Asked } from '../../support/local-machine.ts';
import { inputOf, waiting } from '../../support/small-machines.ts';

const DAY_MS = 86_400_000;
const unavailable = () => Object.assign(new Error(), { name: 'Unavailable' });
useFakeTime();

describe('a task that waits for its token', () => {
  test('is given a long token with the characters that get lost on the way, its state, its time and its place', async () => {
    const { sfn, asked } = openLocalMachine({ Ask: waiting });
    await sfn.start(inputOf('op1'));

    expect(asked).toEqual([{ task_token: expect.stringMatching(/^[A-Za-z0-9+/]{500,}=+$/), entered_at: '2026-11-30T12:00:00.000Z', retry_count: 0, state: 'Ask', execution: 'op1' }]);
    expect(asked[0]?.task_token).toMatch(/\+.*\//);
  });

  test('draws its tokens from chance', async () => {
    const { sfn, asked } = openLocalMachine({ Ask: waiting });
    await Promise.all(['op1', 'op2', 'op3'].map((name) => sfn.start(inputOf(name))));

    expect(new Set(asked.map((one) => one.task_token)).size).toBe(3);
  });

  test('ends with the first wake-up; the token is dead from then on', async () => {
    const { sfn, asked, ends } = openLocalMachine({ Ask: waiting });
    await sfn.start(inputOf('op1'));
    const { task_token } = asked[0]!;

    expect([await sfn.succeed(task_token), await sfn.succeed(task_token), await sfn.fail(task_token, 'Closed')]).toEqual(['woken', 'dead', 'dead']);
    await settled();
    expect(ends).toEqual([['op1', 'SUCCEEDED', undefined]]);
  });

  test('may be woken before its function has answered, and what that then throws changes nothing', async () => {
    const { sfn, ends } = openLocalMachine({ Ask: waiting }, {
      Ask: async (payload) => {
        await sfn.succeed((payload as Asked).task_token);
        throw unavailable();
      },
    });
    await sfn.start(inputOf('op1'));
    await settled();

    expect(ends).toEqual([['op1', 'SUCCEEDED', undefined]]);
  });

  test('fails with the name that the failure carries', async () => {
    const { sfn, asked, ends } = openLocalMachine({ Ask: waiting });
    await sfn.start(inputOf('op1'));
    await sfn.fail(asked[0]!.task_token, 'Closed');
    await settled();

    expect(ends).toEqual([['op1', 'FAILED', 'Closed']]);
  });

  test('knows no token that it did not give', async () => {
    const { sfn, asked } = openLocalMachine({ Ask: waiting });
    await sfn.start(inputOf('op1'));

    expect([await sfn.succeed(''), await sfn.fail(asked[0]!.task_token.slice(0, -1), 'Closed')]).toEqual(['dead', 'dead']);
  });

  test('times out after the seconds of its own input, and the token dies with it', async () => {
    const { sfn, asked, ends } = openLocalMachine({ Ask: waiting });
    await sfn.start(inputOf('op1', 90));
    await vi.advanceTimersByTimeAsync(89_999);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);

    expect(ends).toEqual([['op1', 'FAILED', 'States.Timeout']]);
    expect(await sfn.succeed(asked[0]!.task_token)).toBe('dead');
  });

  test.each([0, -1, 1.5, '5', null, { none: 1 }])('fails like on AWS, uncatchable, when the seconds are %j', async (seconds) => {
    const { sfn, asked, ends } = openLocalMachine({ Ask: { ...waiting, End: undefined, Next: 'Done', Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Done' }] }, Done: { Type: 'Succeed' } });
    await sfn.start(inputOf('op1', seconds as number));
    await settled();

    expect(ends).toEqual([['op1', 'FAILED', 'States.Runtime']]);
    expect(asked).toEqual([]);
  });

  test('fails the same way when its input has no seconds', async () => {
    const { sfn, asked, ends } = openLocalMachine({ Ask: { ...waiting, TimeoutSecondsPath: '$.wait.seconds', End: undefined, Next: 'Done', Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Done' }] }, Done: { Type: 'Succeed' } });
    await sfn.start(inputOf('op1'));
    await settled();

    expect([ends, asked]).toEqual([[['op1', 'FAILED', 'States.Runtime']], []]);
  });

  test('waits longer than the timers of the engine and of Node can', async () => {
    const { sfn, asked, ends } = openLocalMachine({ Ask: waiting });
    await sfn.start(inputOf('op1', 60 * 86_400));
    await vi.advanceTimersByTimeAsync(60 * DAY_MS - 1);
    expect([asked.length, ends]).toEqual([1, []]);
    await vi.advanceTimersByTimeAsync(1);

    expect(ends).toEqual([['op1', 'FAILED', 'States.Timeout']]);
  });

  test('keeps its token while the timers are wound up again', async () => {
    const { sfn, asked, ends } = openLocalMachine({ Ask: waiting });
    await sfn.start(inputOf('op1', 60 * 86_400));
    await vi.advanceTimersByTimeAsync(55 * DAY_MS);

    expect(await sfn.succeed(asked[0]!.task_token)).toBe('woken');
    await settled();
    expect(ends).toEqual([['op1', 'SUCCEEDED', undefined]]);
  });
});
