// Two members of a named group may grant what its approvers do not answer, for a reason and under a ticket, where policy
// lets them. It replaces the approvers and nothing else: a deny, the hash, the full view and the claim stand as ever.
import type { Eligible } from '../approvers.ts';
import type { Actor } from '../caller.ts';
import type { BreakGlass, Channel, GlassBreaker, View } from '../events.ts';
import { requesterSet, type Operation, type Pending } from '../operation.ts';
import { refusal } from '../refusals.ts';
import { hasCome, plusSeconds, type Instant } from '../times.ts';
import { fullViewRequired } from './full-view-required.ts';
import { append, refuse, UNCHANGED, type Ruling } from './ruling.ts';
import { shownOf } from './shown.ts';

export interface BreakTheGlass {
  readonly actor: Actor;
  readonly arguments_hash: string;
  readonly channel: Channel;
  readonly view?: View;
  readonly reason: string;
  readonly ticket: string;
  /** The group's people as they are now. Whoever only stands in for one of them is none. */
  readonly members: Eligible;
  readonly policy_now: { readonly denies: boolean; readonly break_glass?: BreakGlass };
}

export function decideBreakGlass(operation: Operation, command: BreakTheGlass, now: Instant): Ruling {
  const { actor } = command;
  const { break_glass, requester } = operation.opening;
  if (requesterSet(requester).has(actor.subject)) return refuse(refusal('own_operation', 'Whoever asked for an operation cannot break the glass for it.'));
  if (break_glass === undefined) return refuse(refusal('break_glass_not_allowed', 'Policy lets nobody break the glass for this operation.'));
  if (actor.kind !== 'user' || !isMember(actor.subject, command.members)) return refuse(refusal('not_an_approver', `You are not in ${break_glass.group}.`));
  if (operation.status !== 'pending') {
    if (operation.broken_glass?.by.some(({ subject }) => subject === actor.subject) === true && command.arguments_hash === operation.opening.operation.arguments_hash) return UNCHANGED;
    if (operation.status === 'expired') return refuse(refusal('operation_expired', 'The time to decide has ended.'));
    return refuse(refusal('already_decided', `The operation is ${operation.status} already.`, { operation_status: operation.status }));
  }
  if (hasCome(operation.expires_at, now)) return refuse(refusal('operation_expired', 'The time to decide has ended.'));
  return onPending(operation, break_glass, command, now);
}

function onPending(operation: Pending, agreed: BreakGlass, { actor, arguments_hash, channel, view = 'short', reason, ticket, members, policy_now }: BreakTheGlass, now: Instant): Ruling {
  const shown = shownOf(operation);
  if (arguments_hash !== shown.operation.arguments_hash) {
    const changed = refusal('arguments_changed', 'The hash that was decided on is not the hash of these arguments. The operation is denied.');
    const vote = { subject: actor.subject, via: agreed.group, decision: 'deny' as const, channel, view, comment: reason, voted_at: now };
    return append({ type: 'approval.denied', data: { ...shown, actor, vote, reason: 'arguments_hash_mismatch' } }, changed);
  }
  if (policy_now.denies) return refuse(refusal('policy_denied', 'Policy denies this call now. It can only be denied, or left to expire.'));
  if (!sameTerms(agreed, policy_now.break_glass)) return refuse(refusal('break_glass_not_allowed', 'Policy no longer lets the glass be broken as it did when the call was proposed.'));
  if (view === 'short' && shown.redaction.full_view_required) return refuse(fullViewRequired(shown.operation.id));
  const by: GlassBreaker = { subject: actor.subject, channel, view, reason, ticket, acted_at: now };
  const first = operation.glass === undefined || hasCome(operation.glass.second_person_until, now) || !isMember(operation.glass.by.subject, members) ? undefined : operation.glass.by;
  if (first === undefined) return append({ type: 'approval.break_glass_asked', data: { ...shown, actor, by, second_person_until: earlier(plusSeconds(now, agreed.within_seconds), operation.expires_at) } });
  if (first.subject === actor.subject) return UNCHANGED;
  const { managed, use_within_seconds } = operation.opening.run;
  const use_by = managed ? { use_by: plusSeconds(now, Math.min(use_within_seconds, agreed.within_seconds)) } : {};
  return append({ type: 'approval.break_glass', data: { ...shown, actor, by, with: first, severity: 'high', review_by: agreed.review_by, ...use_by } });
}

export interface ReviewBrokenGlass {
  readonly actor: Actor;
  readonly channel: Channel;
  readonly comment: string;
  readonly reviewers: Eligible;
}

/** Closes the item that stays with the reviewing group, by somebody else than those it is about. */
export function decideGlassReview(operation: Operation, { actor, channel, comment, reviewers }: ReviewBrokenGlass): Ruling {
  const { broken_glass, opening } = operation;
  const concerned = requesterSet(opening.requester).has(actor.subject) || broken_glass?.by.some(({ subject }) => subject === actor.subject) === true;
  if (concerned) return refuse(refusal('own_operation', 'Whoever broke the glass, or asked for the operation, does not review it.'));
  if (broken_glass === undefined) return refuse(refusal('nothing_to_review', 'Nobody broke the glass for this operation.'));
  if (actor.kind !== 'user' || !isMember(actor.subject, reviewers)) return refuse(refusal('not_an_approver', `You are not in ${broken_glass.review_by}.`));
  if (broken_glass.reviewed !== undefined) return broken_glass.reviewed.by === actor.subject ? UNCHANGED : refuse(refusal('nothing_to_review', `${broken_glass.reviewed.by} has reviewed it already.`));
  return append({ type: 'approval.break_glass_reviewed', data: { ...shownOf(operation), actor, channel, comment } });
}

function isMember(subject: string, members: Eligible): boolean {
  const place = members.get(subject);
  return place?.via.startsWith('user:') === false;
}

function sameTerms(one: BreakGlass, other: BreakGlass | undefined): boolean {
  return one.group === other?.group && one.review_by === other.review_by && one.within_seconds === other.within_seconds;
}

function earlier(one: Instant, other: Instant): Instant {
  return one < other ? one : other;
}
