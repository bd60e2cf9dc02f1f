// One attempt of one task, as Step Functions has it: a fresh token, its own time-out, the first end counts. Bridges what the
// engine lacks: it calls a handler, waits for its promise and knows nothing of tokens, of paths in time-outs or of long timers.
import { randomBytes } from 'node:crypto';
import { LONGEST_ENGINE_SECONDS } from './asl-subset.ts';
import { STILL_WAITING, type LoadedTask, type TaskInput } from './asl-loading.ts';

/** Where one execution stands: one entry of a state and, within it, the attempt that goes on. */
export interface Visit {
  state: string;
  entered_at_ms: number;
  retry_count: number;
  token: string;
  attempt?: Attempt | undefined;
  /** Set when the execution was stopped: no function is called any more. */
  stopped: boolean;
}

export interface Attempt {
  readonly outcome: Promise<unknown>;
  readonly ends_at_ms: number;
  succeed(result: unknown): void;
  fail(error: Error): void;
}

export interface TaskAttempts {
  enter(visit: Visit, state: string): void;
  answer(visit: Visit, task: LoadedTask, input: TaskInput): Promise<unknown>;
  /** The attempt that waits on this token, if any does. */
  waitingOn(task_token: string): Attempt | undefined;
}

export type LocalFunction = (payload: unknown) => Promise<unknown>;

export function openTaskAttempts(functions: Readonly<Record<string, LocalFunction>>, random: (bytes: number) => Uint8Array = randomBytes): TaskAttempts {
  const waiting = new Map<string, Attempt>();

  const begin = (visit: Visit, task: LoadedTask, { payload, seconds }: TaskInput): Attempt => {
    const { token } = visit;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const end = (settle: () => void): void => {
      if (visit.attempt !== attempt) return;
      waiting.delete(token);
      Object.assign(visit, { attempt: undefined, retry_count: visit.retry_count + 1, token: newToken(random) });
      settle();
    };
    const attempt: Attempt = {
      outcome: promise,
      ends_at_ms: Date.now() + seconds * 1000,
      succeed: (result) => end(() => resolve(result)),
      fail: (error) => end(() => reject(error)),
    };
    visit.attempt = attempt;
    if (task.kind === 'token') waiting.set(token, attempt);
    const run = functions[task.function_name];
    if (run !== undefined) void callFunction(run, payload, task.kind, attempt);
    return attempt;
  };

  return {
    enter(visit, state) {
      // Two entries are never of the same instant, or a parked token could not be told from the one before it.
      Object.assign(visit, { state, entered_at_ms: Math.max(Date.now(), visit.entered_at_ms + 1), retry_count: 0, token: newToken(random) });
    },
    async answer(visit, task, input) {
      if (visit.stopped) throw uncatchable('Local.Stopped');
      if (!Number.isInteger(input.seconds) || input.seconds < (task.kind === 'sleep' ? 0 : 1)) throw uncatchable('States.Runtime');
      return waitFor(visit.attempt ?? begin(visit, task, input), task);
    },
    waitingOn: (task_token) => waiting.get(task_token),
  };
}

/** An error that no Retry and no Catch of the engine matches, like States.Runtime. */
export function uncatchable(name: string): Error {
  return Object.assign(named(name), { isRetryable: false, isCatchable: false });
}

/** Name only: what a message says would travel into the state and the history. */
export function named(name: string): Error {
  return Object.assign(new Error(''), { name });
}

/** Ends the attempt when its time has come, but never sits longer than the engine's timer can: then it asks to be called again. */
async function waitFor(attempt: Attempt, task: LoadedTask): Promise<unknown> {
  const longest = (LONGEST_ENGINE_SECONDS - 1000) * 1000;
  const left = attempt.ends_at_ms - Date.now();
  const slice = Promise.withResolvers<never>();
  const timeUp = (): void => {
    if (left > longest) slice.reject(named(STILL_WAITING));
    else if (task.kind === 'sleep') attempt.succeed({});
    else attempt.fail(named('States.Timeout'));
  };
  const timer = setTimeout(timeUp, Math.min(left, longest));
  try {
    return await Promise.race([attempt.outcome, slice.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function callFunction(run: LocalFunction, payload: unknown, kind: LoadedTask['kind'], attempt: Attempt): Promise<void> {
  try {
    const result = overTheWire(await run(overTheWire(payload)));
    if (kind === 'call') attempt.succeed({ Payload: result, StatusCode: 200, ExecutedVersion: '$LATEST' });
  } catch (thrown) {
    attempt.fail(named(thrown instanceof Error ? thrown.name : typeof thrown));
  }
}

/** Lambda takes and gives JSON: nothing is shared with the state, and what JSON has no word for is lost or null. */
function overTheWire(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null)) as unknown;
}

/** As long as those of AWS and with + / = in it, so that whoever carries a token wrongly is found out here. */
function newToken(random: (bytes: number) => Uint8Array): string {
  return `AQC+/+//${Buffer.from(random(431)).toString('base64')}`;
}
