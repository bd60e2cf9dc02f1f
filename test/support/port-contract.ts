// A contract is a list of sentences, each with a way to see whether one implementation keeps it. The double and the
// real adapter are held to the same list, and a double that is broken on purpose shows that the list bites.
import { afterAll, beforeAll, describe, it } from 'vitest';

export interface Clause<P> {
  readonly promise: string;
  readonly holds: (port: P) => Promise<void>;
}

export type Contract<P> = readonly Clause<P>[];

export interface Opened<P> {
  readonly port: P;
  readonly close?: () => Promise<void>;
}

export function registerContract<P>(contract: Contract<P>, implementation: string, open: () => Promise<Opened<P>>): void {
  describe(implementation, () => {
    let opened: Opened<P>;
    beforeAll(async () => void (opened = await open()));
    afterAll(async () => opened.close?.());
    for (const { promise, holds } of contract) it(promise, () => holds(opened.port));
  });
}

/** The promises that this implementation breaks. Each clause meets a fresh one. */
export async function brokenPromises<P>(contract: Contract<P>, make: () => P): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const { promise, holds } of contract) {
    try {
      await holds(make());
    } catch {
      broken.push(promise);
    }
  }
  return broken;
}
