// Ends a run: the mark first, then every operation that its list shows. What is opened at the same moment finds the
// mark (record/cancel-with-run.ts). A run that has proposed nothing yet can be cancelled too: its first call may be on
// its way. Safe to repeat, as after a reply that was lost.
import { actorOf, type Caller } from '../../domain/caller.ts';
import { decideCancel } from '../../domain/decide/cancel-operation.ts';
import { describeRun, type RunDescription } from '../../domain/describe-run.ts';
import { LIMITS } from '../../domain/limits.ts';
import { runName } from '../../domain/open-lists.ts';
import { plusSeconds } from '../../domain/times.ts';
import { tryToWake } from '../../execution/wake-execution.ts';
import type { Runs } from '../../ports/open-operations.ts';
import { changeOperation } from '../../record/change-operation.ts';
import { operationsOfRun, type RunPorts } from '../../record/operations-of-run.ts';
import type { CancelPorts } from './cancel-operation.ts';

export interface CancelRunPorts extends CancelPorts, RunPorts {
  readonly runs: Pick<Runs, 'cancelRun'>;
}

const AT_ONCE = 10;

/** What is running goes on, with the wish to stop on record; that is what the answer still lists. */
export async function cancelRun(ports: CancelRunPorts, caller: Caller, { run_id, comment }: { readonly run_id: string; readonly comment?: string }, request_id: string): Promise<RunDescription> {
  const cancelled_at = ports.clock.now();
  const said = comment === undefined ? {} : { comment };
  await ports.runs.cancelRun(runName(caller.subject, run_id), { cancelled_at, actor: actorOf(caller), ...said }, plusSeconds(cancelled_at, LIMITS.vault_keep_seconds));
  const open = await operationsOfRun(ports, caller.subject, run_id);
  const cancel = async (operation_id: string): Promise<void> => {
    const change = await changeOperation(ports, operation_id, `request:${request_id}`, (operation) => decideCancel(operation, { actor: actorOf(caller), administrator: false, ...said }));
    if (change.kind === 'appended') await tryToWake(ports, change.operation);
  };
  for (let start = 0; start < open.length; start += AT_ONCE) {
    const results = await Promise.allSettled(open.slice(start, start + AT_ONCE).map(({ operation_id }) => cancel(operation_id)));
    // Each is tried before any failure is told, so that a repeat has less to do.
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
  ports.log.write('CS2006', { request_id, count: open.length });
  return describeRun(run_id, true, await operationsOfRun(ports, caller.subject, run_id));
}
