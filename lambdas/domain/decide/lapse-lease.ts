// A lease that ended closes what still waits: nothing shall run for an agent that is no longer there.
import { systemActor } from '../caller.ts';
import type { Operation } from '../operation.ts';
import { refusal } from '../refusals.ts';
import { hasCome, plusSeconds, type Instant } from '../times.ts';
import { append, UNCHANGED, type Ruling } from './ruling.ts';
import { shownOf } from './shown.ts';

/** Undefined for an operation that was proposed without a lease. `stored`: as it was renewed; until then event 1 counts. */
export function leaseEnd({ opening }: Operation, stored: Instant | undefined): Instant | undefined {
  if (opening.lease_seconds === undefined) return undefined;
  return stored ?? plusSeconds(opening.requested_at, opening.lease_seconds);
}

export function decideLapse(operation: Operation, stored: Instant | undefined, now: Instant): Ruling {
  const lease_until = leaseEnd(operation, stored);
  if (operation.status !== 'pending' || lease_until === undefined || !hasCome(lease_until, now)) return UNCHANGED;
  return append({ type: 'approval.cancelled', data: { ...shownOf(operation), actor: systemActor('clock'), reason: 'requester_gone' } });
}

/** An approval comes too late for an agent that is gone, even where nothing has noticed yet. A denial never does. */
export function unlessLapsed(ruling: Ruling, operation: Operation, stored: Instant | undefined, now: Instant): Ruling {
  const lapsed = ruling.kind === 'append' && ruling.refusal === undefined ? decideLapse(operation, stored, now) : UNCHANGED;
  if (lapsed.kind !== 'append') return ruling;
  const gone = refusal('already_decided', 'The agent that asked is no longer there: its lease ended. The operation is cancelled.', { operation_status: 'cancelled' });
  return append(lapsed.event, gone);
}
