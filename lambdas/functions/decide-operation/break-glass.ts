// Two people of a named group in place of the approvers, and afterwards a third who looks at it. Who is in the groups
// and what policy allows is read in the same invocation, as for any decision.
import { claimsAt, resolveApprovers, type Eligible } from '../../domain/approvers.ts';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { decideBreakGlass, decideGlassReview, type BreakTheGlass, type ReviewBrokenGlass } from '../../domain/decide/break-glass.ts';
import { unlessLapsed } from '../../domain/decide/lapse-lease.ts';
import { refuse } from '../../domain/decide/ruling.ts';
import { maySee } from '../../domain/describe-operation.ts';
import type { Operation } from '../../domain/operation.ts';
import { absentOperation } from '../../domain/refusals.ts';
import type { Instant } from '../../domain/times.ts';
import { tryToWake } from '../../execution/wake-execution.ts';
import { judgeOperation } from '../../judging/judge-call.ts';
import { changeOperation, type RecordPorts } from '../../record/change-operation.ts';
import { decidedBy, type Decided } from './decided.ts';
import type { DecidePorts } from './decide-operation.ts';
import type { ExtendPorts } from './extend-operation.ts';

export type BreakGlassCommand = Pick<BreakTheGlass, 'arguments_hash' | 'channel' | 'view' | 'reason' | 'ticket'> & { readonly operation_id: string };
export type GlassReviewCommand = Pick<ReviewBrokenGlass, 'channel' | 'comment'> & { readonly operation_id: string };

export async function breakGlass(ports: DecidePorts, caller: Caller, { operation_id, ...wish }: BreakGlassCommand, request_id: string): Promise<Decided> {
  const change = await changeOperation(ports, operation_id, `request:${request_id}`, async (operation, now) => {
    const members = await peopleOf(ports, operation.opening.break_glass?.group, operation, caller, now);
    if (!maySee(operation, caller) && !members.has(caller.subject)) return refuse(absentOperation());
    const judged = operation.status === 'pending' ? await judgeOperation(ports, operation, await ports.vault.readArguments(operation_id)) : undefined;
    const policy_now = { denies: judged?.verdict.verdict === 'deny', ...(judged?.verdict.break_glass === undefined ? {} : { break_glass: judged.verdict.break_glass }) };
    const ruling = decideBreakGlass(operation, { ...wish, actor: actorOf(caller), members, policy_now }, now);
    return unlessLapsed(ruling, operation, operation.opening.lease_seconds === undefined ? undefined : await ports.leases.leaseUntil(operation_id), now);
  });
  if (change.kind === 'appended') await tryToWake(ports, change.operation);
  return decidedBy(ports, change, operation_id, request_id);
}

export async function reviewBrokenGlass(ports: ExtendPorts, caller: Caller, { operation_id, ...said }: GlassReviewCommand, request_id: string): Promise<Decided> {
  const change = await changeOperation(ports, operation_id, `request:${request_id}`, async (operation, now) => {
    const reviewers = await peopleOf(ports, operation.broken_glass?.review_by, operation, caller, now);
    if (!maySee(operation, caller) && !reviewers.has(caller.subject)) return refuse(absentOperation());
    return decideGlassReview(operation, { ...said, actor: actorOf(caller), reviewers });
  });
  return decidedBy(ports, change, operation_id, request_id);
}

async function peopleOf(ports: Pick<ExtendPorts, 'directory'> & RecordPorts, group: string | undefined, { opening }: Operation, caller: Caller, now: Instant): Promise<Eligible> {
  if (group === undefined) return new Map();
  const source = { entryOf: (reference: string) => ports.directory.approverEntry(reference), now, claimed: claimsAt(now, [], caller) };
  return (await resolveApprovers([{ approvers: [group], quorum: 1 }], opening.requester, source))[0] ?? new Map();
}
