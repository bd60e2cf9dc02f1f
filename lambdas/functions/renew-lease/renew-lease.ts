// The requester of a pending operation says that it is still there. Nobody else can, and what has ended is not revived.
import type { Caller } from '../../domain/caller.ts';
import { leaseEnd } from '../../domain/decide/lapse-lease.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import { hasCome, plusSeconds, type Instant } from '../../domain/times.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Leases } from '../../ports/leases.ts';
import type { Clock } from '../../ports/system.ts';
import { loadOperation } from '../../record/load-operation.ts';

export interface RenewPorts {
  readonly eventLog: EventLog;
  readonly leases: Pick<Leases, 'leaseUntil' | 'renewLease'>;
  readonly clock: Clock;
}

export type Renewed = { readonly ok: true; readonly lease_until: Instant } | { readonly ok: false; readonly refusal: Refusal };

export async function renewLease(ports: RenewPorts, caller: Caller, operation_id: string): Promise<Renewed> {
  const operation = await loadOperation(ports.eventLog, operation_id);
  if (operation?.opening.requester.subject !== caller.subject) return { ok: false, refusal: refusal('operation_not_found', 'There is no such operation of yours.') };
  const { lease_seconds } = operation.opening;
  if (lease_seconds === undefined) return { ok: false, refusal: refusal('invalid_request', 'This operation was proposed without lease_seconds: there is nothing to renew.', { operation_id }) };
  if (operation.status !== 'pending') return { ok: false, refusal: refusal('already_decided', `The operation is ${operation.status} already.`, { operation_status: operation.status }) };
  const now = ports.clock.now();
  const ends = leaseEnd(operation, await ports.leases.leaseUntil(operation_id));
  const lease_until = plusSeconds(now, lease_seconds);
  if (ends === undefined || hasCome(ends, now) || !(await ports.leases.renewLease(operation_id, lease_until, now))) {
    return { ok: false, refusal: refusal('operation_expired', 'The lease has ended, and the operation with it.', { operation_id }) };
  }
  return { ok: true, lease_until };
}
