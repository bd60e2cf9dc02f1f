// Cancelling: it ends what has not started, and marks what has.
import type { Actor } from '../caller.ts';
import { requesterSet, type Operation } from '../operation.ts';
import { refusal } from '../refusals.ts';
import { append, refuse, UNCHANGED, type Ruling } from './ruling.ts';
import { bareOf, shownOf } from './shown.ts';

export interface CancelOperation {
  readonly actor: Actor;
  readonly administrator: boolean;
  readonly comment?: string;
}

export function decideCancel(operation: Operation, { actor, administrator, comment }: CancelOperation): Ruling {
  if (!administrator && !requesterSet(operation.opening.requester).has(actor.subject)) {
    return refuse(refusal('not_an_administrator', 'Only the requester, the agent\u2019s owner or an administrator may cancel.'));
  }
  const said = comment === undefined ? {} : { comment };
  switch (operation.status) {
    case 'pending':
    case 'granted':
      return append({ type: 'approval.cancelled', data: { ...shownOf(operation), actor, reason: 'cancelled_on_request', ...said } });
    case 'running':
      return operation.run.cancel_requested ? UNCHANGED : append({ type: 'tool.cancel_requested', data: { ...bareOf(operation), actor, ...said } });
    case 'cancelled':
      return UNCHANGED;
    case 'refused':
    case 'answered':
    case 'denied':
    case 'expired':
    case 'voided':
    case 'completed':
    case 'failed':
    case 'unknown':
      return refuse(refusal('already_decided', `The operation is ${operation.status} already.`, { operation_status: operation.status }));
  }
}
