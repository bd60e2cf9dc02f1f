// Reads an entry as an administrator wrote it, before it is stored: it is whole, names only what is there, and leads to
// itself on no way.
import * as z from 'zod';
import { kindOf, parseEntry, referencesOf, type DirectoryEntry } from '../../domain/directory/entries.ts';
import { pathBack } from '../../domain/directory/walk.ts';
import type { JsonObject } from '../../domain/json/json-value.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import type { DirectoryReader } from '../../ports/directory.ts';
import type { Workspaces } from '../../ports/registry.ts';

export interface CheckingPorts {
  readonly directoryEditor: DirectoryReader;
  readonly workspaces: Pick<Workspaces, 'workspace'>;
}

export async function checkEntry(ports: CheckingPorts, subject: string, written: JsonObject): Promise<DirectoryEntry | Refusal> {
  const entry = readEntry(subject, written);
  if ('code' in entry) return entry;
  const entryOf = async (reference: string) => (await ports.directoryEditor.standing(reference)).entry;
  for (const { reference, field } of referencesOf(entry)) {
    // Whoever stands nowhere yet may still name itself; the way back then says what is wrong with it.
    if (reference !== subject && (await entryOf(reference)) === undefined) return invalid(field, `${reference} is not in the directory.`);
  }
  for (const [index, workspace] of ('workspaces' in entry ? entry.workspaces : []).entries()) {
    if ((await ports.workspaces.workspace(workspace)) === undefined) return invalid(`workspaces.${index}`, 'there is no such workspace.');
  }
  const way = 'members' in entry ? await pathBack(subject, entry.members, entryOf) : undefined;
  if (way === undefined) return entry;
  const circle = new Set(way).size < way.length;
  return invalid('members', circle ? `this leads in a circle: ${way.join(' → ')}.` : `this leads too deep to be followed: ${way.join(' → ')}.`);
}

function readEntry(subject: string, written: JsonObject): DirectoryEntry | Refusal {
  if (kindOf(subject) === undefined) return invalid('subject', 'an entry stands under user:, agent:, service:, group:<id> or <type>:<id>#<relation>.');
  try {
    return parseEntry(subject, written);
  } catch (thrown) {
    if (!(thrown instanceof z.ZodError)) throw thrown;
    const issue = thrown.issues[0];
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
    const field = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].join('.');
    return invalid(field, issue?.message ?? 'not as expected');
  }
}

function invalid(field: string, why: string): Refusal {
  return refusal('directory_invalid', `${field === '' ? 'The entry' : field}: ${why}`, { field });
}
