// Operations as stories: who did what at which second. Every step goes through the real domain (facts, policy,
// approvers, decider, seal, fold), so that no test works on a record that no writer could have made.
import { resolveApprovers, type ApproverSource, type Eligible } from '../../lambdas/domain/approvers.ts';
import { argumentsHash } from '../../lambdas/domain/binding.ts';
import type { Actor, SubjectKind } from '../../lambdas/domain/caller.ts';
import { BEFORE_FIRST, seal, type SealedEvent } from '../../lambdas/domain/chain.ts';
import { decideBreakGlass, decideGlassReview, type BreakTheGlass } from '../../lambdas/domain/decide/break-glass.ts';
import { decideCancel } from '../../lambdas/domain/decide/cancel-operation.ts';
import { decideVote, requirementsNow, type CastVote } from '../../lambdas/domain/decide/cast-vote.ts';
import { decideExtend } from '../../lambdas/domain/decide/extend-operation.ts';
import { decideLapse, unlessLapsed } from '../../lambdas/domain/decide/lapse-lease.ts';
import { decideOpen } from '../../lambdas/domain/decide/open-operation.ts';
import { decideReveal } from '../../lambdas/domain/decide/reveal-arguments.ts';
import type { Ruling } from '../../lambdas/domain/decide/ruling.ts';
import { decideClaim, decideOutcome, decideReview, type Outcome } from '../../lambdas/domain/decide/run-tool.ts';
import { decideAbandon, decideByTime } from '../../lambdas/domain/decide/settle-operation.ts';
import { evolve } from '../../lambdas/domain/evolve.ts';
import type { BreakGlass, Channel, EventType, Requester, Requirement, Scope, View } from '../../lambdas/domain/events.ts';
import { canonicalJson } from '../../lambdas/domain/json/canonical-json.ts';
import type { JsonValue } from '../../lambdas/domain/json/json-value.ts';
import { openingFacts } from '../../lambdas/domain/opening-facts.ts';
import type { Operation } from '../../lambdas/domain/operation.ts';
import { evaluatePolicy, type PolicyVerdict } from '../../lambdas/domain/policy/evaluate-policy.ts';
import { parsePolicy } from '../../lambdas/domain/policy/policy-document.ts';
import { toolSchema, workspaceSchema, type Tool, type Workspace } from '../../lambdas/domain/registry.ts';
import { approversOf, requirementsOf } from '../../lambdas/domain/standing.ts';
import { plusSeconds, type Instant } from '../../lambdas/domain/times.ts';

/** Second 0 of every story. */
export const OPENED_AT: Instant = '2026-12-01T09:00:00.000Z';
export const instant = (second: number): Instant => plusSeconds(OPENED_AT, second);

export const OPERATION_ID = `op_${'0123456789abcdef'.repeat(2)}`;
export const SCOPE: Scope = { org_id: 'acme', workspace_id: 'w1', agent_id: 'billing-bot' };
/** The requester set of every story: nobody in it may ever approve. */
export const REQUESTER: Requester = { subject: 'agent:billing-bot', on_behalf_of: 'user:zoe', owner: 'user:olga' };
export const ARGUMENTS: JsonValue = { customer_id: 'c-42', amount: 120, currency: 'EUR' };
export const ARGUMENTS_HASH: string = argumentsHash(canonicalJson(ARGUMENTS));
export const OTHER_HASH: string = argumentsHash('{"amount":9000}');
export const POLICY_REVISION = 'org:acme@7';
export const WORKSPACE: Workspace = workspaceSchema.parse({ id: 'w1', org_id: 'acme' });
export const resultHash = (text: string): string => argumentsHash(text);

export const REFUND: Tool = toolSchema.parse({
  name: 'refund_payment',
  version: '1',
  consequence: 'irreversible',
  risk: { level: 'high', reasons: ['it moves money'] },
  executor: { function: 'refund_payment' },
});
/** An approver may ask for its exact arguments. */
export const REVEALING: Tool = { ...REFUND, reveal: 'on_request' };
export const IDEMPOTENT: Tool = { ...REFUND, name: 'set_flag', idempotent: true };
/** Nothing runs it: approving it is the answer that the agent waits for. */
export const UNMANAGED: Tool = toolSchema.parse({ name: 'request_approval', version: '1', consequence: 'change' });

