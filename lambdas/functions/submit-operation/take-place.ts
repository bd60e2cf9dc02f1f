// A new operation's place in its open lists, taken before it is stored. Among the pending there is room for so many:
// each attempt joins first and counts afterwards, so that of any that come together the last to join sees all others.
import type { EventType } from '../../domain/events.ts';
import { LIMITS } from '../../domain/limits.ts';
import { listsOf, pendingList, type Sameness } from '../../domain/open-lists.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import { hasCome, plusSeconds, type Instant } from '../../domain/times.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { OpenOperations, Place } from '../../ports/open-operations.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import { loadOperation } from '../../record/load-operation.ts';

export interface PlacePorts {
  readonly eventLog: EventLog;
  readonly openOperations: OpenOperations;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface TakenPlace {
  /** For an attempt that did not store the operation itself: whoever did has a place of their own. */
  leave(): Promise<void>;
}

/** `opens`: what the first event will be. Only one that people are asked about needs room. */
export async function takePlace(ports: PlacePorts, call: Pick<Sameness, 'requester' | 'scope'> & { readonly operation_id: string }, opens: EventType, most_pending: number): Promise<TakenPlace | Refusal> {
  const now = ports.clock.now();
  const place = { operation_id: call.operation_id, attempt: ports.ids.uniqueId(), joined_at: now };
  const lists = listsOf(call, opens === 'approval.requested' ? 'pending' : opens === 'approval.auto_granted' ? 'granted' : 'refused').stands;
  const leave = async (): Promise<void> => {
    for (const list of lists) await ports.openOperations.leave(list, place);
  };
  for (const list of lists) await ports.openOperations.join(list, place, plusSeconds(now, LIMITS.vault_keep_seconds));
  if (opens !== 'approval.requested' || (await hasRoom(ports, pendingList(call.scope), call.operation_id, most_pending))) return { leave };
  await leave();
  return refusal('too_many_pending', `This agent has ${most_pending} operations pending in this workspace. Wait until some are decided, or cancel them.`, { most_pending, retryable: true });
}

async function hasRoom(ports: PlacePorts, list: string, operation_id: string, most: number): Promise<boolean> {
  const listed = await ports.openOperations.listed(list, most + 1);
  if (operationsIn(listed).length <= most) return true;
  // A crash may have left places behind. Every look at the log costs, so that each attempt takes but a share, beginning
  // at its own id, which is chance: together they go through all.
  const ids = operationsIn(listed).filter((each) => each !== operation_id).sort();
  const after = ids.findIndex((each) => each > operation_id);
  const share = new Set([...ids.slice(after), ...ids.slice(0, after)].slice(0, LIMITS.places_checked));
  const stale = await Promise.all([...share].map(async (each) => ((await isStale(ports, each, listed)) ? listed.filter((place) => place.operation_id === each) : [])));
  await Promise.all(stale.flat().map((place) => ports.openOperations.leave(list, place)));
  return stale.flat().length > 0 && operationsIn(await ports.openOperations.listed(list, most + 1)).length <= most;
}

/** What is not stored may still be on its way, but not for longer than any request lives. */
async function isStale({ eventLog, clock }: PlacePorts, operation_id: string, listed: readonly (Place & { readonly joined_at: Instant })[]): Promise<boolean> {
  const operation = await loadOperation(eventLog, operation_id);
  if (operation !== undefined) return operation.status !== 'pending';
  return listed.every((place) => place.operation_id !== operation_id || hasCome(plusSeconds(place.joined_at, LIMITS.place_grace_seconds), clock.now()));
}

function operationsIn(places: readonly Place[]): readonly string[] {
  return [...new Set(places.map(({ operation_id }) => operation_id))];
}
