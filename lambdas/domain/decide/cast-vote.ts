// One person's approve or deny. Votes are idempotent per person; the first decision stands; a wrong hash from an
// eligible approver ends the operation, and from anyone else changes nothing.
import type { Eligible } from '../approvers.ts';
import type { Actor } from '../caller.ts';
import type { Channel, DraftOf, Requirement, View, Vote } from '../events.ts';
import { requesterSet, type Operation, type Pending } from '../operation.ts';
import { isMet, isVetoed, progressText, tally } from '../quorum.ts';
import { refusal } from '../refusals.ts';
import { withPolicyNow } from '../requirements.ts';
import { hasCome, plusSeconds, type Instant } from '../times.ts';
import { fullViewRequired } from './full-view-required.ts';
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
  readonly policy_now?: { readonly denies: boolean; readonly requirements: readonly Requirement[]; readonly revision?: string };
  /** Each requirement's people as they are now, in the order of `requirementsNow`. */
  readonly eligible: readonly Eligible[];
}

export function decideVote(operation: Operation, command: CastVote, now: Instant): Ruling {
  const { actor, decision } = command;
  if (operation.status !== 'pending') return afterTheEnd(operation, command);
  const via = placeOf(actor.subject, command);
  if (via === undefined && decision === 'approve' && requesterSet(operation.opening.requester).has(actor.subject)) {
    return refuse(refusal('own_operation', 'Whoever asked for an operation, or owns the agent that did, cannot approve it.'));
  }
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

/** What makes this person one who decides. A no may also come from somebody who would be asked, were the operation not their own. */
function placeOf(subject: string, { decision, eligible }: CastVote): string | undefined {
  const place = eligible.map((people) => people.get(subject)).find((each) => each !== undefined);
  const own = decision === 'deny' ? eligible.map((people) => people.own?.get(subject)).find((each) => each !== undefined) : undefined;
  return (place ?? own)?.via;
}

/** The operation's own requirements, and what a policy made stricter since adds to them. */
export function requirementsNow(operation: Pending, policy_now: CastVote['policy_now']): readonly Requirement[] {
  return policy_now === undefined ? operation.requirements : withPolicyNow(operation.requirements, policy_now.requirements);
}

function onPending(operation: Pending, { actor, arguments_hash, eligible, policy_now }: CastVote, vote: Vote, now: Instant): Ruling {
  const shown = shownOf(operation);
  if (arguments_hash !== shown.operation.arguments_hash) {
    const changed = refusal('arguments_changed', 'The hash that was decided on is not the hash of these arguments. The operation is denied.');
    return append({ type: 'approval.denied', data: { ...shown, actor, vote, reason: 'arguments_hash_mismatch', ...readFrom([vote], eligible, policy_now) } }, changed);
  }
  if (vote.decision === 'approve' && vote.view === 'short' && shown.redaction.full_view_required) return refuse(fullViewRequired(shown.operation.id));
  // Earlier votes count only if their people are still eligible now (invariant I-7).
  const votes = [...operation.votes, vote].filter((each) => eligible.some((people) => people.has(each.subject)));
  const requirements = [...requirementsNow(operation, policy_now)];
  const progress = tally(requirements, eligible, votes);
  const read = readFrom(votes, eligible, policy_now);
  const voted = append({ type: 'approval.voted', data: { ...shown, actor, vote, requirements, progress: progress.map((each) => ({ ...each, waiting_for: [...each.waiting_for] })), progress_text: progressText(progress), ...read } });
  if (vote.decision === 'deny') {
    const ends = !votes.includes(vote) || isVetoed(requirements, eligible, votes);
    return ends ? append({ type: 'approval.denied', data: { ...shown, actor, vote, reason: 'denied_by_approver', ...readFrom([vote], eligible, policy_now) } }) : voted;
  }
  if (policy_now?.denies === true) return refuse(refusal('policy_denied', 'Policy denies this call now. It can only be denied, or left to expire.'));
  if (!isMet(progress)) return voted;
  if (!operation.opening.run.managed) return append({ type: 'approval.answered', data: { ...shown, actor, votes, ...read } });
  return append({ type: 'approval.granted', data: { ...shown, actor, votes, use_by: plusSeconds(now, operation.opening.run.use_within_seconds), ...read } });
}

function readFrom(votes: readonly Vote[], eligible: readonly Eligible[], policy_now: CastVote['policy_now']): Pick<DraftOf<'approval.voted'>['data'], 'directory_revisions' | 'policy_revision'> {
  const paths = votes.flatMap(({ subject }) => eligible.flatMap((people) => people.get(subject)?.path ?? people.own?.get(subject)?.path ?? []));
  return { directory_revisions: Object.fromEntries(paths.map(({ reference, revision }) => [reference, revision])), ...(policy_now?.revision === undefined ? {} : { policy_revision: policy_now.revision }) };
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
