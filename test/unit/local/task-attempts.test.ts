import { describe, expect, test, vi } from 'vitest';
import { openLocalMachine, settled, useFakeTime, type Asked } from '../../support/local-machine.ts';
import { calling, inputOf, waiting } from '../../support/small-machines.ts';

const unavailable = () => Object.assign(new Error('secret-value'), { name: 'Unavailable' });
const again = [{ ErrorEquals: ['Unavailable'], MaxAttempts: 2 }];
useFakeTime();

describe('an attempt that is made again', () => {
  test('has a new token, a higher count and the time of the same entry; the first token is dead', async () => {
    let calls = 0;
    const { sfn, asked } = openLocalMachine({ Ask: { ...waiting, Retry: again } }, {
      Ask: async (payload) => {
        asked.push(payload as Asked);
        if (calls++ === 0) throw unavailable();
      },
    });
    await sfn.start(inputOf('op1'));
    await vi.advanceTimersByTimeAsync(5);

    const [first, second] = asked;
    expect([first?.retry_count, second?.retry_count]).toEqual([0, 1]);
    expect(second?.entered_at).toBe(first?.entered_at);
    expect([await sfn.succeed(first!.task_token), await sfn.succeed(second!.task_token)]).toEqual(['dead', 'woken']);
  });

  test('is an entry of its own after the state was left: count zero again, a later time even in the same millisecond', async () => {
    const { sfn, asked } = openLocalMachine({ Ask: { ...waiting, End: undefined, Next: 'Done', Retry: again, Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'Ask' }] }, Done: { Type: 'Succeed' } });
    await sfn.start(inputOf('op1'));
    await sfn.fail(asked[0]!.task_token, 'Closed');
    await settled();

    expect(asked.map((one) => [one.retry_count, one.entered_at])).toEqual([[0, '2026-11-30T12:00:00.000Z'], [0, '2026-11-30T12:00:00.001Z']]);
  });

  test('gives up after the attempts that the definition allows, with the name of the error and none of its words', async () => {
    let calls = 0;
    const { sfn, ends } = openLocalMachine({ Ask: { ...waiting, End: undefined, Next: 'Done', Retry: again, Catch: [{ ErrorEquals: ['Unavailable'], ResultPath: '$.wait', Next: 'Call' }] }, Call: { ...calling, End: undefined, Next: 'Done' }, Done: { Type: 'Succeed' } }, {
      Ask: async () => { calls += 1; throw unavailable(); },
      Call: async (payload) => { ends.push([payload]); },
    });
    await sfn.start(inputOf('op1'));
    await vi.advanceTimersByTimeAsync(5);

    expect(calls).toBe(3);
    expect(ends[0]).toEqual([{ seen: { Error: 'Unavailable', Cause: '' } }]);
  });
});

describe('a task that is only called', () => {
  const next = { Call: { ...calling, End: undefined, Next: 'Look' }, Look: { ...calling, Parameters: { FunctionName: '${Ask}', Payload: { 'result.$': '$.result' } } } };

  test('gives what lambda:invoke gives', async () => {
    const { sfn, asked } = openLocalMachine(next, { Call: async () => ({ next: 'done', at: undefined }) });
    await sfn.start(inputOf('op1'));
    await settled();

    expect(asked).toEqual([{ result: { Payload: { next: 'done' }, StatusCode: 200, ExecutedVersion: '$LATEST' } }]);
  });

  test('cannot reach into the state through what it was given', async () => {
    const given: Record<string, Record<string, unknown>>[] = [];
    const { sfn } = openLocalMachine({ Call: { ...calling, ResultPath: null, End: undefined, Next: 'Again' }, Again: calling }, {
      Call: async (payload) => {
        given.push(structuredClone(payload) as never);
        (payload as { seen: { timeout_seconds: number } }).seen.timeout_seconds = 7;
      },
    });
    await sfn.start(inputOf('op1'));
    await settled();

    expect(given).toEqual([{ seen: { timeout_seconds: 30 } }, { seen: { timeout_seconds: 30 } }]);
  });

  test('times out after its TimeoutSeconds', async () => {
    const { sfn, ends } = openLocalMachine({ Call: calling }, { Call: () => new Promise(() => undefined) });
    await sfn.start(inputOf('op1'));
    await vi.advanceTimersByTimeAsync(60_000);

    expect(ends).toEqual([['op1', 'FAILED', 'States.Timeout']]);
  });

  test('keeps the name of what it throws, be it no Error at all', async () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- that is what is tried here
    const { sfn, ends } = openLocalMachine({ Call: calling }, { Call: async () => { throw 'plain words'; } });
    await sfn.start(inputOf('op1'));
    await settled();

    expect(ends).toEqual([['op1', 'FAILED', 'string']]);
  });
});

describe('a Wait', () => {
  const pause = { Pause: { Type: 'Wait', SecondsPath: '$.wait.timeout_seconds', Next: 'Call' }, Call: calling };

  test.each([0, 1, 45, 40 * 86_400])('lasts the %i seconds of its path and passes its input on', async (seconds) => {
    const seen: unknown[] = [];
    const { sfn } = openLocalMachine(pause, { Call: async (payload) => void seen.push(payload) });
    await sfn.start(inputOf('op1', seconds));
    if (seconds > 0) await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);

    expect(seen).toEqual([{ seen: { timeout_seconds: seconds } }]);
  });
});
