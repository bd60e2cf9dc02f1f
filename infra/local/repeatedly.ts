// Runs one piece of work again and again, never twice at once, until stopped.

export interface Repetition {
  /** Resolves when the run under way has ended. */
  stop(): Promise<void>;
}

export function repeatedly(pause_milliseconds: number, work: () => Promise<unknown>, failed: (thrown: unknown) => void): Repetition {
  let stopped = false;
  let wake: (() => void) | undefined;
  const loop = async (): Promise<void> => {
    while (!stopped) {
      await work().catch(failed);
      if (!stopped) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, pause_milliseconds);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    }
  };
  const ended = loop();
  return {
    stop: async () => {
      stopped = true;
      wake?.();
      await ended;
    },
  };
}
