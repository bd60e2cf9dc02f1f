// What an ask says: who approves and how many, for how long, who is asked next when nobody answers, and when people
// are reminded. A rule says it, and so do the default approvers of a document.
import * as z from 'zod';
import { kindOf } from '../directory/entries.ts';
import type { Requirement } from '../events.ts';

const APPROVER_KINDS: readonly unknown[] = ['user', 'group', 'relation'];
const approverRef = z.string().refine((reference) => APPROVER_KINDS.includes(kindOf(reference)), 'an approver is user:<id>, group:<id> or <type>:<id>#<relation>');
const approvers = z.array(approverRef).min(1, 'an ask names at least one approver').max(100);
const quorum = z.int().min(1).max(100);
const seconds = z.int().min(1).max(30 * 24 * 3600);

const level = z.strictObject({ after_seconds: seconds, approvers, quorum: quorum.optional() });
/** Either so long after the call was proposed, or that part of the time there is. */
const reminder = z.union([z.strictObject({ after_seconds: seconds }), z.strictObject({ fraction: z.number().gt(0).lt(1) })]);

export const asking = {
  approvers,
  quorum: quorum.default(1),
  /** At least so many approvals from each group or relation that is named. */
  min_per_group: z.int().min(1).max(20).optional(),
  /** So many people must say no before it ends; one, where nothing is said. */
  veto: z.int().min(1).max(20).optional(),
  /** A vote that counts here may count for another requirement too. */
  share_votes: z.boolean().optional(),
  /** False: whoever asked may approve it as well. */
  separation_of_duties: z.boolean().optional(),
  timeout_seconds: seconds.optional(),
  /** How long the whole wait may become when an approver extends it. */
  extendable_to_seconds: seconds.optional(),
  escalation: z.array(level).min(1).max(5).optional(),
  reminders: z.array(reminder).min(1).max(10).optional(),
} as const;

export type Asking = z.infer<z.ZodObject<typeof asking>>;
export type Reminder = z.infer<typeof reminder>;

/** What no schema of a single field can see. Each fault names its field. */
export function checkAsking(ask: Asking, context: z.RefinementCtx): void {
  const fault = (path: (string | number)[], message: string): void => context.addIssue({ code: 'custom', path, message });
  const groups = ask.approvers.filter((reference) => kindOf(reference) !== 'user').length;
  if (ask.min_per_group !== undefined && groups === 0) fault(['min_per_group'], 'no group or relation is named whose people could be counted');
  if (ask.timeout_seconds !== undefined && (ask.extendable_to_seconds ?? ask.timeout_seconds) < ask.timeout_seconds) fault(['extendable_to_seconds'], 'extending cannot make the time shorter');
  let before = { after_seconds: 0, quorum: ask.quorum };
  for (const [index, { after_seconds, quorum: wanted }] of (ask.escalation ?? []).entries()) {
    if (after_seconds <= before.after_seconds && index > 0) fault(['escalation', index, 'after_seconds'], 'each level comes later than the one before');
    if (ask.timeout_seconds !== undefined && after_seconds >= ask.timeout_seconds) fault(['escalation', index, 'after_seconds'], 'the time to decide is over by then');
    if (wanted !== undefined && wanted < before.quorum) fault(['escalation', index, 'quorum'], 'a quorum never shrinks');
    before = { after_seconds, quorum: wanted ?? before.quorum };
  }
  for (const [index, each] of (ask.reminders ?? []).entries()) {
    if (ask.timeout_seconds !== undefined && 'after_seconds' in each && each.after_seconds >= ask.timeout_seconds) fault(['reminders', index, 'after_seconds'], 'the time to decide is over by then');
  }
}

/** As events have it: what is at its neutral value is left out. */
export function requirementOf({ approvers: people, quorum: needed, min_per_group, veto, share_votes, separation_of_duties, escalation }: Asking): Requirement {
  return {
    approvers: people,
    quorum: needed,
    ...(min_per_group === undefined ? {} : { min_per_group }),
    ...(veto === undefined || veto === 1 ? {} : { veto }),
    ...(share_votes === true ? { share_votes } : {}),
    ...(separation_of_duties === false ? { separation_of_duties } : {}),
    ...(escalation === undefined ? {} : { escalation: escalation.map((each) => ({ ...each, quorum: each.quorum ?? needed })) }),
  };
}
