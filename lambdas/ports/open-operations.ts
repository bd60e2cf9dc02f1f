// Which operations are open together, read consistently; which of them a repeated call is; and whether their run still
// goes on. These rows follow the log and never lead it: whoever reads one asks the log before acting on it.
import type { Actor } from '../domain/caller.ts';
import type { Instant } from '../domain/times.ts';

/** One attempt's place in a list. Two attempts at one operation have two, so that neither can give up the other's. */
export interface Place {
  readonly operation_id: string;
  readonly attempt: string;
}

export interface OpenOperations {
  join(list: string, place: Place & { readonly joined_at: Instant }, keep_until: Instant): Promise<void>;
  leave(list: string, place: Place): Promise<void>;
  /** Every place of the operation. */
  leaveAll(list: string, operation_id: string): Promise<void>;
  /** The places of at least so many operations, or of all there are; whoever joined before this call is seen. */
  listed(list: string, most: number): Promise<readonly (Place & { readonly joined_at: Instant })[]>;
}

export interface SameCalls {
  /** Puts `mine` where nothing stands, or where `over` stands; answers which operation stands there then. */
  claimSame(call: string, mine: string, over: string | undefined, keep_until: Instant): Promise<string>;
}

export interface CancelledRun {
  readonly cancelled_at: Instant;
  readonly actor: Actor;
  readonly comment?: string;
}

export interface Runs {
  /** Notes that the run exists; what is known of it stays. */
  beginRun(run: string, keep_until: Instant): Promise<void>;
  /** Undefined where nobody began or cancelled it. */
  run(run: string): Promise<{ readonly cancelled?: CancelledRun } | undefined>;
  /** The first cancel stays as it is. */
  cancelRun(run: string, cancelled: CancelledRun, keep_until: Instant): Promise<void>;
}
