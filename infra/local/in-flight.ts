// Knows which handler calls are under way, so that closing can let them finish before the tables go.

export interface InFlight {
  track<A extends unknown[], R>(work: (...args: A) => Promise<R>): (...args: A) => Promise<R>;
  /** Resolves when nothing is under way, or after so long; a tool that still runs then will be found unknown. */
  settled(at_most_milliseconds: number): Promise<void>;
}

export function inFlight(): InFlight {
  const calls = new Set<Promise<unknown>>();
  return {
    track:
      (work) =>
      async (...args) => {
        const call = work(...args);
        calls.add(call);
        try {
          return await call;
        } finally {
          calls.delete(call);
        }
      },
    settled: async (at_most_milliseconds) => {
      const deadline = Date.now() + at_most_milliseconds;
      while (calls.size > 0 && Date.now() < deadline) await Promise.race([Promise.allSettled(calls), new Promise((resolve) => setTimeout(resolve, 50))]);
    },
  };
}
