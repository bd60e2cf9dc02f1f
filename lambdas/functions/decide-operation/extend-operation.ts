// An approver gives an operation more time. The waiting execution needs no word of it: when its own timer rings it
// asks the log, and waits on.
import { claimsAt, resolveApprovers } from '../../domain/approvers.ts';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { decideExtend } from '../../domain/decide/extend-operation.ts';
import { refuse } from '../../domain/decide/ruling.ts';
import { maySee } from '../../domain/describe-operation.ts';
import type { Channel } from '../../domain/events.ts';
import { absentOperation } from '../../domain/refusals.ts';
import { isAmong, requirementsOf } from '../../domain/standing.ts';
import type { Instant } from '../../domain/times.ts';
import type { Log } from '../../ports/system.ts';
import type { Directory } from '../../ports/registry.ts';
import { changeOperation, type RecordPorts } from '../../record/change-operation.ts';
import { decidedBy, type Decided } from './decided.ts';

export interface ExtendPorts extends RecordPorts {
  readonly directory: Directory;
  readonly log: Log;
}

export interface ExtendCommand {
  readonly operation_id: string;
  readonly expires_at: Instant;
  readonly comment?: string;
  readonly channel: Channel;
}

export async function extendOperation(ports: ExtendPorts, caller: Caller, { operation_id, ...wish }: ExtendCommand, request_id: string): Promise<Decided> {
  const change = await changeOperation(ports, operation_id, `request:${request_id}`, async (operation, now) => {
    const votes = operation.status === 'pending' ? operation.votes : [];
    const source = { entryOf: (reference: string) => ports.directory.approverEntry(reference), now, claimed: claimsAt(now, votes, caller) };
    const eligible = await resolveApprovers(requirementsOf(operation), operation.opening.requester, source);
    if (!maySee(operation, caller) && !isAmong(caller.subject, eligible)) return refuse(absentOperation());
    return decideExtend(operation, { ...wish, actor: actorOf(caller), eligible }, now);
  });
  return decidedBy(ports, change, operation_id, request_id);
}
