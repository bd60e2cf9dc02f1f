// What one operation looks like on the wire, to its requester and to the people who decide. Display only: full
// arguments, results and tokens are not in the log that this is made from.
import { fingerprintOf } from './binding.ts';
import type { Caller } from './caller.ts';
import { isClosed, requesterSet, type Operation } from './operation.ts';

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
    ...(operation.status === 'pending' ? { expires_at: operation.expires_at, requirements: operation.requirements, votes: operation.votes } : { decision: operation.decision }),
    ...(operation.status === 'granted' ? { use_by: operation.use_by } : {}),
    ...('run' in operation ? { run: operation.run } : {}),
    ...(operation.status === 'unknown' ? { unknown_because: operation.reason, observations: operation.observations } : {}),
    ...(isClosed(operation) ? { retryable: false } : {}),
  };
}

export type OperationDescription = ReturnType<typeof describeOperation>;

/** Who may know that an operation exists: those who asked, those who are asked or have voted, and administrators. */
export function maySee(operation: Operation, caller: Caller): boolean {
  if (caller.administrator || requesterSet(operation.opening.requester).has(caller.subject)) return true;
  const references = new Set([caller.subject, ...caller.groups]);
  const votes = operation.status === 'pending' ? operation.votes : operation.decision.votes;
  return votes.some(({ subject }) => subject === caller.subject) || operation.opening.asked.some((reference) => references.has(reference));
}
