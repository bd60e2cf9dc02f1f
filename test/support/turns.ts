// Lets callers overtake each other: each call of a port's method waits some turns before it is carried out and some
// after, as many as a seed says. The same seed is the same order.

/** Turns of the queue, nought to four, before and after each call. */
export function withinTurns<P extends object>(port: P, methods: readonly (keyof P & string)[], seed: number): void {
  const random = sequence(seed);
  for (const method of methods) {
    const before = port[method] as (...args: unknown[]) => Promise<unknown>;
    const behaviour = async (...args: unknown[]): Promise<unknown> => {
      await turns(Math.floor(random() * 5));
      const answer = await before.apply(port, args);
      await turns(Math.floor(random() * 5));
      return answer;
    };
    Object.assign(port, { [method]: behaviour });
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Mulberry32, a small generator with a seed. */
export function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
