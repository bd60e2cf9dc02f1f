// The list rows that one operation stands for, made from its fold. A closed operation leaves tombstones in inboxes and due
// list: rows that keep the sequence and show nothing, so that a stalled relay cannot bring it back. Its summary stays.
import * as z from 'zod';
import { fingerprintOf } from './binding.ts';
import { requesterSchema } from './events.ts';
import { riskSchema } from './registry.ts';
import { dueAt } from './decide/settle-operation.ts';
import { isClosed, requesterSet, type Operation, type Status } from './operation.ts';
import { hasCome, type Instant } from './times.ts';

export const inboxEntrySchema = z.object({
  operation_id: z.string(),
  tool: z.string(),
  summary: z.string(),
  arguments_hash: z.string(),
  binding_hash: z.string(),
  risk: riskSchema,
  requester: requesterSchema,
  workspace_id: z.string(),
  requested_at: z.string(),
  expires_at: z.string(),
  /** Not to be decided but to be looked at: two people had it granted by breaking the glass. */
  review: z.literal('break_glass').optional(),
});

export type InboxEntry = z.infer<typeof inboxEntrySchema>;
/** `stands_in_for`: whose it is, where the reader is asked only in that person's place. */
export type InboxItem = InboxEntry & { readonly stands_in_for?: string };

export const STATUSES = ['refused', 'pending', 'granted', 'answered', 'denied', 'expired', 'cancelled', 'voided', 'running', 'completed', 'failed', 'unknown'] as const satisfies readonly Status[];

export const operationSummarySchema = z.object({
  operation_id: z.string(),
  status: z.enum(STATUSES),
  tool: z.string(),
  summary: z.string(),
  risk: riskSchema,
  requester: requesterSchema,
  workspace_id: z.string(),
  requested_at: z.string(),
  changed_at: z.string(),
  arguments_hash: z.string(),
  fingerprint: z.string(),
});

export type OperationSummary = z.infer<typeof operationSummarySchema>;

export interface OperationViews {
  readonly operation_id: string;
  readonly workspace_id: string;
  readonly sequence: number;
  /** Absent once closed. */
  readonly due_at?: Instant;
  /** Approver references whose inboxes hold a row, shown while `entry` is there. */
  readonly inboxes: readonly string[];
  readonly requested_at: Instant;
  /** For those who operate it; stays when the operation has closed. */
  readonly summary: OperationSummary;
  readonly entry?: InboxEntry;
  /** What one group has to look at, in whatever status the operation is; there until it is reviewed. */
  readonly review?: { readonly inbox: string; readonly entry: InboxEntry };
}

export function operationViews(operation: Operation): OperationViews {
  const { operation_id, opening, tail } = operation;
  const { asked, requested_at } = opening;
  return {
    operation_id,
    workspace_id: opening.scope.workspace_id,
    sequence: tail.sequence,
    inboxes: [...new Set([...asked, ...(operation.broken_glass === undefined ? [] : [operation.broken_glass.review_by])])],
    requested_at,
    summary: summaryOf(operation),
    ...(isClosed(operation) ? {} : { due_at: dueAt(operation) }),
    ...(operation.status === 'pending' ? { entry: entryOf(operation, operation.expires_at) } : {}),
    ...reviewOf(operation),
  };
}

function reviewOf(operation: Operation): Pick<OperationViews, 'review'> {
  const { broken_glass, opening } = operation;
  if (broken_glass === undefined || broken_glass.reviewed !== undefined) return {};
  return { review: { inbox: broken_glass.review_by, entry: { ...entryOf(operation, opening.decide_by ?? opening.requested_at), review: 'break_glass' } } };
}

/**
 * What of an inbox may be decided now. Approvers are named before anybody asks, so that a person's own operations stand
 * there too; and a row outlives its deadline until the relay closes it. What is to be reviewed has no deadline.
 */
export function decidableEntries(entries: readonly InboxEntry[], subject: string, now: Instant): readonly InboxEntry[] {
  return entries.filter(({ requester, expires_at, review }) => !requesterSet(requester).has(subject) && (review !== undefined || !hasCome(expires_at, now)));
}

function entryOf({ operation_id, opening }: Operation, expires_at: Instant): InboxEntry {
  const { operation, risk, requester, scope, requested_at } = opening;
  const { tool, summary, arguments_hash, binding_hash } = operation;
  return { operation_id, tool, summary, arguments_hash, binding_hash, risk, requester, workspace_id: scope.workspace_id, requested_at, expires_at };
}

function summaryOf({ operation_id, status, opening, changed_at }: Operation): OperationSummary {
  const { operation, risk, requester, scope, requested_at } = opening;
  const { tool, summary, arguments_hash, binding_hash } = operation;
  return { operation_id, status, tool, summary, risk, requester, workspace_id: scope.workspace_id, requested_at, changed_at, arguments_hash, fingerprint: fingerprintOf(binding_hash) };
}
