// What the registry says of one call: allow, ask or deny. Whatever is not known asks, and an ask that nobody
// could answer is refused by the decider. Callers choose none of this.
import type { Requirement, Risk } from './events.ts';
import type { Tool } from './registry.ts';

interface Says {
  readonly risk: Risk;
  readonly policy_id: string;
  readonly policy_revision: string;
}

export type PolicyVerdict =
  | (Says & { readonly verdict: 'allow' })
  | (Says & { readonly verdict: 'ask'; readonly requirements: readonly Requirement[]; readonly timeout_seconds: number })
  | (Says & { readonly verdict: 'deny' });

const UNLISTED_TIMEOUT_SECONDS = 3600;

/** `tool` is undefined for a name that the registry does not hold, exactly as the model called it. */
export function evaluatePolicy(tool: Tool | undefined, policy_revision: string): PolicyVerdict {
  if (tool === undefined) {
    const risk: Risk = { level: 'high', reasons: ['the tool is not registered'] };
    return { verdict: 'ask', requirements: [], timeout_seconds: UNLISTED_TIMEOUT_SECONDS, risk, policy_id: 'unlisted.v1', policy_revision };
  }
  const { risk, policy } = tool;
  const says: Says = { risk, policy_id: policy.policy_id, policy_revision };
  if (policy.effect !== 'ask') return { ...says, verdict: policy.effect };
  const { approvers, quorum, timeout_seconds } = policy;
  return { ...says, verdict: 'ask', requirements: [{ approvers, quorum }], timeout_seconds };
}