/** An organisation’s policy, as it would be written: its rules, and what else it says. */
export type Policy = Readonly<Record<string, unknown>>;

/** Decidable for 3600 s. A grant is then good for 900 s, and a run may take 60 s and the runner’s 15. */
export function asking(approvers: readonly string[], quorum = 1): Policy {
  return { rules: [{ id: 'ask', target: '*', effect: 'ask', approvers, quorum, timeout_seconds: 3600 }] };
}
/** One ask with whatever else it says, and what the organisation says beside it. */
export function askingWith(ask: Readonly<Record<string, unknown>>, more: Policy = {}): Policy {
  return { ...more, rules: [{ id: 'ask', target: '*', effect: 'ask', approvers: ['user:ana', 'user:ben'], timeout_seconds: 3600, ...ask }] };
}
export const BREAK_GLASS: BreakGlass = { group: 'group:oncall', review_by: 'group:audit', within_seconds: 600 };
export const ASKING: Policy = asking(['user:ana', 'user:ben']);
export const ALLOWING: Policy = { rules: [{ id: 'harmless.v1', target: '*', effect: 'allow' }] };
export const DENYING: Policy = { rules: [{ id: 'never.v1', target: '*', effect: 'deny' }] };

/** Who is in which group; and under `user:ana is away`, whom that person has named to stand in. */
export type Directory = Readonly<Record<string, readonly string[]>>;
export const DIRECTORY: Directory = { 'group:finance': ['user:ana', 'user:ben', 'user:fay', 'user:zoe'], 'group:audit': ['user:ian'], 'group:oncall': ['user:gil', 'user:hal', 'user:zoe'], 'group:empty': [] };

/** Something done to an operation at a moment. */
export type Command = (operation: Operation | undefined, now: Instant) => Ruling | Promise<Ruling>;

export interface Step {
  readonly second: number;
  readonly command: Command;
}

export const at = (second: number, command: Command): Step => ({ second, command });

export interface Proposed {
  readonly tool?: Tool;
  /** A name that the registry does not hold. */
  readonly unknown_tool?: string;
  readonly policy?: Policy;
  /** Instead of what policy asks: requirements of several scopes, or such as no document may hold. */
  readonly requirements?: readonly Requirement[];
  readonly requester?: Requester;
  readonly directory?: Directory;
  readonly workspace?: Workspace;
  readonly agent_mode?: PolicyVerdict['agent_mode'];
  readonly arguments?: JsonValue;
  readonly reason?: string;
  readonly call_id?: string;
  readonly lease_seconds?: number;
}

export function propose(call: Proposed = {}): Command {
  const { requester = REQUESTER, directory = DIRECTORY, unknown_tool, workspace = WORKSPACE, arguments: value = ARGUMENTS, reason, call_id, lease_seconds, agent_mode } = call;
  const definition = unknown_tool === undefined ? (call.tool ?? REFUND) : undefined;
  const tool = unknown_tool ?? definition?.name ?? '';
  const said = { ...(reason === undefined ? {} : { reason }), ...(call_id === undefined ? {} : { call_id }), ...(lease_seconds === undefined ? {} : { lease_seconds }) };
  const proposed = { operation_id: OPERATION_ID, type: 'tool_call' as const, tool, arguments: value, scope: SCOPE, requester, ...said };
  const facts = openingFacts({ ...proposed, arguments_hash: argumentsHash(canonicalJson(value)) }, { definition, workspace, policy_revision: POLICY_REVISION });
  const policies = [{ scope: 'org:acme', revision: 7, document: parsePolicy('org:acme', call.policy ?? ASKING) }] as const;
  return async (operation, now) => {
    const says = (await evaluatePolicy(proposed, { policies, definition, workspace, holds: async () => 'yes' })).verdict;
    const verdict = { ...says, ...(call.requirements === undefined ? {} : { requirements: call.requirements }), ...(agent_mode === undefined ? {} : { agent_mode }) };
    const eligible = await resolveApprovers(verdict.requirements, requester, directoryAt(directory, now));
    return decideOpen(operation, { facts, verdict, eligible }, now);
  };
}

