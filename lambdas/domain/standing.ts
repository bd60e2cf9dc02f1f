// What one person may do with an operation at this moment, as pages and programs have to know before a decision.
// The decider asks all of it again: this decides nothing.
import { resolveApprovers, type ApproverSource, type Eligible } from './approvers.ts';
import type { Caller } from './caller.ts';
import type { Requirement } from './events.ts';
import { requesterSet, type Operation, type Pending } from './operation.ts';
import { tally, type Tally } from './quorum.ts';
import { hasCome, type Instant } from './times.ts';

export type WhyNot = 'time_over' | 'own_operation' | 'voted_already' | 'not_an_approver';

/** Undefined where this person may decide now. */
export function whyNotDecide(operation: Pending, { subject, kind }: Caller, eligible: readonly Eligible[], now: Instant): WhyNot | undefined {
  if (hasCome(operation.expires_at, now)) return 'time_over';
  if (requesterSet(operation.opening.requester).has(subject) && !isAmong(subject, eligible)) return 'own_operation';
  if (operation.votes.some((vote) => vote.subject === subject)) return 'voted_already';
  return kind === 'user' && isAmong(subject, eligible) ? undefined : 'not_an_approver';
}

/** Whoever would be asked, were the operation not their own, may still say no. */
export function mayOnlyDeny(operation: Pending, { subject, kind }: Caller, eligible: readonly Eligible[], now: Instant): boolean {
  const untold = !operation.votes.some((vote) => vote.subject === subject);
  return kind === 'user' && untold && !hasCome(operation.expires_at, now) && !isAmong(subject, eligible) && eligible.some(({ own }) => own?.has(subject) === true);
}

/** As far as the reader's groups tell; who has left them is told so when it comes to it. */
export function mayBreakGlass({ opening, expires_at }: Pending, { subject, kind, groups }: Caller, now: Instant): boolean {
  const { break_glass, requester } = opening;
  return kind === 'user' && break_glass !== undefined && groups.includes(break_glass.group) && !requesterSet(requester).has(subject) && !hasCome(expires_at, now);
}

export function mayReviewGlass({ opening, broken_glass }: Operation, { subject, kind, groups }: Caller): boolean {
  if (broken_glass === undefined || broken_glass.reviewed !== undefined || kind !== 'user' || !groups.includes(broken_glass.review_by)) return false;
  return !requesterSet(opening.requester).has(subject) && broken_glass.by.every((each) => each.subject !== subject);
}

/** The people who are asked, as the directory has them now; after the end those who were asked. Never the requester set. */
export async function approversOf(operation: Operation, source: ApproverSource): Promise<readonly Eligible[]> {
  return resolveApprovers(requirementsOf(operation), operation.opening.requester, source);
}

/** Of what has ended only that somebody was asked still matters. */
export function requirementsOf(operation: Operation): readonly Requirement[] {
  return operation.status === 'pending' ? operation.requirements : [{ approvers: [...operation.opening.asked], quorum: 1 }];
}

export function isAmong(subject: string, eligible: readonly Eligible[]): boolean {
  return eligible.some((people) => people.has(subject));
}

/** How far one requirement has come. */
export interface Progress extends Tally {
  readonly requirement: Requirement;
}

/** Counted as the decider counts: a vote whose person is no approver any more is none. */
export function progressOf(operation: Pending, eligible: readonly Eligible[]): readonly Progress[] {
  const tallies = tally(operation.requirements, eligible, operation.votes);
  return operation.requirements.flatMap((requirement, index) => (tallies[index] === undefined ? [] : [{ requirement, ...tallies[index] }]));
}
