// What a run has open, as the log says it now. The list only says where to look: a crash may leave places in it whose
// operation has ended or was never stored.
import { runName } from '../domain/open-lists.ts';
import { isClosed, type Open } from '../domain/operation.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { OpenOperations } from '../ports/open-operations.ts';
import { loadOperation } from './load-operation.ts';

const AT_ONCE = 25;

export interface RunPorts {
  readonly eventLog: EventLog;
  readonly openOperations: Pick<OpenOperations, 'listed'>;
}

/** Oldest first. */
export async function operationsOfRun({ eventLog, openOperations }: RunPorts, requester: string, run_id: string): Promise<readonly Open[]> {
  const places = await openOperations.listed(runName(requester, run_id), Infinity);
  const ids = [...new Set(places.map(({ operation_id }) => operation_id))];
  const open: Open[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const loaded = await Promise.all(ids.slice(start, start + AT_ONCE).map((id) => loadOperation(eventLog, id)));
    open.push(...loaded.flatMap((operation) => (operation === undefined || isClosed(operation) ? [] : [operation])));
  }
  return open.sort((one, other) => (one.opening.requested_at < other.opening.requested_at ? -1 : 1));
}
