// One operation, its events, and for whoever asked for it what the tool returned. Reading changes nothing.
import type { Caller } from '../../domain/caller.ts';
import { parseForeignJson } from '../../domain/json/parse-json.ts';
import { describeOperation, maySee, type OperationDescription } from '../../domain/describe-operation.ts';
import { isClosed, type Operation } from '../../domain/operation.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Clock } from '../../ports/system.ts';
import type { ResultVault } from '../../ports/vault.ts';
import { foldStored, loadOperation } from '../../record/load-operation.ts';

export interface ReadPorts {
  readonly eventLog: EventLog;
  readonly results: Pick<ResultVault, 'readResult'>;
  readonly clock: Clock;
}

export type Outcome = { readonly status: 'completed'; readonly output: unknown } | { readonly status: 'failed'; readonly error: unknown } | { readonly status: 'unknown' };

/** The operation as the caller may see it; undefined if it does not exist or is not theirs. */
export async function readOperation(ports: ReadPorts, caller: Caller, operation_id: string, wait_seconds: number): Promise<(OperationDescription & { outcome?: Outcome }) | undefined> {
  const first = await loadOperation(ports.eventLog, operation_id);
  if (first === undefined || !maySee(first, caller)) return undefined;
  const operation = await waitForChange(ports, first, wait_seconds);
  const outcome = caller.subject === operation.opening.requester.subject ? await outcomeOf(ports.results, operation) : undefined;
  return { ...describeOperation(operation), ...(outcome === undefined ? {} : { outcome }) };
}

export async function readEvents(ports: ReadPorts, caller: Caller, operation_id: string): Promise<readonly string[] | undefined> {
  const stored = await ports.eventLog.load(operation_id);
  const operation = foldStored(stored);
  if (operation === undefined || !maySee(operation, caller)) return undefined;
  return stored.map(({ text }) => text);
}

/** One cheap read a second until the status differs. A closed operation will not change by waiting. */
async function waitForChange({ eventLog, clock }: ReadPorts, first: Operation, wait_seconds: number): Promise<Operation> {
  let operation = first;
  for (let second = 0; second < wait_seconds && operation.status === first.status && !isClosed(operation); second += 1) {
    await clock.sleep(1000);
    if ((await eventLog.lastSequence(first.operation_id)) > operation.tail.sequence) operation = (await loadOperation(eventLog, first.operation_id)) ?? operation;
  }
  return operation;
}

async function outcomeOf(results: Pick<ResultVault, 'readResult'>, operation: Operation): Promise<Outcome | undefined> {
  if (operation.status === 'unknown') return { status: 'unknown' };
  if (operation.status !== 'completed' && operation.status !== 'failed') return undefined;
  const stored = await results.readResult(operation.operation_id);
  const value: unknown = stored === undefined ? null : parseForeignJson(stored);
  return operation.status === 'completed' ? { status: 'completed', output: value } : { status: 'failed', error: value };
}
