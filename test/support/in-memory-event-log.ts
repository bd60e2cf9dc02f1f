// An event log that behaves: one event per number, the first writer keeps it, and the outbox is the same rows.
// Like the table it keeps text, not objects, so that nothing is shared between writer and reader.
import type * as z from 'zod';
import { eventSchema, type OperationEvent } from '../../lambdas/domain/events.ts';
import { Fault } from '../../lambdas/domain/faults.ts';
import type { Instant } from '../../lambdas/domain/times.ts';
import type { EventLog, LoggedEvent, NewestEvent, Outbox, StoredEvent } from '../../lambdas/ports/event-log.ts';
import { elsewhere } from './in-memory-system.ts';

interface Row {
  readonly text: string;
  readonly append_id: string;
  readonly since: Instant;
  readonly published_at?: Instant;
  readonly rejected_at?: Instant;
}

export interface InMemoryEventLog<E extends LoggedEvent = OperationEvent> extends EventLog<E>, NewestEvent<E>, Outbox {
  /** Every stored text in order, whatever the subject: what a secret must not be found in. */
  texts(): readonly string[];
  /** How often anything was read: the price of a long poll. */
  readonly reads: () => number;
  /** What an insider with table access might do. */
  tamper(subject: string, sequence: number, text: string): void;
  remove(subject: string, sequence: number): void;
}

export function inMemoryEventLog(): InMemoryEventLog;
export function inMemoryEventLog<E extends LoggedEvent>(schema: z.ZodType<E>): InMemoryEventLog<E>;
export function inMemoryEventLog(schema: z.ZodType<LoggedEvent> = eventSchema): InMemoryEventLog<LoggedEvent> {
  const subjects = new Map<string, Map<number, Row>>();
  let reads = 0;
  const rowsOf = (subject: string): readonly (readonly [number, Row])[] => [...(subjects.get(subject) ?? [])].sort(([a], [b]) => a - b);
  return {
    load: async (subject) => {
      await elsewhere();
      reads += 1;
      return rowsOf(subject).map(([sequence, row], index) => stored(schema, subject, sequence, index + 1, row));
    },
    newest: async (subject) => {
      await elsewhere();
      reads += 1;
      const last = rowsOf(subject).at(-1);
      return last === undefined ? undefined : stored(schema, subject, last[0], last[0], last[1]);
    },
    lastSequence: async (subject) => {
      await elsewhere();
      reads += 1;
      return rowsOf(subject).at(-1)?.[0] ?? 0;
    },
    append: async ({ event, text }, append_id) => {
      await elsewhere();
      const rows = subjects.get(event.subject) ?? new Map<number, Row>();
      subjects.set(event.subject, rows);
      const standing = rows.get(event.data.sequence);
      if (standing !== undefined) return standing.append_id === append_id ? 'appended' : 'conflict';
      rows.set(event.data.sequence, { text, append_id, since: event.time });
      return 'appended';
    },
    unpublished: async (stored_before) => {
      await elsewhere();
      const waiting = [...subjects].flatMap(([subject, rows]) =>
        [...rows.values()].filter(({ published_at, rejected_at, since }) => published_at === undefined && rejected_at === undefined && since <= stored_before).map(({ since }) => ({ subject, since })),
      );
      return [...new Set(waiting.sort((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0)).map(({ subject }) => subject))];
    },
    markRelayed: async (event, how, at) => {
      await elsewhere();
      const rows = subjects.get(event.subject);
      const row = rows?.get(event.data.sequence);
      if (rows === undefined || row === undefined) throw new Fault('CorruptRecord', `${event.id} is not in the log`);
      rows.set(event.data.sequence, { ...row, ...(how === 'published' ? { published_at: at } : { rejected_at: at }) });
    },
    texts: () => [...subjects.keys()].flatMap((subject) => rowsOf(subject).map(([, { text }]) => text)),
    reads: () => reads,
    tamper: (subject, sequence, text) => {
      const row = subjects.get(subject)?.get(sequence);
      if (row !== undefined) subjects.get(subject)?.set(sequence, { ...row, text });
    },
    remove: (subject, sequence) => void subjects.get(subject)?.delete(sequence),
  };
}

function stored(schema: z.ZodType<LoggedEvent>, subject: string, sequence: number, expected: number, row: Row): StoredEvent<LoggedEvent> {
  const event = sequence === expected ? schema.safeParse(JSON.parse(row.text)) : undefined;
  if (event?.success !== true) throw new Fault('CorruptRecord', `${subject}/${expected} is missing or is not a stored event`);
  return { event: event.data, text: row.text, append_id: row.append_id, relayed: row.published_at !== undefined || row.rejected_at !== undefined };
}

/** One outbox over several logs, as the one table is. */
export function outboxOf(...logs: readonly (Outbox & { lastSequence(subject: string): Promise<number> })[]): Outbox {
  return {
    unpublished: async (stored_before) => (await Promise.all(logs.map((log) => log.unpublished(stored_before)))).flat(),
    markRelayed: async (event, how, at) => {
      for (const log of logs) if ((await log.lastSequence(event.subject)) > 0) return log.markRelayed(event, how, at);
      throw new Fault('CorruptRecord', `${event.id} is not in the log`);
    },
  };
}
