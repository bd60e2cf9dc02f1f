// Reads an operation from its log, consistently, and takes no word of it that the hash chain does not confirm.
import { BEFORE_FIRST, chainFault, type Tail } from '../domain/chain.ts';
import { fold } from '../domain/evolve.ts';
import { Fault } from '../domain/faults.ts';
import { tailOf, type Operation } from '../domain/operation.ts';
import type { EventLog, StoredEvent } from '../ports/event-log.ts';

export async function loadOperation(eventLog: EventLog, operation_id: string): Promise<Operation | undefined> {
  return foldStored(await eventLog.load(operation_id));
}

/** Throws `CorruptRecord` naming the first event that does not fit its chain. */
export function foldStored(stored: readonly StoredEvent[]): Operation | undefined {
  let tail: Tail = BEFORE_FIRST;
  for (const { event, text } of stored) {
    const fault = chainFault(text, tail);
    if (fault !== undefined) throw new Fault('CorruptRecord', `${event.subject}: ${fault}`);
    tail = tailOf(event);
  }
  return fold(stored.map(({ event }) => event));
}
