// Taking the grant and telling what came of it. A tool is started at most once: whoever appended `tool.started`
// runs it, and nobody else does (unless the tool declares itself idempotent).
import { systemActor } from '../caller.ts';
import type { EventOf } from '../events.ts';
import type { Operation } from '../operation.ts';
import { refusal } from '../refusals.ts';
import type { Tool } from '../registry.ts';
import { toolDigest } from '../registry.ts';
import { hasCome, plusSeconds, type Instant } from '../times.ts';
import { append, refuse, UNCHANGED, type Ruling } from './ruling.ts';
import { bareOf, shownOf } from './shown.ts';

export interface ClaimGrant {
  readonly claim_id: string;
  /** The tool as the registry holds it now; undefined when it is gone. */
  readonly tool: Tool | undefined;
  /** Whether policy, as it is now, denies this very call. */
  readonly policy_denies: boolean;
  /** Digest of the bytes that the vault holds and the runner would pass on; undefined when they are gone. */
  readonly vault_hash: string | undefined;
}

const RUNNER = systemActor('run-tool');
/** The runner itself needs a moment around the tool's own time. */
const RUN_MARGIN_SECONDS = 15;

export function decideClaim(operation: Operation, { claim_id, tool, policy_denies, vault_hash }: ClaimGrant, now: Instant): Ruling {
  if (operation.status === 'running') {
    const mayRepeat = tool?.idempotent === true && operation.opening.details.idempotent && !operation.run.cancel_requested && !hasCome(operation.run.run_deadline, now);
    const asGranted = whyChanged(operation.opening, { claim_id, tool, policy_denies, vault_hash }) === undefined;
    if (operation.run.claim_id === claim_id || (mayRepeat && asGranted)) return UNCHANGED;
    return refuse(refusal('grant_already_claimed', 'The tool was started already; it is not started again.'));
  }
  if (operation.status !== 'granted') return refuse(refusal('already_decided', `The operation is ${operation.status}.`));
  const reason = hasCome(operation.use_by, now) ? 'grant_lapsed' : whyChanged(operation.opening, { claim_id, tool, policy_denies, vault_hash });
  if (reason !== undefined) return append({ type: 'approval.voided', data: { ...shownOf(operation), actor: RUNNER, reason } });
  const run_deadline = plusSeconds(now, operation.opening.run.timeout_seconds + RUN_MARGIN_SECONDS);
  return append({ type: 'tool.started', data: { ...bareOf(operation), actor: RUNNER, claim_id, run_deadline } });
}

/** `wait` + `run` of an execution's input: the longest that RunTool may have to wait. */
export function longestRunSeconds(run: { readonly timeout_seconds: number; readonly use_within_seconds: number }): number {
  return run.use_within_seconds + run.timeout_seconds + RUN_MARGIN_SECONDS;
}

type Opening = Operation['opening'];
type VoidReason = EventOf<'approval.voided'>['data']['reason'];

function whyChanged(opening: Opening, { tool, policy_denies, vault_hash }: ClaimGrant): VoidReason | undefined {
  if (policy_denies) return 'policy_denies_now';
  if (tool === undefined || toolDigest(tool) !== opening.tool_digest) return 'tool_changed';
  if (vault_hash !== opening.operation.arguments_hash) return 'arguments_changed';
  return undefined;
}

export type Outcome =
  | { readonly kind: 'completed'; readonly result_hash: string }
  | { readonly kind: 'failed'; readonly error: string; readonly result_hash: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface ReportOutcome {
  readonly claim_id: string;
  readonly outcome: Outcome;
}

/** The first outcome stands. A result that comes after a cancel or a lost deadline is kept as evidence only. */
export function decideOutcome(operation: Operation, { claim_id, outcome }: ReportOutcome): Ruling {
  if ('run' in operation && operation.run.claim_id !== claim_id && !operation.opening.details.idempotent) {
    return refuse(refusal('grant_already_claimed', 'Only the invocation that started the tool tells its outcome.'));
  }
  const bare = { ...bareOf(operation), actor: RUNNER };
  if (operation.status === 'running' && !operation.run.cancel_requested) {
    switch (outcome.kind) {
      case 'completed':
        return append({ type: 'tool.completed', data: { ...bare, claim_id, result_hash: outcome.result_hash } });
      case 'failed':
        return append({ type: 'tool.failed', data: { ...bare, claim_id, error: outcome.error, result_hash: outcome.result_hash } });
      case 'unknown':
        return append({ type: 'tool.outcome_unknown', data: { ...bare, reason: outcome.reason } });
    }
  }
  if (operation.status === 'running' && outcome.kind === 'unknown') return append({ type: 'tool.outcome_unknown', data: { ...bare, reason: outcome.reason } });
  if ((operation.status === 'running' || operation.status === 'unknown') && outcome.kind !== 'unknown') {
    const { result_hash } = outcome;
    if (operation.status === 'unknown' && operation.observations.some((each) => each.result_hash === result_hash)) return UNCHANGED;
    return append({ type: 'tool.outcome_observed', data: { ...bare, claim_id, observed: outcome.kind, result_hash: outcome.result_hash } });
  }
  return UNCHANGED;
}

/** A monitored agent's runs go on as they are; each one that ended asks to be looked at afterwards, once. */
export function decideReview(operation: Operation): Ruling {
  const ended = operation.status === 'completed' || operation.status === 'failed';
  if (!ended || operation.review_requested || operation.opening.policy.agent_mode !== 'monitored') return UNCHANGED;
  return append({ type: 'tool.review_requested', data: { ...bareOf(operation), actor: systemActor('relay'), mode: 'monitored' } });
}
