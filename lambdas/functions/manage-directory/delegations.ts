// Who decides in somebody's place while they are away. Everybody names a stand-in for themselves only; it is part of their
// own entry's log, and the stand-in of a stand-in is nobody.
import { actorOf, type Caller } from '../../domain/caller.ts';
import type { StandIn } from '../../domain/directory/directory-log.ts';
import type { JsonObject } from '../../domain/json/json-value.ts';
import { LIMITS } from '../../domain/limits.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import { hasCome, plusSeconds } from '../../domain/times.ts';
import type { DirectoryEditor } from '../../ports/directory.ts';
import type { Clock, Log } from '../../ports/system.ts';

export interface DelegationPorts {
  readonly directoryEditor: DirectoryEditor;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Delegations {
  /** Whom the caller has named; null where nobody, or where its time has ended. */
  readonly given: StandIn | null;
  readonly received: readonly { readonly by: string; readonly from: string; readonly until: string }[];
}

export async function listDelegations({ directoryEditor, clock }: DelegationPorts, { subject }: Caller): Promise<Delegations> {
  const [own, received] = await Promise.all([directoryEditor.standing(subject), directoryEditor.standInsTo(subject)]);
  const holds = (stand_in: StandIn | undefined): stand_in is StandIn => stand_in !== undefined && !hasCome(stand_in.until, clock.now());
  return {
    given: holds(own.stand_in) ? own.stand_in : null,
    received: received.flatMap((each) => (holds(each.stand_in) ? [{ by: each.subject, from: each.stand_in.from, until: each.stand_in.until }] : [])),
  };
}

/** Undefined withdraws the name. Answers with a refusal, or with nothing once it is stored. */
export async function nameStandIn(ports: DelegationPorts, caller: Caller, stand_in: StandIn | undefined, request_id: string): Promise<Refusal | undefined> {
  if (caller.kind !== 'user') return refusal('delegation_invalid', 'Only people decide, so only people have stand-ins.');
  const fault = stand_in === undefined ? undefined : await faultOf(ports, caller, stand_in);
  if (fault !== undefined) return fault;
  for (let attempt = 0; attempt < LIMITS.append_attempts; attempt += 1) {
    const newest = await ports.directoryEditor.newest(caller.subject);
    if (newest === undefined || newest.data.entry === null) return refusal('unauthenticated', 'You are not in the directory any more.');
    if (stand_in === undefined && newest.data.stand_in === undefined) return undefined;
    const { entry, entry_by, revision } = newest.data;
    const change = { subject: caller.subject, entry: entry as JsonObject, entry_by, stand_in, actor: actorOf(caller) };
    const done = await ports.directoryEditor.change(change, revision, `request:${request_id}`);
    if (done.kind !== 'changed') continue;
    ports.log.write('CS6003', { request_id, event_id: done.event.id });
    return undefined;
  }
  return refusal('revision_conflict', 'Your entry is being changed by others: try again.');
}

async function faultOf({ directoryEditor, clock }: DelegationPorts, { subject }: Caller, { to, from, until }: StandIn): Promise<Refusal | undefined> {
  const now = clock.now();
  if (to === subject) return invalid('to', 'you cannot stand in for yourself.');
  if (hasCome(until, now)) return invalid('until', 'this has passed already.');
  if (hasCome(until, from)) return invalid('until', 'it ends before it begins.');
  if (until > plusSeconds(from, LIMITS.delegation_seconds)) return invalid('until', `a stand-in is named for up to ${LIMITS.delegation_seconds / 86_400} days.`);
  if ((await directoryEditor.standing(to)).entry?.kind !== 'user') return invalid('to', `${to} is no person of the directory.`);
  return undefined;
}

function invalid(field: string, why: string): Refusal {
  return refusal('delegation_invalid', `${field}: ${why}`, { field });
}
