// The machine's own clock.
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../ports/system.ts';

export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  sleep: async (milliseconds) => {
    await setTimeout(milliseconds);
  },
};
