// Stops an operation that has not started, and notes the wish on one that has.
import { actorOf, type Caller } from '../../domain/caller.ts';
import { decideCancel } from '../../domain/decide/cancel-operation.ts';
import { refuse } from '../../domain/decide/ruling.ts';
import { maySee } from '../../domain/describe-operation.ts';
import type { Operation } from '../../domain/operation.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import { tryToWake, type WakePorts } from '../../execution/wake-execution.ts';
import { changeOperation, type RecordPorts } from '../../record/change-operation.ts';

export interface CancelPorts extends RecordPorts, WakePorts {}

export type Cancelled = { readonly ok: true; readonly operation: Operation } | { readonly ok: false; readonly refusal: Refusal };

export async function cancelOperation(ports: CancelPorts, caller: Caller, command: { readonly operation_id: string; readonly comment?: string }, request_id: string): Promise<Cancelled> {
  const { operation_id, comment } = command;
  const { administrator } = caller;
  const change = await changeOperation(ports, operation_id, `request:${request_id}`, (operation) => {
    if (!maySee(operation, caller)) return refuse(refusal('operation_not_found', 'There is no such operation, or it is not yours to see.'));
    return decideCancel(operation, { actor: actorOf(caller), administrator, ...(comment === undefined ? {} : { comment }) });
  });
  if (change.kind === 'appended') await tryToWake(ports, change.operation);
  if (change.kind === 'refused') return { ok: false, refusal: change.refusal };
  ports.log.write('CS2003', { operation_id, request_id, status: change.operation.status });
  return { ok: true, operation: change.operation };
}
