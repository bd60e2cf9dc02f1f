// What time does to a pending operation before its deadline: people are reminded, and others are asked as well. Both
// leave it as decidable as it was, and each moment speaks once, however late somebody looks.
import { systemActor } from '../caller.ts';
import type { Level, Requirement } from '../events.ts';
import type { Pending } from '../operation.ts';
import type { Reminder } from '../policy/asking.ts';
import { escalate } from '../requirements.ts';
import { hasCome, plusSeconds, type Instant } from '../times.ts';
import { append, UNCHANGED, type Ruling } from './ruling.ts';
import { shownOf } from './shown.ts';

const CLOCK = systemActor('clock');

/** Escalation first: whoever is new among the approvers is reminded too. */
export function decideWhilePending(operation: Pending, now: Instant): Ruling {
  const { expires_at } = operation;
  const escalated = operation.requirements.flatMap((requirement) => levelsCome(operation, requirement, now));
  if (escalated.length > 0) {
    const requirements = operation.requirements.map((requirement) => escalate(requirement, levelsCome(operation, requirement, now)));
    return append({ type: 'approval.escalated', data: { ...shownOf(operation), actor: CLOCK, escalated, requirements, expires_at } });
  }
  const reminded = operation.reminders.filter((at) => hasCome(at, now));
  if (reminded.length === 0) return UNCHANGED;
  return append({ type: 'approval.reminded', data: { ...shownOf(operation), actor: CLOCK, reminded, requirements: [...operation.requirements], expires_at } });
}

/** The next moment at which something happens by itself, the deadline at the latest. */
export function nextMoment(operation: Pending): Instant {
  const levels = operation.requirements.flatMap(({ escalation = [] }) => escalation.map((level) => comesAt(operation, level)));
  return [operation.expires_at, ...operation.reminders, ...levels].reduce((first, each) => (each < first ? each : first));
}

/** As instants, each once, only those before the deadline. */
export function remindersAt(reminders: readonly Reminder[], timeout_seconds: number, now: Instant): Instant[] {
  const seconds = reminders.map((each) => ('fraction' in each ? each.fraction * timeout_seconds : each.after_seconds)).filter((after) => after < timeout_seconds);
  return [...new Set(seconds.map((after) => plusSeconds(now, after)))].sort();
}

function levelsCome(operation: Pending, { escalation = [] }: Requirement, now: Instant): Level[] {
  return escalation.filter((level) => hasCome(comesAt(operation, level), now));
}

function comesAt({ opening }: Pending, { after_seconds }: Level): Instant {
  return plusSeconds(opening.requested_at, after_seconds);
}
