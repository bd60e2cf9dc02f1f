// An operation of a cancelled run ends, even if it was stored after the run's operations were listed. Whoever cancels a
// run writes the mark, then lists; whoever opens an operation stands in the list, stores it, then looks for the mark
// (and so does the relay, in case the opener died): one of the two sees the other, whichever came first.
import { decideCancel } from '../domain/decide/cancel-operation.ts';
import { runName } from '../domain/open-lists.ts';
import { isClosed, type Operation } from '../domain/operation.ts';
import type { Runs } from '../ports/open-operations.ts';
import { changeOperation, type RecordPorts } from './change-operation.ts';

/** The operation as it is afterwards; undefined where its run goes on, or it is in none, or it had ended. */
export async function cancelWithRun(ports: RecordPorts & { readonly runs: Pick<Runs, 'run'> }, operation: Operation, causation_id: string): Promise<Operation | undefined> {
  const { requester, scope } = operation.opening;
  if (scope.run_id === undefined || isClosed(operation)) return undefined;
  const cancelled = (await ports.runs.run(runName(requester.subject, scope.run_id)))?.cancelled;
  if (cancelled === undefined) return undefined;
  const { actor, comment } = cancelled;
  const command = { actor, administrator: false, ...(comment === undefined ? {} : { comment }) };
  const change = await changeOperation(ports, operation.operation_id, causation_id, (each) => decideCancel(each, command));
  return change.operation;
}
