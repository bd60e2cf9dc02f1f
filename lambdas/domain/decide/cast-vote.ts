// One person's approve or deny. Votes are idempotent per person; the first decision stands; a wrong hash from an
// eligible approver ends the operation, and from anyone else changes nothing.
import { approvalsOf, type Eligible } from '../approvers.ts';
import type { Actor } from '../caller.ts';
import type { Channel, Requirement, View, Vote } from '../events.ts';
import { requesterSet, type Operation, type Pending } from '../operation.ts';
import { refusal, type Refusal } from '../refusals.ts';
import { hasCome, plusSeconds, type Instant } from '../times.ts';
import { append, refuse, UNCHANGED, type Ruling } from './ruling.ts';
import { shownOf } from './shown.ts';

export interface CastVote {
  readonly actor: Actor;
  readonly arguments_hash: string;
  readonly decision: 'approve' | 'deny';
  readonly channel: Channel;
  /** What the person had before their eyes; short where nobody says. */
  readonly view?: View;
  readonly comment?: string;
  /** What the person's token says of groups, kept with the vote so that it counts no longer than the token's word holds. */
  readonly claim?: Vote['claim'];
  /** What policy says now, where it is stricter than when the operation was opened; a looser one says nothing here. */
  readonly policy_now?: { readonly denies: boolean; readonly requirements: readonly Requirement[] };
  /** Each requirement's people as they are now, in the order of `requirementsNow`. */
  readonly eligible: readonly Eligible[];
}

export function decideVote(operation: Operation, command: CastVote, now: Instant): Ruling {
  const { actor, decision } = command;
  if (operation.status !== 'pending') return afterTheEnd(operation, command);
  if (decision === 'approve' && requesterSet(operation.opening.requester).has(actor.subject)) {
    return refuse(refusal('own_operation', 'Whoever asked for an operation, or owns the agent that did, cannot approve it.'));
  }
  const via = command.eligible.map((people) => people.get(actor.subject)).find((reference) => reference !== undefined);
  if (actor.kind !== 'user' || via === undefined) return refuse(refusal('not_an_approver', 'You are not among the approvers of this operation.'));
  if (hasCome(operation.expires_at, now)) return afterTheTime(operation, command);
  const earlier = operation.votes.find((vote) => vote.subject === actor.subject);
  const sameHash = command.arguments_hash === operation.opening.operation.arguments_hash;
  if (earlier !== undefined && earlier.decision !== decision) return refuse(refusal('already_decided', 'You have voted already, and votes are final.'));
  if (earlier !== undefined && sameHash) return UNCHANGED;
  const { channel, view = 'short', comment, claim } = command;
  const vote: Vote = { subject: actor.subject, via, decision, channel, view, ...(comment === undefined ? {} : { comment }), ...(claim === undefined ? {} : { claim }), voted_at: now };
  return onPending(operation, command, vote, now);
}

/** The operation's own requirements, and those that a policy made stricter since adds to them. */
export function requirementsNow(operation: Pending, policy_now: CastVote['policy_now']): readonly Requirement[] {
  const added = policy_now?.requirements.filter((each) => !operation.requirements.some((own) => sameRequirement(own, each))) ?? [];
  return [...operation.requirements, ...added];
}

function onPending(operation: Pending, { actor, arguments_hash, eligible, policy_now }: CastVote, vote: Vote, now: Instant): Ruling {
  const shown = shownOf(operation);
  if (arguments_hash !== shown.operation.arguments_hash) {
    const changed = refusal('arguments_changed', 'The hash that was decided on is not the hash of these arguments. The operation is denied.');
    return append({ type: 'approval.denied', data: { ...shown, actor, vote, reason: 'arguments_hash_mismatch' } }, changed);
  }
  if (vote.decision === 'approve' && vote.view === 'short' && shown.redaction.full_view_required) return refuse(fullViewRequired(shown.operation.id));
  if (vote.decision === 'deny') return append({ type: 'approval.denied', data: { ...shown, actor, vote, reason: 'denied_by_approver' } });
  if (policy_now?.denies === true) return refuse(refusal('policy_denied', 'Policy denies this call now. It can only be denied, or left to expire.'));
  // Earlier votes count only if their people are still eligible now (invariant I-7).
  const votes = [...operation.votes, vote].filter((each) => eligible.some((people) => people.has(each.subject)));
  const requirements = [...requirementsNow(operation, policy_now)];
  const progress = requirements.map(({ quorum }, index) => ({ approvals: approvalsOf(votes, eligible[index]), quorum }));
  if (progress.some(({ approvals, quorum }) => approvals < quorum)) return append({ type: 'approval.voted', data: { ...shown, actor, vote, requirements, progress } });
  if (!operation.opening.run.managed) return append({ type: 'approval.answered', data: { ...shown, actor, votes } });
  return append({ type: 'approval.granted', data: { ...shown, actor, votes, use_by: plusSeconds(now, operation.opening.run.use_within_seconds) } });
}

/** A repeat of the vote that was recorded is answered as then; anything else learns what it came to. */
function afterTheEnd(operation: Exclude<Operation, Pending>, command: CastVote): Ruling {
  const { actor, decision, arguments_hash } = command;
  const recorded = operation.decision.votes.findLast((vote) => vote.subject === actor.subject);
  const mismatched = operation.decision.reason === 'arguments_hash_mismatch' && operation.decision.by === actor.subject;
  if (recorded?.decision === decision && !mismatched && arguments_hash === operation.opening.operation.arguments_hash) return UNCHANGED;
  if (operation.status === 'expired') return afterTheTime(operation, command);
  return refuse(refusal('already_decided', `The operation is ${operation.status} already.`, { operation_status: operation.status }));
}

/** An approver's late no changes nothing and is kept, once a person: whoever looks later sees that it was not silence. */
function afterTheTime(operation: Operation, { actor, arguments_hash, decision, channel, comment, eligible }: CastVote): Ruling {
  const over = refusal('operation_expired', 'The time to decide has ended.');
  const knows = actor.kind === 'user' && eligible.some((people) => people.has(actor.subject)) && arguments_hash === operation.opening.operation.arguments_hash;
  const noted = operation.denied_late?.some(({ subject }) => subject === actor.subject) === true;
  if (decision !== 'deny' || !knows || noted) return refuse(over);
  return append({ type: 'approval.denied_late', data: { ...shownOf(operation), actor, channel, ...(comment === undefined ? {} : { comment }) } }, over);
}

/** Denying is always possible: nobody has to read everything in order to say no. */
function fullViewRequired(operation_id: string): Refusal {
  const where = `/review/${operation_id}/full, or for programs /api/operations/${operation_id}/full`;
  return refusal('full_view_required', `A part that the decision rests on is not in the short view. Read everything at ${where}, and approve from there with view "full".`, { full_view: `/review/${operation_id}/full` });
}

function sameRequirement(one: Requirement, other: Requirement): boolean {
  return one.quorum === other.quorum && [...one.approvers].sort().join() === [...other.approvers].sort().join();
}
