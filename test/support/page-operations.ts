// Operations for page tests, built through the real domain: real arguments, hashes, display, events and chain.
import { resolveApprovers, type ApproverSource } from '../../lambdas/domain/approvers.ts';
import { argumentsHash } from '../../lambdas/domain/binding.ts';
import { BEFORE_FIRST, seal, type SealedEvent } from '../../lambdas/domain/chain.ts';
import { decideCancel } from '../../lambdas/domain/decide/cancel-operation.ts';
import { decideVote } from '../../lambdas/domain/decide/cast-vote.ts';
import { decideOpen } from '../../lambdas/domain/decide/open-operation.ts';
import type { Ruling } from '../../lambdas/domain/decide/ruling.ts';
import { decideClaim, decideOutcome, type Outcome } from '../../lambdas/domain/decide/run-tool.ts';
import { decideByTime } from '../../lambdas/domain/decide/settle-operation.ts';
import { evolve } from '../../lambdas/domain/evolve.ts';
import type { Requester, Scope } from '../../lambdas/domain/events.ts';
import { canonicalJson } from '../../lambdas/domain/json/canonical-json.ts';
import type { JsonValue } from '../../lambdas/domain/json/json-value.ts';
import { openingFacts } from '../../lambdas/domain/opening-facts.ts';
import type { Operation } from '../../lambdas/domain/operation.ts';
import { evaluatePolicy } from '../../lambdas/domain/policy/evaluate-policy.ts';
import { parsePolicy } from '../../lambdas/domain/policy/policy-document.ts';
import { toolSchema, workspaceSchema, type Tool } from '../../lambdas/domain/registry.ts';
import { plusSeconds, type Instant } from '../../lambdas/domain/times.ts';

export const NOW: Instant = '2026-12-01T13:07:30.000Z';
export const OPERATION_ID = `op_${'0123456789abcdef'.repeat(2)}`;

export const REFUND: Tool = toolSchema.parse({
  name: 'refund_payment',
  version: '1.2.0',
  consequence: 'irreversible',
  risk: { level: 'high', reasons: ['it moves money', 'it cannot be undone'] },
  executor: { function: 'refund_payment' },
});

/** What policy says of every call of a story, unless the story says otherwise. */
export const ASKS = { effect: 'ask', approvers: ['user:ana', 'user:ben'], timeout_seconds: 3600 } as const;

export interface Asked {
  /** One policy rule about everything: its effect, and for an ask whom. */
  readonly says?: Readonly<Record<string, unknown>>;
  readonly operation_id?: string;
  readonly tool?: Tool;
  readonly arguments?: JsonValue;
  readonly reason?: string;
  readonly call_id?: string;
  readonly scope?: Partial<Scope>;
  readonly requester?: Requester;
}

export interface Story {
  readonly operation: Operation;
  readonly sealed: readonly SealedEvent[];
}

const directory: ApproverSource = {
  now: NOW,
  entryOf: async (reference) => (reference === 'group:finance' ? { kind: 'group', revision: 1, members: ['user:ana', 'user:zoe'], from_claim: false } : reference.startsWith('user:') ? { kind: 'person', revision: 1 } : undefined),
};

/** The operation as it opens under policy: pending where policy asks. */
export async function asked(call: Asked = {}, now: Instant = NOW): Promise<Story> {
  const { tool = REFUND, operation_id = OPERATION_ID } = call;
  const value = call.arguments ?? { customer_id: 'c-42', amount: 120, currency: 'EUR' };
  const scope: Scope = { org_id: 'acme', workspace_id: 'w1', agent_id: 'billing-bot', ...call.scope };
  const requester = call.requester ?? { subject: 'agent:billing-bot', owner: 'user:olga' };
  const policies = [{ scope: 'workspace:w1' as const, revision: 1, document: parsePolicy('workspace:w1', { rules: [{ id: 'registry.tools.v1', target: '*', ...(call.says ?? ASKS) }] }) }];
  const workspace = workspaceSchema.parse({ id: 'w1', org_id: 'acme' });
  const { verdict } = await evaluatePolicy({ tool: tool.name, arguments: value, scope, requester }, { policies, definition: tool, workspace, holds: async () => 'unclear' });
  const given = { ...(call.reason === undefined ? {} : { reason: call.reason }), ...(call.call_id === undefined ? {} : { call_id: call.call_id }) };
  const facts = openingFacts({ operation_id, type: 'tool_call', tool: tool.name, arguments: value, arguments_hash: argumentsHash(canonicalJson(value)), scope, requester, ...given }, { definition: tool, workspace, policy_revision: verdict.policy_revision });
  const eligible = await resolveApprovers(verdict.requirements, requester, directory);
  return after(undefined, operation_id, scope, decideOpen(undefined, { facts, verdict, eligible }, now), now);
}

export async function voted(story: Story, subject: string, decision: 'approve' | 'deny', more: { comment?: string; hash?: string; at?: Instant } = {}): Promise<Story> {
  const { operation } = story;
  const now = more.at ?? plusSeconds(NOW, 60);
  const requirements = operation.status === 'pending' ? operation.requirements : [];
  const eligible = await resolveApprovers(requirements, operation.opening.requester, directory);
  const comment = more.comment === undefined ? {} : { comment: more.comment };
  const arguments_hash = more.hash ?? operation.opening.operation.arguments_hash;
  return next(story, decideVote(operation, { actor: { subject, kind: 'user', proof: 'jwt' }, arguments_hash, decision, channel: 'page', ...comment, eligible }, now), now);
}

export function started(story: Story, tool: Tool = REFUND): Story {
  const now = plusSeconds(NOW, 61);
  return next(story, decideClaim(story.operation, { claim_id: 'claim-1', tool, policy_denies: false, vault_hash: story.operation.opening.operation.arguments_hash }, now), now);
}

export function ended(story: Story, outcome: Outcome): Story {
  return next(story, decideOutcome(story.operation, { claim_id: 'claim-1', outcome }), plusSeconds(NOW, 62));
}

export function cancelled(story: Story, comment: string): Story {
  return next(story, decideCancel(story.operation, { actor: { subject: 'user:olga', kind: 'user', proof: 'jwt' }, administrator: false, comment }), plusSeconds(NOW, 63));
}

/** What the clock does to it at `now`. */
export function timePassed(story: Story, now: Instant): Story {
  return next(story, decideByTime(story.operation, now), now);
}

function next(story: Story, ruling: Ruling, now: Instant): Story {
  return after(story, story.operation.operation_id, story.operation.opening.scope, ruling, now);
}

function after(story: Story | undefined, operation_id: string, scope: Scope, ruling: Ruling, time: Instant): Story {
  if (ruling.kind !== 'append') throw new Error(ruling.kind === 'refuse' ? ruling.refusal.code : 'nothing to append');
  const sealed = seal(ruling.event, story?.operation.tail ?? BEFORE_FIRST, { operation_id, scope, time, causation_id: 'request:test' });
  return { operation: evolve(story?.operation, sealed.event), sealed: [...(story?.sealed ?? []), sealed] };
}
