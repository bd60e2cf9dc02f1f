// Records for port tests, made by the real domain: an operation told step by step, each a second after the one before.
import { argumentsHash } from '../../lambdas/domain/binding.ts';
import { BEFORE_FIRST, seal, type SealedEvent } from '../../lambdas/domain/chain.ts';
import { decideCancel } from '../../lambdas/domain/decide/cancel-operation.ts';
import { decideVote } from '../../lambdas/domain/decide/cast-vote.ts';
import { decideOpen } from '../../lambdas/domain/decide/open-operation.ts';
import type { Ruling } from '../../lambdas/domain/decide/ruling.ts';
import { evolve } from '../../lambdas/domain/evolve.ts';
import { openingFacts } from '../../lambdas/domain/opening-facts.ts';
import type { Operation } from '../../lambdas/domain/operation.ts';
import type { PolicyVerdict } from '../../lambdas/domain/policy/evaluate-policy.ts';
import { judgementOf } from '../../lambdas/domain/policy/judgement.ts';
import { workspaceSchema } from '../../lambdas/domain/registry.ts';
import { plusSeconds, type Instant } from '../../lambdas/domain/times.ts';
import { START_OF_TEST } from './in-memory-system.ts';
import { testRegistry } from './port-registry.ts';

let told = 0;

/** Unused before in this process; the last hex digit is its shard's, 0 unless told otherwise. */
export function freshOperationId(last_digit = '0'): string {
  told += 1;
  return `op_${told.toString(16).padStart(31, '0')}${last_digit}`;
}

export type Step = (operation: Operation, now: Instant) => Ruling;

const SCOPE = { org_id: 'acme', workspace_id: 'w1', agent_id: 'billing-bot' } as const;
const ANA_HERSELF = { via: 'user:ana', references: ['user:ana'], path: [] } as const;
const ANA = { subject: 'user:ana', kind: 'user', proof: 'jwt' } as const;

export const approve: Step = (operation, now) =>
  decideVote(operation, { actor: ANA, arguments_hash: operation.opening.operation.arguments_hash, decision: 'approve', channel: 'api', eligible: [new Map([['user:ana', ANA_HERSELF]])] }, now);

export const cancel: Step = (operation) => decideCancel(operation, { actor: { subject: 'agent:billing-bot', kind: 'agent', proof: 'iam' }, administrator: false });

export interface Telling {
  readonly operation_id?: string;
  readonly at?: Instant;
  readonly approvers?: readonly string[];
  readonly steps?: readonly Step[];
}

export interface Told {
  readonly sealed: readonly [SealedEvent, ...SealedEvent[]];
  /** The operation as it was after each event. */
  readonly folds: readonly [Operation, ...Operation[]];
  readonly last: Operation;
}

export function tell({ operation_id = freshOperationId(), at = START_OF_TEST, approvers = ['user:ana'], steps = [] }: Telling = {}): Told {
  const [definition] = testRegistry().tools;
  if (definition === undefined) throw new Error('the test registry holds no tool');
  const call = { operation_id, type: 'tool_call', tool: definition.name, arguments: { amount: 5 }, arguments_hash: argumentsHash('{"amount":5}'), scope: SCOPE, requester: { subject: 'agent:billing-bot', owner: 'user:olga' } } as const;
  const asks = judgementOf({ source: 'workspace:w1/refunds', effect: 'ask', policy_id: 'refunds', requirement: { approvers: [...approvers], quorum: 1 } });
  const verdict: PolicyVerdict = { ...asks, timeout_seconds: 3600, policy_revision: 'workspace:w1@1', agent_mode: 'autonomous' };
  const facts = openingFacts(call, { definition, workspace: workspaceSchema.parse({ id: 'w1', org_id: 'acme' }), policy_revision: verdict.policy_revision });
  const opening = decideOpen(undefined, { facts, verdict, eligible: [new Map([['user:ana', ANA_HERSELF]])] }, at);
  const first = sealed(opening, undefined, operation_id, at);
  const events: [SealedEvent, ...SealedEvent[]] = [first];
  const folds: [Operation, ...Operation[]] = [evolve(undefined, first.event)];
  let last = folds[0];
  for (const [index, step] of steps.entries()) {
    const now = plusSeconds(at, index + 1);
    const next = sealed(step(last, now), last, operation_id, now);
    last = evolve(last, next.event);
    events.push(next);
    folds.push(last);
  }
  return { sealed: events, folds, last };
}

function sealed(ruling: Ruling, before: Operation | undefined, operation_id: string, time: Instant): SealedEvent {
  if (ruling.kind !== 'append') throw new Error(`the domain rules ${ruling.kind}`);
  return seal(ruling.event, before?.tail ?? BEFORE_FIRST, { operation_id, scope: SCOPE, time, causation_id: 'test:tell' });
}
