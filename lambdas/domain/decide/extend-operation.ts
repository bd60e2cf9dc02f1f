// An approver needs more time. The deadline moves, within what policy allowed when the call was proposed; nothing else
// does, and what has ended stays ended.
import type { Eligible } from '../approvers.ts';
import type { Actor } from '../caller.ts';
import type { Channel } from '../events.ts';
import { LIMITS } from '../limits.ts';
import { requesterSet, type Operation } from '../operation.ts';
import { refusal } from '../refusals.ts';
import { isAmong } from '../standing.ts';
import { hasCome, type Instant } from '../times.ts';
import { append, refuse, UNCHANGED, type Ruling } from './ruling.ts';
import { shownOf } from './shown.ts';

export interface ExtendOperation {
  readonly actor: Actor;
  readonly channel: Channel;
  /** The new deadline. Absolute, so that the same wish sent twice extends once. */
  readonly expires_at: Instant;
  readonly comment?: string;
  readonly eligible: readonly Eligible[];
}

export function decideExtend(operation: Operation, { actor, channel, expires_at, comment, eligible }: ExtendOperation, now: Instant): Ruling {
  if (actor.kind !== 'user' || !isAmong(actor.subject, eligible)) {
    const own = requesterSet(operation.opening.requester).has(actor.subject);
    return refuse(own ? refusal('own_operation', 'Whoever asked for an operation cannot give it more time.') : refusal('not_an_approver', 'You are not among the approvers of this operation.'));
  }
  if (operation.status === 'expired') return refuse(refusal('operation_expired', 'The time to decide has ended.'));
  if (operation.status !== 'pending') return refuse(refusal('already_decided', `The operation is ${operation.status} already.`, { operation_status: operation.status }));
  if (hasCome(operation.expires_at, now)) return refuse(refusal('operation_expired', 'The time to decide has ended.'));
  if (expires_at === operation.expires_at) return UNCHANGED;
  if (expires_at < operation.expires_at) return refuse(refusal('invalid_request', `expires_at: the time ends at ${operation.expires_at} already, and extending cannot shorten it.`, { field: 'expires_at' }));
  if (operation.extendable_until === undefined || expires_at > operation.extendable_until) {
    const most = operation.extendable_until === undefined ? 'Policy does not let this operation wait longer.' : `Policy lets this operation wait until ${operation.extendable_until} at most.`;
    return refuse(refusal('extension_not_allowed', most));
  }
  if (operation.extensions >= LIMITS.extensions) return refuse(refusal('extension_not_allowed', `The time was extended ${LIMITS.extensions} times already.`));
  const said = comment === undefined ? {} : { comment };
  return append({ type: 'approval.extended', data: { ...shownOf(operation), actor, channel, expires_at, until_now: operation.expires_at, ...said } });
}