export interface Voting {
  readonly kind?: SubjectKind;
  readonly hash?: string;
  readonly channel?: Channel;
  readonly view?: View;
  readonly comment?: string;
  /** Who is in which group at this moment. */
  readonly directory?: Directory;
  /** What policy says at this moment, where it is stricter than it was. */
  readonly policy_now?: CastVote['policy_now'];
  /** Until when the lease was renewed; unless given, event 1 says it. */
  readonly lease_until?: Instant;
}

export const approve = (subject: string, how: Voting = {}): Command => vote(subject, 'approve', how);
export const deny = (subject: string, how: Voting = {}): Command => vote(subject, 'deny', how);

export function vote(subject: string, decision: 'approve' | 'deny', { kind, hash, channel = 'page', view, comment, directory = DIRECTORY, policy_now, lease_until }: Voting = {}): Command {
  return async (operation, now) => {
    const standing = must(operation);
    const eligible = await resolveApprovers(standing.status === 'pending' ? requirementsNow(standing, policy_now) : requirementsOf(standing), standing.opening.requester, directoryAt(directory, now));
    const said = { ...(comment === undefined ? {} : { comment }), ...(view === undefined ? {} : { view }), ...(policy_now === undefined ? {} : { policy_now }) };
    const ruling = decideVote(standing, { actor: actor(subject, kind), arguments_hash: hash ?? ARGUMENTS_HASH, decision, channel, ...said, eligible }, now);
    return decision === 'deny' ? ruling : unlessLapsed(ruling, standing, lease_until, now);
  };
}

export function reveal(subject: string, { tool = REVEALING, gone = false, kind, channel = 'page', directory = DIRECTORY }: Voting & { readonly tool?: Tool; readonly gone?: boolean } = {}): Command {
  return async (operation, now) => {
    const standing = must(operation);
    const eligible = await approversOf(standing, directoryAt(directory, now));
    return decideReveal(standing, { actor: actor(subject, kind), channel, eligible, tool: gone ? undefined : tool }, now);
  };
}

export function extend(subject: string, second: number, { kind, channel = 'page', comment, directory = DIRECTORY }: Voting = {}): Command {
  return async (operation, now) => {
    const standing = must(operation);
    const eligible = await approversOf(standing, directoryAt(directory, now));
    return decideExtend(standing, { actor: actor(subject, kind), channel, expires_at: instant(second), ...(comment === undefined ? {} : { comment }), eligible }, now);
  };
}

export interface Breaking extends Omit<Voting, 'policy_now'> {
  readonly policy_now?: BreakTheGlass['policy_now'];
}

export function breakGlass(subject: string, { kind, hash, channel = 'page', view, directory = DIRECTORY, policy_now = { denies: false, break_glass: BREAK_GLASS } }: Breaking = {}): Command {
  return async (operation, now) => {
    const standing = must(operation);
    const members = await peopleOf(standing.opening.break_glass?.group, standing, directory, now);
    const said = { reason: 'payments are down', ticket: 'INC-7', channel, ...(view === undefined ? {} : { view }) };
    return decideBreakGlass(standing, { actor: actor(subject, kind), arguments_hash: hash ?? ARGUMENTS_HASH, ...said, members, policy_now }, now);
  };
}

export function reviewGlass(subject: string, { kind, channel = 'page', directory = DIRECTORY }: Voting = {}): Command {
  return async (operation, now) => {
    const standing = must(operation);
    const reviewers = await peopleOf(standing.broken_glass?.review_by, standing, directory, now);
    return decideGlassReview(standing, { actor: actor(subject, kind), channel, comment: 'looked at', reviewers });
  };
}

export function cancel(subject: string, { administrator = false, comment }: { administrator?: boolean; comment?: string } = {}): Command {
  return (operation) => decideCancel(must(operation), { actor: actor(subject), administrator, ...(comment === undefined ? {} : { comment }) });
}

