// The one door through which an operation changes: load, ask the domain, append. Whoever loses the race for the
// next event reads again and asks again, so that every answer rests on the log as it is.
import { BEFORE_FIRST, seal } from '../domain/chain.ts';
import type { Ruling } from '../domain/decide/ruling.ts';
import { evolve } from '../domain/evolve.ts';
import type { OperationEvent, Scope } from '../domain/events.ts';
import { Fault } from '../domain/faults.ts';
import { LIMITS } from '../domain/limits.ts';
import type { Operation } from '../domain/operation.ts';
import { refusal, type Refusal } from '../domain/refusals.ts';
import type { Instant } from '../domain/times.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { Clock, Ids } from '../ports/system.ts';
import { loadOperation } from './load-operation.ts';

export interface RecordPorts {
  readonly eventLog: EventLog;
  readonly clock: Clock;
  readonly ids: Ids;
}

export type Change =
  | { readonly kind: 'appended'; readonly operation: Operation; readonly event: OperationEvent; readonly refusal?: Refusal }
  | { readonly kind: 'unchanged'; readonly operation: Operation }
  | { readonly kind: 'refused'; readonly operation?: Operation; readonly refusal: Refusal };

type Rule<O> = (operation: O, now: Instant) => Ruling | Promise<Ruling>;

/** Changes an operation that exists; `operation_not_found` where there is none. */
export async function changeOperation(ports: RecordPorts, operation_id: string, causation_id: string, rule: Rule<Operation>): Promise<Change> {
  const absent = refusal('operation_not_found', 'There is no such operation.');
  return attempt(ports, operation_id, causation_id, undefined, (operation, now) => (operation === undefined ? { kind: 'refuse', refusal: absent } : rule(operation, now)));
}

/** Appends event 1, unless the operation is there already. */
export async function openOperation(ports: RecordPorts, operation_id: string, causation_id: string, scope: Scope, rule: Rule<Operation | undefined>): Promise<Change> {
  return attempt(ports, operation_id, causation_id, scope, rule);
}

async function attempt(ports: RecordPorts, operation_id: string, causation_id: string, scope: Scope | undefined, rule: Rule<Operation | undefined>): Promise<Change> {
  const { eventLog, clock, ids } = ports;
  for (let round = 0; round < LIMITS.append_attempts; round += 1) {
    const operation = await loadOperation(eventLog, operation_id);
    const now = clock.now();
    const ruling = await rule(operation, now);
    if (ruling.kind === 'refuse') return { kind: 'refused', refusal: ruling.refusal, ...(operation === undefined ? {} : { operation }) };
    const place = operation?.opening.scope ?? scope;
    if (ruling.kind === 'unchanged') {
      if (operation === undefined) throw new Fault('CorruptRecord', 'there is nothing that could stay unchanged');
      return { kind: 'unchanged', operation };
    }
    if (place === undefined) throw new Fault('CorruptRecord', 'an event needs the scope of its operation');
    const sealed = seal(ruling.event, operation?.tail ?? BEFORE_FIRST, { operation_id, scope: place, time: now, causation_id });
    if ((await eventLog.append(sealed, ids.uniqueId())) === 'appended') {
      const changed = evolve(operation, sealed.event);
      return { kind: 'appended', operation: changed, event: sealed.event, ...(ruling.refusal === undefined ? {} : { refusal: ruling.refusal }) };
    }
    await clock.sleep(Math.random() * 20 * (round + 1));
  }
  throw new Fault('AppendConflict', 'others kept appending first');
}
