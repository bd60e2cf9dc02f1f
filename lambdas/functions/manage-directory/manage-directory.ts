// Administrators write the directory here, and nowhere else but at a deployment. Somebody who may do so always stays.
import { actorOf, type Caller } from '../../domain/caller.ts';
import type { DirectoryEntry } from '../../domain/directory/entries.ts';
import type { DirectoryEvent } from '../../domain/directory/directory-log.ts';
import { canAdminister } from '../../domain/directory/lookups.ts';
import { parseJson } from '../../domain/json/parse-json.ts';
import type { JsonObject } from '../../domain/json/json-value.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import type { DirectoryEditor } from '../../ports/directory.ts';
import type { Log } from '../../ports/system.ts';
import { checkEntry, type CheckingPorts } from './check-entry.ts';

export interface ManagePorts extends CheckingPorts {
  readonly directoryEditor: DirectoryEditor;
  readonly log: Log;
}

export type Written = { readonly ok: true; readonly event: DirectoryEvent } | { readonly ok: false; readonly refusal: Refusal };

export interface EntryWrite {
  readonly subject: string;
  /** null removes. */
  readonly entry: JsonObject | null;
  readonly revision: number;
}

export async function writeEntry(ports: ManagePorts, caller: Caller, { subject, entry: written, revision }: EntryWrite, request_id: string): Promise<Written> {
  if (!caller.administrator) return no(refusal('not_an_administrator', 'Only administrators change the directory.'));
  const before = await ports.directoryEditor.standing(subject);
  if (before.revision !== revision) return no(overtaken());
  if (written === null && before.entry === undefined) return no(absentEntry(before.revision));
  const entry = written === null ? undefined : await checkEntry(ports, subject, written);
  if (entry !== undefined && 'code' in entry) return no(entry);
  if (canAdminister(before.entry) && !canAdminister(entry) && !(await ports.directoryEditor.mayLeaveAdministration(subject))) {
    return no(refusal('last_administrator', 'Nobody else could administer then: name another administrator first, one who can sign in.'));
  }
  const change = { subject, entry: withoutKind(entry), entry_by: caller.subject, stand_in: before.stand_in, actor: actorOf(caller) };
  const done = await ports.directoryEditor.change(change, revision, `request:${request_id}`);
  if (done.kind === 'conflict') return no(overtaken());
  if (done.kind === 'taken') return no(taken(done));
  ports.log.write('CS6003', { request_id, event_id: done.event.id });
  return { ok: true, event: done.event };
}

export function absentEntry(revision: number): Refusal {
  return refusal('directory_entry_not_found', 'Nothing stands under this subject.', { revision });
}

/** As it was read, defaults and normalised addresses included; the subject says its kind. */
export function withoutKind(entry: DirectoryEntry | undefined): JsonObject | null {
  if (entry === undefined) return null;
  return Object.fromEntries(Object.entries(parseJson(JSON.stringify(entry)) as JsonObject).filter(([field]) => field !== 'kind'));
}

function taken({ identity, by }: { readonly identity: string; readonly by: string }): Refusal {
  const what = identity.startsWith('subject:') ? 'This subject cannot be told apart from' : `${identity} belongs to`;
  return refusal('identity_taken', `${what} ${by}.`, { identity, by });
}

function overtaken(): Refusal {
  return refusal('revision_conflict', 'The entry was changed meanwhile: read it again and write on its revision.', { field: 'if-match' });
}

function no(refused: Refusal): Written {
  return { ok: false, refusal: refused };
}
