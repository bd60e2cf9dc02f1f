// What one operation looks like on the wire, to its requester and to the people who decide. Display only: full
// arguments, results and tokens are not in the log that this is made from.
import { fingerprintOf } from './binding.ts';
import type { Caller } from './caller.ts';
import { isClosed, requesterSet, type Operation, type Pending } from './operation.ts';

export function describeOperation(operation: Operation) {
  const { opening } = operation;
  const { id: operation_id, ...shown } = opening.operation;
  return {
    operation_id,
    status: operation.status,
    ...shown,
    fingerprint: fingerprintOf(shown.binding_hash),
    scope: opening.scope,
    requester: opening.requester,
    call_id: opening.call_id,
    lease_seconds: opening.lease_seconds,
    reason_claimed: opening.reason_claimed,
    risk: opening.risk,
    redaction: opening.redaction,
    details: opening.details,
    policy: opening.policy,
    requested_at: opening.requested_at,
    changed_at: operation.changed_at,
    sequence: operation.tail.sequence,
    ...(operation.reveals === undefined ? {} : { reveals: operation.reveals }),
    ...(operation.denied_late === undefined ? {} : { denied_late: operation.denied_late }),
    ...(operation.broken_glass === undefined ? {} : { break_glass: operation.broken_glass }),
    ...(operation.status === 'pending' ? waitingOf(operation) : { decision: operation.decision }),
    ...(operation.status === 'granted' ? { use_by: operation.use_by } : {}),
    ...('run' in operation ? { run: operation.run } : {}),
    ...(operation.status === 'unknown' ? { unknown_because: operation.reason, observations: operation.observations } : {}),
    ...(isClosed(operation) ? { retryable: false } : {}),
  };
}

function waitingOf({ expires_at, extendable_until, reminders, requirements, votes, glass }: Pending) {
  return {
    expires_at,
    ...(extendable_until === undefined ? {} : { extendable_until }),
    ...(reminders.length === 0 ? {} : { reminders }),
    requirements,
    votes,
    ...(glass === undefined ? {} : { break_glass: { by: [glass.by], second_person_until: glass.second_person_until } }),
  };
}

export type OperationDescription = ReturnType<typeof describeOperation>;

/** Who may know that an operation exists: those who asked, those who are asked or have voted, and administrators. */
export function maySee(operation: Operation, caller: Caller): boolean {
  if (caller.administrator || requesterSet(operation.opening.requester).has(caller.subject)) return true;
  const references = new Set([caller.subject, ...caller.groups]);
  const votes = operation.status === 'pending' ? operation.votes : operation.decision.votes;
  const { asked, break_glass } = operation.opening;
  // The glass is broken, and looked at afterwards, by people of groups that are named from the start.
  const named = [...asked, ...(break_glass === undefined ? [] : [break_glass.group]), ...(operation.broken_glass === undefined ? [] : [operation.broken_glass.review_by])];
  return votes.some(({ subject }) => subject === caller.subject) || named.some((reference) => references.has(reference));
}
