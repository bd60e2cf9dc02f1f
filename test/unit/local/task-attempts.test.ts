import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openStepFunctions, type LocalStepFunctions, type StepFunctionsOptions } from '../../../infra/local/step-functions.ts';
import { calling, definitionOf, inputOf, waiting, type States } from '../../support/small-machines.ts';

interface Asked {
  readonly task_token: string;
  readonly entered_at: string;
  readonly retry_count: number;
  readonly state: string;
  readonly execution: string;
}

const unavailable = () => Object.assign(new Error('secret-value'), { name: 'Unavailable' });
const again = [{ ErrorEquals: ['Unavailable'], MaxAttempts: 2 }];
const DAY_MS = 86_400_000;
let sfn: LocalStepFunctions;
let asked: Asked[];
let ends: unknown[][];

function open(states: States, functions: StepFunctionsOptions['functions'] = {}): void {
  asked = [];
  ends = [];
  const Ask = async (payload: unknown): Promise<unknown> => asked.push(payload as Asked);
  sfn = openStepFunctions({ definition: definitionOf(states), functions: { Ask, Call: async () => ({}), ...functions }, retry_pause_ms: 0, onEnded: (...end) => ends.push(end) });
}

const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-11-30T12:00:00Z') }));
afterEach(async () => {
  await sfn.close();
  await settled();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('a task that waits for its token', () => {
  test('is given a long token with the characters that get lost on the way, its state, its time and its place', async () => {
    open({ Ask: waiting });
    await sfn.start(inputOf('op1'));

    expect(asked).toEqual([{ task_token: expect.stringMatching(/^[A-Za-z0-9+/]{500,}=+$/), entered_at: '2026-11-30T12:00:00.000Z', retry_count: 0, state: 'Ask', execution: 'op1' }]);
    expect(asked[0]?.task_token).toMatch(/\+.*\//);
  });

  test('draws its tokens from chance', async () => {
    open({ Ask: waiting });
    await Promise.all(['op1', 'op2', 'op3'].map((name) => sfn.start(inputOf(name))));

    expect(new Set(asked.map((one) => one.task_token)).size).toBe(3);
  });

  test('ends with the first wake-up; the token is dead from then on', async () => {
    open({ Ask: waiting });
    await sfn.start(inputOf('op1'));
    const { task_token } = asked[0]!;

    expect([await sfn.succeed(task_token), await sfn.succeed(task_token), await sfn.fail(task_token, 'Closed')]).toEqual(['woken', 'dead', 'dead']);
    await settled();
    expect(ends).toEqual([['op1', 'SUCCEEDED', undefined]]);
  });

  test('may be woken before its function has answered, and what that then throws changes nothing', async () => {
    open({ Ask: waiting }, {
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
    open({ Ask: waiting });
    await sfn.start(inputOf('op1'));
    await sfn.fail(asked[0]!.task_token, 'Closed');
    await settled();

    expect(ends).toEqual([['op1', 'FAILED', 'Closed']]);
  });

  test('knows no token that it did not give', async () => {
    open({ Ask: waiting });
    await sfn.start(inputOf('op1'));

    expect([await sfn.succeed(''), await sfn.fail(asked[0]!.task_token.slice(0, -1), 'Closed')]).toEqual(['dead', 'dead']);
  });

  test('times out after the seconds of its own input, and the token dies with it', async () => {
    open({ Ask: waiting });
    await sfn.start(inputOf('op1', 90));
    await vi.advanceTimersByTimeAsync(89_999);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);

    expect(ends).toEqual([['op1', 'FAILED', 'States.Timeout']]);
    expect(await sfn.succeed(asked[0]!.task_token)).toBe('dead');
  });

  test.each([0, -1, 1.5, '5', null, { none: 1 }])('fails like on AWS, uncatchable, when the seconds are %j', async (seconds) => {
    open({ Ask: { ...waiting, End: undefined, Next: 'Done', Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Done' }] }, Done: { Type: 'Succeed' } });
    await sfn.start(inputOf('op1', seconds as number));
    await settled();

    expect(ends).toEqual([['op1', 'FAILED', 'States.Runtime']]);
    expect(asked).toEqual([]);
  });

  test('fails the same way when its input has no seconds', async () => {
    open({ Ask: { ...waiting, TimeoutSecondsPath: '$.wait.seconds', End: undefined, Next: 'Done', Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Done' }] }, Done: { Type: 'Succeed' } });
    await sfn.start(inputOf('op1'));
    await settled();

    expect([ends, asked]).toEqual([[['op1', 'FAILED', 'States.Runtime']], []]);
  });

  test('waits longer than the timers of the engine and of Node can', async () => {
    open({ Ask: waiting });
    await sfn.start(inputOf('op1', 60 * 86_400));
    await vi.advanceTimersByTimeAsync(60 * DAY_MS - 1);
    expect([asked.length, ends]).toEqual([1, []]);
    await vi.advanceTimersByTimeAsync(1);

    expect(ends).toEqual([['op1', 'FAILED', 'States.Timeout']]);
  });

  test('keeps its token while the timers are wound up again', async () => {
    open({ Ask: waiting });
    await sfn.start(inputOf('op1', 60 * 86_400));
    await vi.advanceTimersByTimeAsync(55 * DAY_MS);

    expect(await sfn.succeed(asked[0]!.task_token)).toBe('woken');
    await settled();
    expect(ends).toEqual([['op1', 'SUCCEEDED', undefined]]);
  });
});

describe('an attempt that is made again', () => {
  test('has a new token, a higher count and the time of the same entry; the first token is dead', async () => {
    let calls = 0;
    open({ Ask: { ...waiting, Retry: again } }, {
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
    open({ Ask: { ...waiting, End: undefined, Next: 'Done', Retry: again, Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'Ask' }] }, Done: { Type: 'Succeed' } });
    await sfn.start(inputOf('op1'));
    await sfn.fail(asked[0]!.task_token, 'Closed');
    await settled();

    expect(asked.map((one) => [one.retry_count, one.entered_at])).toEqual([[0, '2026-11-30T12:00:00.000Z'], [0, '2026-11-30T12:00:00.001Z']]);
  });

  test('gives up after the attempts that the definition allows, with the name of the error and none of its words', async () => {
    let calls = 0;
    open({ Ask: { ...waiting, End: undefined, Next: 'Done', Retry: again, Catch: [{ ErrorEquals: ['Unavailable'], ResultPath: '$.wait', Next: 'Call' }] }, Call: { ...calling, End: undefined, Next: 'Done' }, Done: { Type: 'Succeed' } }, {
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
    open(next, { Call: async () => ({ next: 'done', at: undefined }) });
    await sfn.start(inputOf('op1'));
    await settled();

    expect(asked).toEqual([{ result: { Payload: { next: 'done' }, StatusCode: 200, ExecutedVersion: '$LATEST' } }]);
  });

  test('cannot reach into the state through what it was given', async () => {
    const given: Record<string, Record<string, unknown>>[] = [];
    open({ Call: { ...calling, ResultPath: null, End: undefined, Next: 'Again' }, Again: calling }, {
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
    open({ Call: calling }, { Call: () => new Promise(() => undefined) });
    await sfn.start(inputOf('op1'));
    await vi.advanceTimersByTimeAsync(60_000);

    expect(ends).toEqual([['op1', 'FAILED', 'States.Timeout']]);
  });

  test('keeps the name of what it throws, be it no Error at all', async () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- that is what is tried here
    open({ Call: calling }, { Call: async () => { throw 'plain words'; } });
    await sfn.start(inputOf('op1'));
    await settled();

    expect(ends).toEqual([['op1', 'FAILED', 'string']]);
  });
});

describe('a Wait', () => {
  const pause = { Pause: { Type: 'Wait', SecondsPath: '$.wait.timeout_seconds', Next: 'Call' }, Call: calling };

  test.each([0, 1, 45, 40 * 86_400])('lasts the %i seconds of its path and passes its input on', async (seconds) => {
    const seen: unknown[] = [];
    open(pause, { Call: async (payload) => void seen.push(payload) });
    await sfn.start(inputOf('op1', seconds));
    if (seconds > 0) await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);

    expect(seen).toEqual([{ seen: { timeout_seconds: seconds } }]);
  });
});
