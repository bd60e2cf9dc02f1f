// Showing an approver the exact arguments, hidden values included. It changes no status; that it happened, and who
// asked, is recorded before anything is shown.
import type { Eligible } from '../approvers.ts';
import type { Actor } from '../caller.ts';
import type { Channel } from '../events.ts';
import { LIMITS } from '../limits.ts';
import { requesterSet, type Operation } from '../operation.ts';
import { refusal } from '../refusals.ts';
import { toolDigest, type Tool } from '../registry.ts';
import { isAmong } from '../standing.ts';
import { hasCome, type Instant } from '../times.ts';
import { append, refuse, type Ruling } from './ruling.ts';
import { shownOf } from './shown.ts';

export interface RevealArguments {
  readonly actor: Actor;
  readonly channel: Channel;
  readonly eligible: readonly Eligible[];
  /** The tool as the registry holds it now; undefined when it is gone. */
  readonly tool: Tool | undefined;
}

export function decideReveal(operation: Operation, { actor, channel, eligible, tool }: RevealArguments, now: Instant): Ruling {
  if (requesterSet(operation.opening.requester).has(actor.subject)) return refuse(refusal('own_operation', 'The arguments are revealed to those who decide, and this operation is your own.'));
  if (actor.kind !== 'user' || !isAmong(actor.subject, eligible)) return refuse(refusal('not_an_approver', 'You are not among the approvers of this operation.'));
  if (operation.status !== 'pending') return refuse(refusal('already_decided', `The operation is ${operation.status} already.`, { status: operation.status }));
  if (hasCome(operation.expires_at, now)) return refuse(refusal('operation_expired', `The time to decide ended at ${operation.expires_at}.`));
  if (!mayReveal(operation, tool)) return refuse(refusal('reveal_not_allowed', 'This tool does not let its exact arguments be shown. The full view shows all that may be.'));
  if ((operation.reveals?.length ?? 0) >= LIMITS.reveals) return refuse(refusal('reveal_not_allowed', `The arguments were revealed ${LIMITS.reveals} times already.`));
  return append({ type: 'approval.arguments_revealed', data: { ...shownOf(operation), actor, channel } });
}

/** Only under the very definition that the operation was opened with: who loosens a tool reveals nothing that came before. */
export function mayReveal(operation: Operation, tool: Tool | undefined): boolean {
  return tool?.reveal === 'on_request' && toolDigest(tool) === operation.opening.tool_digest;
}
