// Runs one piece of work again and again, never twice at once, until stopped.
import { setTimeout } from 'node:timers/promises';

export interface Repetition {
  /** Resolves when the run under way has ended. */
  stop(): Promise<void>;
}

export function repeatedly(pause_milliseconds: number, work: () => Promise<unknown>, failed: (thrown: unknown) => void): Repetition {
  const stop = new AbortController();
  const { signal } = stop;
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      await work().catch(failed);
      await setTimeout(pause_milliseconds, undefined, { signal }).catch(() => undefined);
    }
  };
  const ended = loop();
  return {
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
}
