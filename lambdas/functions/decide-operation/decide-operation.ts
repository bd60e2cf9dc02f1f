// One person's answer. The vote or decision is stored before anybody is woken or told; the wake-up is only tried
// here, since the relay repeats it from the stored event.
import { claimsAt, resolveApprovers } from '../../domain/approvers.ts';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { decideVote, requirementsNow, type CastVote } from '../../domain/decide/cast-vote.ts';
import { unlessLapsed } from '../../domain/decide/lapse-lease.ts';
import { refuse } from '../../domain/decide/ruling.ts';
import { maySee } from '../../domain/describe-operation.ts';
import type { Channel, View } from '../../domain/events.ts';
import type { Operation } from '../../domain/operation.ts';
import { isAmong, requirementsOf } from '../../domain/standing.ts';
import { absentOperation } from '../../domain/refusals.ts';
import { tryToWake, type WakePorts } from '../../execution/wake-execution.ts';
import { judgeOperation, type JudgingPorts } from '../../judging/judge-call.ts';
import type { Leases } from '../../ports/leases.ts';
import type { ArgumentsVault } from '../../ports/vault.ts';
import type { Directory } from '../../ports/registry.ts';
import { changeOperation, type RecordPorts } from '../../record/change-operation.ts';
import { decidedBy, type Decided } from './decided.ts';

export interface DecidePorts extends RecordPorts, WakePorts, JudgingPorts {
  readonly vault: Pick<ArgumentsVault, 'readArguments'>;
  readonly directory: Directory;
  readonly leases: Pick<Leases, 'leaseUntil'>;
}

export interface DecideCommand {
  readonly operation_id: string;
  readonly arguments_hash: string;
  readonly decision: 'approve' | 'deny';
  readonly comment?: string;
  readonly channel: Channel;
  /** Whether all arguments stood before the person, or what fits the display. */
  readonly view?: View;
}

export async function decideOperation(ports: DecidePorts, caller: Caller, command: DecideCommand, request_id: string): Promise<Decided> {
  const { operation_id, ...vote } = command;
  const change = await changeOperation(ports, operation_id, `request:${request_id}`, async (operation, now) => {
    // Resolved anew in every round: the people who count are those of this very moment.
    const pending = operation.status === 'pending';
    const policy_now = pending && vote.decision === 'approve' ? await policyNow(ports, operation) : undefined;
    // After the end only a late no still asks who may say it.
    const requirements = pending ? requirementsNow(operation, policy_now) : requirementsOf(operation);
    const eligible = await resolveApprovers(requirements, operation.opening.requester, { entryOf: (reference) => ports.directory.approverEntry(reference), now, claimed: claimsAt(now, pending ? operation.votes : [], caller) });
    // A stand-in is named nowhere in the operation: being among the approvers now is what lets it in.
    if (!maySee(operation, caller) && !isAmong(caller.subject, eligible)) return refuse(absentOperation());
    const ruling = decideVote(operation, { ...vote, actor: actorOf(caller), eligible, ...claimOf(caller), ...(policy_now === undefined ? {} : { policy_now }) }, now);
    if (vote.decision === 'deny' || operation.opening.lease_seconds === undefined) return ruling;
    return unlessLapsed(ruling, operation, await ports.leases.leaseUntil(operation_id), now);
  });
  if (change.kind === 'appended') await tryToWake(ports, change.operation);
  return decidedBy(ports, change, operation_id, request_id);
}

function claimOf({ claimed_groups, claims_hold_until }: Caller): Pick<CastVote, 'claim'> {
  return claimed_groups === undefined || claims_hold_until === undefined ? {} : { claim: { groups: [...claimed_groups], holds_until: claims_hold_until } };
}

/** A policy that became stricter applies to what still waits; one that became looser does not. */
async function policyNow(ports: DecidePorts, operation: Operation): Promise<CastVote['policy_now']> {
  const judged = await judgeOperation(ports, operation, await ports.vault.readArguments(operation.operation_id));
  return { denies: judged.verdict.verdict === 'deny', requirements: judged.verdict.requirements, revision: judged.verdict.policy_revision };
}
