// The event catalogue: what an operation's log may hold and what subscribers receive as EventBridge detail.
// These schemas are the source: stored events are parsed by them when read, and docs/events.md says when each is emitted.
import * as z from 'zod';
import { shownHashSchema } from './hash-forms.ts';
import type { JsonValue } from './json/json-value.ts';
import { riskSchema } from './registry.ts';

export const EVENT_SOURCE = 'countersign';

const instant = z.iso.datetime({ precision: 3 });
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const displayed = z.custom<JsonValue>((value) => value !== undefined);

export const scopeSchema = z.object({
  org_id: z.string(),
  workspace_id: z.string(),
  agent_id: z.string(),
  run_id: z.string().optional(),
  frame_id: z.string().optional(),
});

export const actorSchema = z.object({ subject: z.string(), kind: z.enum(['user', 'agent', 'service', 'system']), proof: z.string() });
export const requesterSchema = z.object({ subject: z.string(), on_behalf_of: z.string().optional(), owner: z.string().optional() });
const level = z.object({ after_seconds: z.int(), approvers: z.array(z.string()), quorum: z.int() });
const requirement = z.object({
  approvers: z.array(z.string()),
  quorum: z.int(),
  /** Of each group and relation among the approvers, at least so many. */
  min_per_group: z.int().optional(),
  /** So many noes end it; one where nothing is said. */
  veto: z.int().optional(),
  /** A vote that counts here may count for another requirement too. */
  share_votes: z.literal(true).optional(),
  /** Whoever asked may approve as well. */
  separation_of_duties: z.literal(false).optional(),
  /** Levels still to come, counted from the request; and those that have come: their people are among the approvers. */
  escalation: z.array(level).optional(),
  escalated: z.array(level).optional(),
});
const channel = z.enum(['api', 'page']);
/** Whether the arguments stood there within the display's bounds, or all of them, redacted but not cut. */
export const viewSchema = z.enum(['short', 'full']);
const vote = z.object({
  subject: z.string(),
  /** What put this person among the approvers: the person's own name, a group or relation, or whom it stands in for. */
  via: z.string(),
  decision: z.enum(['approve', 'deny']),
  channel,
  view: viewSchema,
  comment: z.string().optional(),
  /** The groups that the person's token named, and until when its word holds. */
  claim: z.object({ groups: z.array(z.string()), holds_until: instant }).optional(),
  voted_at: instant,
});

const operationTypes = z.enum(['tool_call', 'mcp_tool_call', 'workflow']);
const shown = {
  operation: z.object({
    id: z.string(),
    type: operationTypes,
    tool: z.string(),
    tool_version: z.string(),
    summary: z.string(),
    arguments: displayed,
    arguments_hash: shownHashSchema,
    binding_hash: digest,
  }),
  risk: riskSchema,
  redaction: z.object({
    redacted: z.boolean(),
    truncated: z.boolean(),
    hidden_values: z.int(),
    hidden_members: z.int(),
    cut_bytes: z.int(),
    full_view_required: z.boolean(),
  }),
  details: z.object({ consequence: z.string(), idempotent: z.boolean(), workspace_path: z.string().optional() }),
};
const bare = { operation: z.object({ id: z.string(), arguments_hash: shownHashSchema, binding_hash: digest }) };

const opening = {
  ...shown,
  requester: requesterSchema,
  call_id: z.string().optional(),
  /** Unless renewed, what is pending is cancelled after so long: then whoever asked is gone. */
  lease_seconds: z.int().min(1).optional(),
  /** The agent's own words, made visible and bounded; claimed, never computed. */
  reason_claimed: z.string().optional(),
  display_hash: digest,
  tool_digest: z.string(),
  policy: z.object({
    policy_id: z.string(),
    policy_revision: z.string(),
    matched_rules: z.array(z.string()),
    agent_mode: z.enum(['autonomous', 'monitored', 'strict']),
  }),
  run: z.object({ managed: z.boolean(), timeout_seconds: z.int(), use_within_seconds: z.int() }),
};

/** What a decision rests on, as it was read for it: the directory's entries behind each vote that counts, and policy. */
const readFrom = { directory_revisions: z.record(z.string(), z.int()).optional(), policy_revision: z.string().optional() };

/** A member of the named group who wants it to run without the approvers, and why. */
const glassBreaker = z.object({ subject: z.string(), channel, view: viewSchema, reason: z.string(), ticket: z.string(), acted_at: instant });
const broken = { actor: actorSchema, by: glassBreaker };
const breakGlass = z.object({ group: z.string(), review_by: z.string(), within_seconds: z.int() });

/** The CloudEvents frame of every logged event, an operation's or a policy's. */
export function loggedEvent<T extends string, D extends z.ZodRawShape>(type: T, data: D) {
  return z.object({
    specversion: z.literal('1.0'),
    id: z.string(),
    source: z.literal(EVENT_SOURCE),
    type: z.literal(type),
    subject: z.string(),
    time: instant,
    datacontenttype: z.literal('application/json'),
    dataschema: z.string(),
    data: z.object({
      sequence: z.int().min(1),
      causation_id: z.string(),
      previous_hash: z.union([digest, z.literal('')]),
      hash: digest,
      ...data,
    }),
  });
}

function event<T extends string, D extends z.ZodRawShape>(type: T, data: D) {
  return loggedEvent(type, { scope: scopeSchema, ...data });
}

