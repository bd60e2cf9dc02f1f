// An event log that behaves: one event per number, the first writer keeps it, and the outbox is the same rows.
// Like the table it keeps text, not objects, so that nothing is shared between writer and reader.
import { eventSchema } from '../../lambdas/domain/events.ts';
import { Fault } from '../../lambdas/domain/faults.ts';
import type { Instant } from '../../lambdas/domain/times.ts';
import type { EventLog, Outbox, StoredEvent } from '../../lambdas/ports/event-log.ts';
import { elsewhere } from './in-memory-system.ts';

interface Row {
  readonly text: string;
  readonly append_id: string;
  readonly since: Instant;
  readonly published_at?: Instant;
  readonly rejected_at?: Instant;
}

export interface InMemoryEventLog extends EventLog, Outbox {
  /** Every stored text in order, whatever the operation: what a secret must not be found in. */
  texts(): readonly string[];
  /** How often anything was read: the price of a long poll. */
  readonly reads: () => number;
  /** What an insider with table access might do. */
  tamper(operation_id: string, sequence: number, text: string): void;
  remove(operation_id: string, sequence: number): void;
}

export function inMemoryEventLog(): InMemoryEventLog {
  const operations = new Map<string, Map<number, Row>>();
  let reads = 0;
  const rowsOf = (operation_id: string): readonly (readonly [number, Row])[] => [...(operations.get(operation_id) ?? [])].sort(([a], [b]) => a - b);
  return {
    load: async (operation_id) => {
      await elsewhere();
      reads += 1;
      return rowsOf(operation_id).map(([sequence, row], index) => stored(operation_id, sequence, index + 1, row));
    },
    lastSequence: async (operation_id) => {
      await elsewhere();
      reads += 1;
      return rowsOf(operation_id).at(-1)?.[0] ?? 0;
    },
    append: async ({ event, text }, append_id) => {
      await elsewhere();
      const rows = operations.get(event.subject) ?? new Map<number, Row>();
      operations.set(event.subject, rows);
      const standing = rows.get(event.data.sequence);
      if (standing !== undefined) return standing.append_id === append_id ? 'appended' : 'conflict';
      rows.set(event.data.sequence, { text, append_id, since: event.time });
      return 'appended';
    },
    unpublished: async (stored_before) => {
      await elsewhere();
      const waiting = [...operations].flatMap(([operation_id, rows]) =>
        [...rows.values()].filter(({ published_at, rejected_at, since }) => published_at === undefined && rejected_at === undefined && since <= stored_before).map(({ since }) => ({ operation_id, since })),
      );
      return [...new Set(waiting.sort((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0)).map(({ operation_id }) => operation_id))];
    },
    markRelayed: async (event, how, at) => {
      await elsewhere();
      const rows = operations.get(event.subject);
      const row = rows?.get(event.data.sequence);
      if (rows === undefined || row === undefined) throw new Fault('CorruptRecord', `${event.id} is not in the log`);
      rows.set(event.data.sequence, { ...row, ...(how === 'published' ? { published_at: at } : { rejected_at: at }) });
    },
    texts: () => [...operations.keys()].flatMap((operation_id) => rowsOf(operation_id).map(([, { text }]) => text)),
    reads: () => reads,
    tamper: (operation_id, sequence, text) => {
      const row = operations.get(operation_id)?.get(sequence);
      if (row !== undefined) operations.get(operation_id)?.set(sequence, { ...row, text });
    },
    remove: (operation_id, sequence) => void operations.get(operation_id)?.delete(sequence),
  };
}

function stored(operation_id: string, sequence: number, expected: number, row: Row): StoredEvent {
  const event = sequence === expected ? eventSchema.safeParse(JSON.parse(row.text)) : undefined;
  if (event?.success !== true) throw new Fault('CorruptRecord', `${operation_id}/${expected} is missing or is not a stored event`);
  return { event: event.data, text: row.text, append_id: row.append_id, relayed: row.published_at !== undefined || row.rejected_at !== undefined };
}
