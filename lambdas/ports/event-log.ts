// The numbered events of each operation: the only authority on what happened to it.
import type { SealedEvent } from '../domain/chain.ts';
import type { OperationEvent } from '../domain/events.ts';
import type { Instant } from '../domain/times.ts';

export interface StoredEvent extends SealedEvent {
  /** Names the writer's attempt, so that a writer whose reply was lost knows its own event again. */
  readonly append_id: string;
  /** The bus took it, or refused it for good: either way it is not to be published any more. */
  readonly relayed: boolean;
}

export interface EventLog {
  /** All events in order, read consistently; empty when there is no such operation. Throws `CorruptRecord` on a gap. */
  load(operation_id: string): Promise<readonly StoredEvent[]>;
  /** Number of the newest event, 0 for none: one consistent read of one row. */
  lastSequence(operation_id: string): Promise<number>;
  /** Stores event n if there is no event n. `appended` also when this very `append_id` already stands there. */
  append(sealed: SealedEvent, append_id: string): Promise<'appended' | 'conflict'>;
}

export interface Outbox {
  /** Operations that have events not yet published since before `stored_before`, oldest first per shard. */
  unpublished(stored_before: Instant): Promise<readonly string[]>;
  /** Takes the event out of the outbox. `rejected` is kept apart: nobody was told of it. */
  markRelayed(event: OperationEvent, how: 'published' | 'rejected', at: Instant): Promise<void>;
}
