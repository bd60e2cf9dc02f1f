// Where stored events are told. At least once, same id each time.
import type { LoggedEvent } from './event-log.ts';

export interface Publication {
  readonly event: LoggedEvent;
  /** The stored canonical text: published byte for byte. */
  readonly text: string;
}

/** `rejected` will never be taken: it needs a person, not a retry. */
export type PublishResult = 'published' | 'try_again' | 'rejected';

export interface EventBus {
  /** One result per publication, in order. */
  publish(publications: readonly Publication[]): Promise<readonly PublishResult[]>;
}
