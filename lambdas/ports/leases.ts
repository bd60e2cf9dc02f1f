// Until when the requester of a pending operation has said it is there. A lease can only close an operation: it opens,
// grants and prolongs nothing. Where no row stands yet, the lease is as event 1 said.
import type { Instant } from '../domain/times.ts';

export interface Leases {
  /** The first lease of an operation, unless one stands already. */
  beginLease(operation_id: string, lease_until: Instant): Promise<void>;
  /** Moves the lease on, or writes it where none stands; false where the one that stands has ended by `now`. */
  renewLease(operation_id: string, lease_until: Instant, now: Instant): Promise<boolean>;
  /** Read consistently. */
  leaseUntil(operation_id: string): Promise<Instant | undefined>;
  endLease(operation_id: string): Promise<void>;
  /** Operations whose lease may have ended by `now`, at most about `most`: an index, to be checked with `leaseUntil`. */
  lapsedLeases(now: Instant, most: number): Promise<readonly string[]>;
}
