// Time, chance and the log line in a test's hands: the clock moves only when it is told to or when somebody sleeps.
import type { LogCode } from '../../lambdas/observability/log-catalogue.ts';
import type { Clock, Ids, Log, LogFacts } from '../../lambdas/ports/system.ts';
import type { Instant } from '../../lambdas/domain/times.ts';

export const START_OF_TEST: Instant = '2026-11-02T09:00:00.000Z';

/** Every port lives somewhere else: others have their turn before it answers. */
export async function elsewhere(): Promise<void> {
  await Promise.resolve();
}

export interface HandSetClock extends Clock {
  set(instant: Instant): Promise<void>;
  advance(milliseconds: number): Promise<void>;
  /** Does the work when the clock passes that moment, whoever moves it. */
  after(milliseconds: number, work: () => Promise<unknown>): void;
  /** How often somebody slept, and how long each time. */
  readonly sleeps: readonly number[];
}

export function handSetClock(start: Instant = START_OF_TEST): HandSetClock {
  let now = Date.parse(start);
  const sleeps: number[] = [];
  const planned: { at: number; work: () => Promise<unknown> }[] = [];
  const moveTo = async (to: number): Promise<void> => {
    for (;;) {
      const next = planned.filter(({ at }) => at <= to).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      planned.splice(planned.indexOf(next), 1);
      now = Math.max(now, next.at);
      await next.work();
    }
    now = Math.max(now, to);
  };
  return {
    now: () => new Date(now).toISOString(),
    sleep: async (milliseconds) => {
      sleeps.push(milliseconds);
      await moveTo(now + Math.ceil(milliseconds));
    },
    set: (instant) => moveTo(Date.parse(instant)),
    advance: (milliseconds) => moveTo(now + milliseconds),
    after: (milliseconds, work) => void planned.push({ at: now + milliseconds, work }),
    sleeps,
  };
}

/** The n-th operation id of a run is the same in every run; like real ones it ends in a hex digit that names a shard. */
export function countedIds(): Ids {
  let operations = 0;
  let others = 0;
  return {
    operationId: () => `op_${(operations += 1).toString(16).padStart(32, '0')}`,
    uniqueId: () => `unique-${String((others += 1))}`,
  };
}

export interface KeptLog extends Log {
  readonly lines: readonly { readonly code: LogCode; readonly facts: LogFacts }[];
  readonly codes: () => readonly LogCode[];
}

export function keptLog(): KeptLog {
  const lines: { code: LogCode; facts: LogFacts }[] = [];
  return { write: (code, facts = {}) => void lines.push({ code, facts }), lines, codes: () => lines.map(({ code }) => code) };
}
