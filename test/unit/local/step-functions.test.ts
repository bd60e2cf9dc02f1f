import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { openStepFunctions, type LocalStepFunctions, type StepFunctionsOptions } from '../../../infra/local/step-functions.ts';
import { calling, definitionOf, inputOf, waiting } from '../../support/small-machines.ts';

const [tokens, ends, calls]: [string[], unknown[][], unknown[]] = [[], [], []];
let sfn: LocalStepFunctions;

const ask = async (payload: unknown): Promise<void> => void tokens.push((payload as { task_token: string }).task_token);
const call = async (payload: unknown): Promise<void> => void calls.push(payload);

function open(options: Partial<StepFunctionsOptions> = {}): void {
  const definition = definitionOf({ Ask: { ...waiting, End: undefined, Next: 'Call' }, Call: calling });
  sfn = openStepFunctions({ definition, functions: { Ask: ask, Call: call }, onEnded: (...end) => ends.push(end), ...options });
}

afterEach(async () => {
  await sfn.close();
  for (const list of [tokens, ends, calls]) list.length = 0;
});

describe('starting by name', () => {
  test('starts once; the same name again exists, with the same input while it runs', async () => {
    open();

    expect([await sfn.start(inputOf('op1')), await sfn.start(inputOf('op1'))]).toEqual(['started', 'exists']);
    expect([tokens.length, sfn.running()]).toEqual([1, ['op1']]);
  });

  test('exists with another input', async () => {
    open();

    expect([await sfn.start(inputOf('op1', 30)), await sfn.start(inputOf('op1', 31))]).toEqual(['started', 'exists']);
  });

  test('exists after it has ended, and does not run again', async () => {
    open();
    await sfn.start(inputOf('op1'));
    await sfn.succeed(tokens[0]!);
    await sleep(5);

    expect(sfn.running()).toEqual([]);
    expect(await sfn.start(inputOf('op1'))).toBe('exists');
    expect([tokens.length, calls.length]).toEqual([1, 1]);
  });

  test('ten at once wait side by side, each with its own token', async () => {
    open();
    const names = Array.from({ length: 10 }, (_, n) => `op${n}`);
    await Promise.all(names.map((name) => sfn.start(inputOf(name))));
    await sfn.succeed(tokens[3]!);
    await sleep(5);

    expect(ends).toEqual([['op3', 'SUCCEEDED', undefined]]);
    expect(sfn.running()).toHaveLength(9);
  });

  test('keeps the input that it was given, whatever becomes of the object', async () => {
    const input = inputOf('op1');
    open();
    await sfn.start(input);
    input.wait.timeout_seconds = 1;
    await sfn.succeed(tokens[0]!);
    await sleep(5);

    expect(calls).toEqual([{ seen: { timeout_seconds: 30 } }]);
  });
});

describe('stopping', () => {
  test('ends as aborted at once, with a dead token and no further call', async () => {
    open();
    await sfn.start(inputOf('op1'));
    sfn.stop('op1');
    sfn.stop('nobody');
    await sleep(5);

    expect(ends).toEqual([['op1', 'ABORTED', undefined]]);
    expect(await sfn.succeed(tokens[0]!)).toBe('dead');
    expect([calls, sfn.running()]).toEqual([[], []]);
  });

  test('leaves what a called function still does without effect', async () => {
    const answer = Promise.withResolvers<unknown>();
    const definition = definitionOf({ Call: { ...calling, End: undefined, Next: 'Ask' }, Ask: waiting });
    open({ definition, functions: { Ask: ask, Call: () => answer.promise } });
    await sfn.start(inputOf('op1'));
    sfn.stop('op1');
    answer.resolve({});
    await sleep(5);

    expect([ends, tokens]).toEqual([[['op1', 'ABORTED', undefined]], []]);
  });

  test('does not sit out a pause between retries', async () => {
    const definition = definitionOf({ Call: { ...calling, Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 900 }] } });
    let attempts = 0;
    open({ definition, functions: { Call: () => Promise.reject(new Error(`attempt ${++attempts}`)) } });
    await sfn.start(inputOf('op1'));
    await sleep(5);
    sfn.stop('op1');
    await sleep(5);

    expect([attempts, ends]).toEqual([1, [['op1', 'ABORTED', undefined]]]);
  });
});

describe('closing', () => {
  test('ends everything quietly: no ending is told, no timer is left, nothing is thrown into the air', async () => {
    const thrown: unknown[] = [];
    const notice = (reason: unknown): void => void thrown.push(reason);
    process.on('unhandledRejection', notice);
    open({ definition: definitionOf({ Call: calling }), functions: { Call: () => sleep(10).then(() => Promise.reject(new Error('late'))) } });
    const before = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    await Promise.all(['op1', 'op2'].map((name) => sfn.start(inputOf(name))));
    await sfn.close();
    await sleep(20);
    process.off('unhandledRejection', notice);

    expect([ends, thrown, sfn.running()]).toEqual([[], [], []]);
    expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length).toBeLessThanOrEqual(before);
  });

  test('answers nothing afterwards but that it is unavailable', async () => {
    open();
    await sfn.start(inputOf('op1'));
    await sfn.close();

    await expect(sfn.start(inputOf('op2'))).rejects.toMatchObject({ name: 'Unavailable' });
    await expect(sfn.succeed(tokens[0]!)).rejects.toMatchObject({ name: 'Unavailable' });
    await expect(sfn.fail(tokens[0]!, 'Closed')).rejects.toMatchObject({ name: 'Unavailable' });
  });
});

test('draws its tokens from the chance that it is given', async () => {
  open({ random: (bytes) => new Uint8Array(bytes).fill(tokens.length) });
  await Promise.all([sfn.start(inputOf('op1')), sfn.start(inputOf('op2'))]);

  expect(tokens.map((token) => Buffer.from(token, 'base64').at(-1))).toEqual([0, 1]);
});

test('tells each state as it is entered', async () => {
  const states: string[] = [];
  open({ state_entered: (execution, state) => states.push(`${execution} ${state}`) });
  await sfn.start(inputOf('op1'));
  await sfn.succeed(tokens[0]!);
  await sleep(5);

  expect(states).toEqual(['op1 Ask', 'op1 Call']);
});
