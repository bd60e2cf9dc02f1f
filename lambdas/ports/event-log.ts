// The numbered events of each subject, an operation or a policy scope: the only authority on what happened to it.
import type { SealedEvent } from '../domain/chain.ts';
import type { OperationEvent } from '../domain/events.ts';
import type { Instant } from '../domain/times.ts';

/** As much as a log must know of an event to keep it. */
export interface LoggedEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly time: Instant;
  readonly data: { readonly sequence: number; readonly hash: string };
}

export interface StoredEvent<E extends LoggedEvent = OperationEvent> extends SealedEvent<E> {
  /** Names the writer's attempt, so that a writer whose reply was lost knows its own event again. */
  readonly append_id: string;
  /** The bus took it, or refused it for good: either way it is not to be published any more. */
  readonly relayed: boolean;
}

export interface EventLog<E extends LoggedEvent = OperationEvent> {
  /** All events in order, read consistently; empty when there is no such subject. Throws `CorruptRecord` on a gap. */
  load(subject: string): Promise<readonly StoredEvent<E>[]>;
  /** Number of the newest event, 0 for none: one consistent read of one row. */
  lastSequence(subject: string): Promise<number>;
  /** Stores event n if there is no event n. `appended` also when this very `append_id` already stands there. */
  append(sealed: SealedEvent<E>, append_id: string): Promise<'appended' | 'conflict'>;
}

export interface NewestEvent<E extends LoggedEvent> {
  /** The newest event, read consistently; undefined when there is none. */
  newest(subject: string): Promise<StoredEvent<E> | undefined>;
}

export interface Outbox {
  /** Subjects that have events not yet relayed since before `stored_before`, oldest first per shard. */
  unpublished(stored_before: Instant): Promise<readonly string[]>;
  /** Takes the event out of the outbox. `rejected` is kept apart: nobody was told of it. */
  markRelayed(event: LoggedEvent, how: 'published' | 'rejected', at: Instant): Promise<void>;
}
