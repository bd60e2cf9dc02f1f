// Which operation a proposal is. A call_id says so itself. Without one, the same call is the operation of it that is
// still open; and what a person has denied in a run is not asked again in that run, under whatever call_id.
import { LIMITS } from '../../domain/limits.ts';
import { Fault } from '../../domain/faults.ts';
import { isClosed, wasDenied, type Operation } from '../../domain/operation.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import type { Instant } from '../../domain/times.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { SameCalls } from '../../ports/open-operations.ts';
import { loadOperation } from '../../record/load-operation.ts';

export interface SameCallPorts {
  readonly eventLog: EventLog;
  readonly sameCalls: SameCalls;
}

export interface Candidate {
  readonly operation_id: string;
  /** It has a call_id: an open operation of the same call under another name is another operation. */
  readonly named: boolean;
  readonly in_run: boolean;
}

/** An operation that is claimed and not stored is taken over as it is: whoever claimed it is on the way, or never comes back. */
export async function sameCall(ports: SameCallPorts, call: string, { operation_id, named, in_run }: Candidate, keep_until: Instant): Promise<{ readonly operation_id: string; readonly known?: Operation } | Refusal> {
  let over: string | undefined;
  for (let round = 0; round < LIMITS.append_attempts; round += 1) {
    const standing = await ports.sameCalls.claimSame(call, operation_id, over, keep_until);
    if (standing === operation_id) return { operation_id };
    const known = await loadOperation(ports.eventLog, standing);
    if (in_run && wasDenied(known)) {
      return refusal('already_decided', 'This very call was denied in this run. It is not asked again here.', { operation_id: standing, operation_status: 'denied', retryable: false });
    }
    const open = known !== undefined && !isClosed(known);
    if (!named && (open || known === undefined)) return known === undefined ? { operation_id: standing } : { operation_id: standing, known };
    if (named && open) return { operation_id };
    over = standing;
  }
  throw new Fault('Unavailable', 'others kept claiming the same call first');
}