export interface Claiming {
  readonly claim_id?: string;
  /** As the registry and the vault are at this moment; undefined where they hold nothing. */
  readonly tool?: Tool | undefined;
  readonly vault_hash?: string | undefined;
  readonly policy_denies?: boolean;
}

export function claim(claiming: Claiming = {}): Command {
  return (operation, now) => decideClaim(must(operation), { claim_id: 'claim-1', tool: REFUND, vault_hash: ARGUMENTS_HASH, policy_denies: false, ...claiming }, now);
}

export const report = (outcome: Outcome, claim_id = 'claim-1'): Command => (operation) => decideOutcome(must(operation), { claim_id, outcome });
export const COMPLETED = { kind: 'completed', result_hash: resultHash('"refunded"') } as const satisfies Outcome;
export const FAILED = { kind: 'failed', error: 'CardExpired', result_hash: resultHash('"card expired"') } as const satisfies Outcome;
export const LOST = { kind: 'unknown', reason: 'invoke_timed_out' } as const satisfies Outcome;

/** What the relay asks of a run that ended. */
export const review = (): Command => (operation) => decideReview(must(operation));

/** What the sweep does to a lease. */
export const lapse = (lease_until?: Instant): Command => (operation, now) => decideLapse(must(operation), lease_until, now);

/** What the clock does. */
export const wait = (): Command => (operation, now) => decideByTime(must(operation), now);
export const abandon = (reason: 'execution_stopped' | 'execution_lost'): Command => (operation) => decideAbandon(must(operation), reason);

export function actor(subject: string, kind: SubjectKind = subject.startsWith('agent:') ? 'agent' : subject.startsWith('service:') ? 'service' : 'user'): Actor {
  return { subject, kind, proof: kind === 'user' ? 'jwt' : 'iam' };
}

export interface Story {
  readonly operation: Operation;
  readonly sealed: readonly SealedEvent[];
}

/** Plays steps that must each append an event. */
export async function tell(steps: readonly Step[]): Promise<Story> {
  let story: Story | undefined;
  for (const { second, command } of steps) {
    const ruling = await command(story?.operation, instant(second));
    if (ruling.kind !== 'append') throw new Error(`second ${second} of this story: ${ruling.kind === 'refuse' ? ruling.refusal.code : 'nothing to append'}`);
    story = appended(story, ruling, instant(second));
  }
  if (story === undefined) throw new Error('a story needs a step');
  return story;
}

export function appended(story: Story | undefined, ruling: Extract<Ruling, { kind: 'append' }>, time: Instant): Story {
  const sealed = seal(ruling.event, story?.operation.tail ?? BEFORE_FIRST, { operation_id: OPERATION_ID, scope: SCOPE, time, causation_id: 'request:test' });
  return { operation: evolve(story?.operation, sealed.event), sealed: [...(story?.sealed ?? []), sealed] };
}

export const typesOf = (story: Story): readonly EventType[] => story.sealed.map(({ event }) => event.type);

function must(operation: Operation | undefined): Operation {
  if (operation === undefined) throw new Error('a story starts with a proposal');
  return operation;
}

async function peopleOf(group: string | undefined, { opening }: Operation, directory: Directory, now: Instant): Promise<Eligible> {
  const resolved = await resolveApprovers([{ approvers: group === undefined ? [] : [group], quorum: 1 }], opening.requester, directoryAt(directory, now));
  return resolved[0] ?? new Map();
}

/** Everybody who is named is there; a group holds whom the story says. */
function directoryAt(directory: Directory, now: Instant): ApproverSource {
  return {
    now,
    entryOf: async (reference) => {
      const members = directory[reference];
      if (members !== undefined) return { kind: 'group', revision: 1, members, from_claim: false };
      if (!reference.startsWith('user:')) return undefined;
      const [to] = directory[`${reference} is away`] ?? [];
      return { kind: 'person', revision: 1, ...(to === undefined ? {} : { stand_in: { to, from: now, until: plusSeconds(now, 1) } }) };
    },
  };
}
