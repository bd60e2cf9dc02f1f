// What time and loss do to an operation, and what a state machine that lost its way should do next.
import { systemActor } from '../caller.ts';
import { isClosed, type Open, type Operation } from '../operation.ts';
import { hasCome, secondsUntil, type Instant } from '../times.ts';
import { decideWhilePending, nextMoment } from './remind-and-escalate.ts';
import { append, UNCHANGED, type Ruling } from './ruling.ts';
import { bareOf, shownOf } from './shown.ts';

const CLOCK = systemActor('clock');

/** Past its deadline an operation closes: pending expires, a grant lapses, a run without news is unknown. Before it people are reminded, and others asked. */
export function decideByTime(operation: Operation, now: Instant): Ruling {
  if (isClosed(operation)) return UNCHANGED;
  if (!hasCome(deadlineOf(operation), now)) return operation.status === 'pending' ? decideWhilePending(operation, now) : UNCHANGED;
  switch (operation.status) {
    case 'pending':
      return append({ type: 'approval.expired', data: { ...shownOf(operation), actor: CLOCK, expired_at: operation.expires_at } });
    case 'granted':
      return append({ type: 'approval.voided', data: { ...shownOf(operation), actor: CLOCK, reason: 'grant_lapsed' } });
    case 'running':
      return append({ type: 'tool.outcome_unknown', data: { ...bareOf(operation), actor: CLOCK, reason: 'run_deadline_passed' } });
  }
}

/** Nothing waits for this operation any more: its execution was stopped, or goes in circles. */
export function decideAbandon(operation: Operation, reason: 'execution_stopped' | 'execution_lost'): Ruling {
  if (isClosed(operation)) return UNCHANGED;
  const actor = systemActor('state-machine');
  if (operation.status === 'running') return append({ type: 'tool.outcome_unknown', data: { ...bareOf(operation), actor, reason } });
  return append({ type: 'approval.cancelled', data: { ...shownOf(operation), actor, reason } });
}

/** When time has something to do with an open operation, at the latest at its deadline. */
export function dueAt(operation: Open): Instant {
  return operation.status === 'pending' ? nextMoment(operation) : deadlineOf(operation);
}

/** What a state machine waits for. Reminders and escalations leave it where it is. */
function deadlineOf(operation: Open): Instant {
  switch (operation.status) {
    case 'pending':
      return operation.expires_at;
    case 'granted':
      return operation.use_by;
    case 'running':
      return operation.run.run_deadline;
  }
}

export interface NextStep {
  readonly next: 'await_decision' | 'run_tool' | 'done';
  readonly timeout_seconds: number;
}

/** Where the state machine goes on: `timeout_seconds` is what is left until the deadline, rounded up. */
export function nextStep(operation: Operation, now: Instant): NextStep {
  if (isClosed(operation)) return { next: 'done', timeout_seconds: 1 };
  const timeout_seconds = Math.max(1, secondsUntil(now, deadlineOf(operation)));
  return { next: operation.status === 'pending' ? 'await_decision' : 'run_tool', timeout_seconds };
}
