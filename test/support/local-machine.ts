// One local Step Functions under fake time, with what it asked and how its executions ended.
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { openStepFunctions, type LocalStepFunctions, type StepFunctionsOptions } from '../../infra/local/step-functions.ts';
import { definitionOf, type States } from './small-machines.ts';

export interface Asked {
  readonly task_token: string;
  readonly entered_at: string;
  readonly retry_count: number;
  readonly state: string;
  readonly execution: string;
}

export interface LocalMachine {
  readonly sfn: LocalStepFunctions;
  readonly asked: Asked[];
  readonly ends: unknown[][];
}

let opened: LocalStepFunctions[] = [];

/** `Ask` notes what it is given, `Call` answers `{}`. Retries do not pause. */
export function openLocalMachine(states: States, functions: StepFunctionsOptions['functions'] = {}): LocalMachine {
  const asked: Asked[] = [];
  const ends: unknown[][] = [];
  const Ask = async (payload: unknown): Promise<unknown> => asked.push(payload as Asked);
  const sfn = openStepFunctions({ definition: definitionOf(states), functions: { Ask, Call: async () => ({}), ...functions }, retry_pause_ms: 0, onEnded: (...end) => ends.push(end) });
  opened.push(sfn);
  return { sfn, asked, ends };
}

export const settled = () => vi.advanceTimersByTimeAsync(0);

/** Fake time from noon on 30 November 2026; afterwards everything is closed, and not one timer may be left. */
export function useFakeTime(): void {
  beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-11-30T12:00:00Z') }));
  afterEach(async () => {
    await Promise.all(opened.map((sfn) => sfn.close()));
    opened = [];
    await settled();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
}
