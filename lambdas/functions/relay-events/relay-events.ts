// Carries stored events to the bus, the views and the waiting execution, in this order, and only then marks them.
// Every step may be repeated, so a crash between any two is mended by doing it all again. The stream calls it with
// the operations that changed, the sweep with those that were missed; both read the log, never the trigger.
import { decideReview } from '../../domain/decide/run-tool.ts';
import { decideLapse, leaseEnd } from '../../domain/decide/lapse-lease.ts';
import { decideByTime } from '../../domain/decide/settle-operation.ts';
import type { DirectoryEvent } from '../../domain/directory/directory-log.ts';
import type { PolicyEvent } from '../../domain/policy/policy-log.ts';
import { Fault } from '../../domain/faults.ts';
import { LIMITS } from '../../domain/limits.ts';
import { deniedList, listsOf } from '../../domain/open-lists.ts';
import { wasDenied, type Operation } from '../../domain/operation.ts';
import { operationViews } from '../../domain/operation-views.ts';
import { plusSeconds } from '../../domain/times.ts';
import { startExecution, type StartPorts } from '../../execution/start-execution.ts';
import { wakeExecution, type WakePorts } from '../../execution/wake-execution.ts';
import type { EventBus, PublishResult } from '../../ports/event-bus.ts';
import type { EventLog, LoggedEvent, Outbox, StoredEvent } from '../../ports/event-log.ts';
import type { Leases } from '../../ports/leases.ts';
import type { OpenOperations, Runs } from '../../ports/open-operations.ts';
import type { DueList, Views } from '../../ports/views.ts';
import { cancelWithRun } from '../../record/cancel-with-run.ts';
import { changeOperation, type RecordPorts } from '../../record/change-operation.ts';
import { foldStored } from '../../record/load-operation.ts';

/** One sweep's share; what is left is due again at the next. */
const DUE_AT_ONCE = 400;

export interface RelayPorts extends RecordPorts, WakePorts, StartPorts {
  readonly outbox: Outbox;
  readonly policyLog: Pick<EventLog<PolicyEvent>, 'load'>;
  readonly directoryLog: Pick<EventLog<DirectoryEvent>, 'load'>;
  readonly bus: EventBus;
  readonly views: Views;
  readonly dueList: DueList;
  readonly openOperations: Pick<OpenOperations, 'join' | 'leaveAll'>;
  readonly runs: Pick<Runs, 'run'>;
  readonly leases: Pick<Leases, 'beginLease' | 'leaseUntil' | 'endLease' | 'lapsedLeases'>;
}

/** Relays whatever of this operation is not relayed yet. Throws `Unavailable` if any of it must be tried again. */
export async function relayOperation(ports: RelayPorts, operation_id: string): Promise<void> {
  if (operation_id.startsWith('policy#')) return tell(ports, await ports.policyLog.load(operation_id));
  if (operation_id.startsWith('directory#')) return tell(ports, await ports.directoryLog.load(operation_id));
  const stored = await ports.eventLog.load(operation_id);
  const waiting = stored.filter(({ relayed }) => !relayed);
  if (waiting.length > 0) await relay(ports, stored, waiting);
  const operation = foldStored(stored);
  if (operation !== undefined && decideReview(operation).kind === 'append') await changeOperation(ports, operation_id, 'relay:review', decideReview);
}

/** A change of policy or of the directory is only told: nothing waits for it, and no list shows it. */
async function tell(ports: RelayPorts, stored: readonly StoredEvent<LoggedEvent>[]): Promise<void> {
  const waiting = stored.filter(({ relayed }) => !relayed);
  if (waiting.length > 0) await told(ports, waiting, await ports.bus.publish(waiting));
}

/** Relays operations whose events were missed, and closes those whose deadline has come. Answers how many of each. */
export async function sweep(ports: RelayPorts, minimum_age_seconds: number): Promise<{ readonly relayed: number; readonly due: number; readonly failed: number }> {
  const now = ports.clock.now();
  const missed = await ports.outbox.unpublished(plusSeconds(now, -minimum_age_seconds));
  const due = await ports.dueList.due(now, DUE_AT_ONCE);
  const lapsed = await ports.leases.lapsedLeases(now, DUE_AT_ONCE);
  let failed = 0;
  const tend = async (operation_id: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (thrown) {
      failed += 1;
      ports.log.write('CS5004', { operation_id, fault: thrown instanceof Fault ? thrown.name : 'unexpected' });
    }
  };
  for (const operation_id of missed) await tend(operation_id, () => relayOperation(ports, operation_id));
  for (const operation_id of due) await tend(operation_id, () => tendDue(ports, operation_id));
  for (const operation_id of lapsed) await tend(operation_id, () => tendLapsed(ports, operation_id));
  return { relayed: missed.length, due: due.length + lapsed.length, failed };
}