export const eventSchema = z.discriminatedUnion('type', [
  event('approval.requested', {
    ...opening,
    requirements: z.array(requirement),
    expires_at: instant,
    reminders: z.array(instant).optional(),
    /** No extension goes beyond this; absent where policy allows none. */
    extendable_until: instant.optional(),
    break_glass: breakGlass.optional(),
  }),
  event('approval.auto_granted', { ...opening, use_by: instant }),
  event('approval.refused', {
    ...opening,
    reason: z.enum(['policy_denied', 'nobody_can_approve']),
    /** The approvers that policy names and that stand for nobody; where there are some and too few, none stands here. */
    nobody: z.array(z.object({ approver: z.string(), because: z.enum(['empty', 'unresolvable', 'cyclic', 'unreadable', 'own_operation']) })).optional(),
  }),
  event('approval.arguments_revealed', { ...shown, actor: actorSchema, channel }),
  event('approval.voted', {
    ...shown,
    actor: actorSchema,
    vote,
    /** All requirements, those included that a stricter policy brought since the request. */
    requirements: z.array(requirement),
    progress: z.array(z.object({ approvals: z.int(), quorum: z.int(), waiting_for: z.array(z.string()).optional() })),
    /** The same for people to read, such as "1 of 2, waiting for group:finance". */
    progress_text: z.string().optional(),
    ...readFrom,
  }),
  event('approval.reminded', { ...shown, actor: actorSchema, reminded: z.array(instant), requirements: z.array(requirement), expires_at: instant }),
  event('approval.escalated', { ...shown, actor: actorSchema, escalated: z.array(level), requirements: z.array(requirement), expires_at: instant }),
  event('approval.extended', { ...shown, actor: actorSchema, channel, expires_at: instant, until_now: instant, comment: z.string().optional() }),
  event('approval.break_glass_asked', { ...shown, ...broken, second_person_until: instant }),
  event('approval.break_glass', { ...shown, ...broken, severity: z.literal('high'), with: glassBreaker, review_by: z.string(), use_by: instant.optional() }),
  event('approval.break_glass_reviewed', { ...shown, actor: actorSchema, channel, comment: z.string() }),
  event('approval.granted', { ...shown, actor: actorSchema, votes: z.array(vote), use_by: instant, ...readFrom }),
  event('approval.answered', { ...shown, actor: actorSchema, votes: z.array(vote), ...readFrom }),
  event('approval.denied', { ...shown, actor: actorSchema, vote, reason: z.enum(['denied_by_approver', 'arguments_hash_mismatch']), ...readFrom }),
  event('approval.denied_late', { ...shown, actor: actorSchema, channel, comment: z.string().optional() }),
  event('approval.expired', { ...shown, actor: actorSchema, expired_at: instant }),
  event('approval.cancelled', { ...shown, actor: actorSchema, reason: z.string(), comment: z.string().optional() }),
  event('approval.voided', { ...shown, actor: actorSchema, reason: z.enum(['grant_lapsed', 'tool_changed', 'policy_denies_now', 'arguments_changed']) }),
  event('tool.started', { ...bare, actor: actorSchema, claim_id: z.string(), run_deadline: instant }),
  event('tool.completed', { ...bare, actor: actorSchema, claim_id: z.string(), result_hash: shownHashSchema }),
  event('tool.failed', { ...bare, actor: actorSchema, claim_id: z.string(), error: z.string(), result_hash: shownHashSchema }),
  event('tool.review_requested', { ...bare, actor: actorSchema, mode: z.literal('monitored') }),
  event('tool.cancel_requested', { ...bare, actor: actorSchema, comment: z.string().optional() }),
  event('tool.outcome_unknown', { ...bare, actor: actorSchema, reason: z.string() }),
  event('tool.outcome_observed', { ...bare, actor: actorSchema, claim_id: z.string(), observed: z.enum(['completed', 'failed']), result_hash: shownHashSchema }),
]);

export type OperationEvent = z.infer<typeof eventSchema>;
export type EventType = OperationEvent['type'];
export type Scope = z.infer<typeof scopeSchema>;
export type Requester = z.infer<typeof requesterSchema>;
export type Requirement = z.infer<typeof requirement>;
export type BreakGlass = z.infer<typeof breakGlass>;
export type GlassBreaker = z.infer<typeof glassBreaker>;
export type Level = z.infer<typeof level>;
export type Vote = z.infer<typeof vote>;
export type Channel = z.infer<typeof channel>;
export type View = z.infer<typeof viewSchema>;
export type OperationType = z.infer<typeof operationTypes>;
export type Risk = z.infer<typeof riskSchema>;

type Sealed = 'scope' | 'sequence' | 'causation_id' | 'previous_hash' | 'hash';
/** What a decision says happened, before the log gives it its place in the chain. */
export type EventDraft = OperationEvent extends infer E
  ? E extends { type: infer T; data: infer D }
    ? { readonly type: T; readonly data: Readonly<Omit<D, Sealed>> }
    : never
  : never;
export type DraftOf<T extends EventType> = Extract<EventDraft, { type: T }>;
export type EventOf<T extends EventType> = Extract<OperationEvent, { type: T }>;

export const EVENT_TYPES: readonly EventType[] = eventSchema.options.map((option) => option.shape.type.value);