/** Time closes what it must; then everything is carried out again from the log, in case a step was missed. */
async function tendDue(ports: RelayPorts, operation_id: string): Promise<void> {
  const change = await changeOperation(ports, operation_id, 'sweep:due', (operation, now) => decideByTime(operation, now));
  if (change.kind === 'appended') ports.log.write('CS5005', { operation_id, status: change.operation.status });
  const stored = await ports.eventLog.load(operation_id);
  await relay(ports, stored, stored.filter(({ relayed }) => !relayed));
}

/** The index may be behind a renewal, so that the row itself is asked again. */
async function tendLapsed(ports: RelayPorts, operation_id: string): Promise<void> {
  const change = await changeOperation(ports, operation_id, 'sweep:lease', async (operation, now) => decideLapse(operation, await ports.leases.leaseUntil(operation_id), now));
  if (change.kind === 'appended') ports.log.write('CS5006', { operation_id, status: change.operation.status });
  const stored = await ports.eventLog.load(operation_id);
  await relay(ports, stored, stored.filter(({ relayed }) => !relayed));
}

async function relay(ports: RelayPorts, stored: readonly StoredEvent[], waiting: readonly StoredEvent[]): Promise<void> {
  const operation = foldStored(stored);
  if (operation === undefined) return;
  const { operation_id } = operation;
  const results = await publishAll(ports, waiting);
  await ports.views.write(operationViews(operation));
  await keepLists(ports, operation);
  await keepLease(ports, operation);
  await startExecution(ports, operation);
  await wakeExecution(ports, operation);
  // The opener looks for the run's mark itself; this is for the one that died before it could.
  if (waiting.some(({ event }) => event.data.sequence === 1)) await cancelWithRun(ports, operation, 'relay:run');
  await told(ports, waiting, results);
  ports.log.write('CS5001', { operation_id, count: waiting.length });
}

/** A no in a run is remembered there; one place an operation, however often this is done. */
async function keepLists({ openOperations }: RelayPorts, operation: Operation): Promise<void> {
  const { operation_id, opening, status, changed_at } = operation;
  const { requester, scope, requested_at } = opening;
  for (const list of listsOf(opening, status).left) await openOperations.leaveAll(list, operation_id);
  if (scope.run_id === undefined || !wasDenied(operation)) return;
  const place = { operation_id, attempt: 'denied', joined_at: changed_at };
  await openOperations.join(deniedList(requester.subject, scope.run_id, opening.operation.tool), place, plusSeconds(requested_at, LIMITS.vault_keep_seconds));
}

/** Begun from event 1, so that no lease is lost with the process that took the proposal. */
async function keepLease({ leases }: RelayPorts, operation: Operation): Promise<void> {
  const lease_until = leaseEnd(operation, undefined);
  if (lease_until === undefined) return;
  if (operation.status === 'pending') await leases.beginLease(operation.operation_id, lease_until);
  else await leases.endLease(operation.operation_id);
}

/** A bus that refuses everything must not keep people and executions waiting: they are told first, the events later. */
async function publishAll(ports: RelayPorts, waiting: readonly StoredEvent<LoggedEvent>[]): Promise<readonly PublishResult[]> {
  if (waiting.length === 0) return [];
  try {
    return await ports.bus.publish(waiting);
  } catch (thrown) {
    ports.log.write('CS9002', { route: 'relay', fault: thrown instanceof Fault ? thrown.name : 'unexpected' });
    return waiting.map(() => 'try_again');
  }
}

/** Takes out of the outbox what the bus took or will never take; the rest is tried again. */
async function told(ports: RelayPorts, waiting: readonly StoredEvent<LoggedEvent>[], results: readonly PublishResult[]): Promise<void> {
  const now = ports.clock.now();
  let again = 0;
  for (const [index, { event }] of waiting.entries()) {
    const result = results[index] ?? 'try_again';
    if (result === 'try_again') {
      again += 1;
      ports.log.write('CS5002', { event_id: event.id });
      continue;
    }
    if (result === 'rejected') ports.log.write('CS5003', { event_id: event.id });
    await ports.outbox.markRelayed(event, result, now);
  }
  if (again > 0) throw new Fault('Unavailable', 'the bus did not take every event');
}
