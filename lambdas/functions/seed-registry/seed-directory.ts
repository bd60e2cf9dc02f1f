// Puts the deployment's people, groups and programs into the directory where no administrator has written since. What only
// an earlier deployment named goes again; a stand-in that somebody has named stays.
import { systemActor } from '../../domain/caller.ts';
import { canonicalJson } from '../../domain/json/canonical-json.ts';
import type { JsonObject } from '../../domain/json/json-value.ts';
import type { DirectoryKind } from '../../domain/directory/entries.ts';
import type { RegistryDocument } from '../../domain/registry.ts';
import type { DirectoryEditor } from '../../ports/directory.ts';

const SEED = systemActor('seed');
const KINDS: readonly DirectoryKind[] = ['relation', 'group', 'agent', 'service', 'user'];
const PAGE = 50;

/** How many entries were written. @throws Error naming the entry whose identity somebody else holds. */
export async function seedDirectory(directory: DirectoryEditor, document: RegistryDocument): Promise<number> {
  const seeds = entriesOf(document);
  let written = 0;
  // What goes, goes first: an identity may have moved from one entry to another.
  for (const subject of await seededBefore(directory)) if (!seeds.has(subject) && (await seed(directory, subject, null))) written += 1;
  for (const [subject, entry] of seeds) if (await seed(directory, subject, entry)) written += 1;
  return written;
}

async function seed(directory: DirectoryEditor, subject: string, entry: JsonObject | null): Promise<boolean> {
  const newest = await directory.newest(subject);
  if (newest !== undefined && (newest.data.entry_by !== SEED.subject || canonicalJson(newest.data.entry as JsonObject | null) === canonicalJson(entry))) return false;
  const change = { subject, entry, entry_by: SEED.subject, stand_in: newest?.data.stand_in, actor: SEED };
  const done = await directory.change(change, newest?.data.revision ?? 0, 'deployment:seed');
  if (done.kind === 'taken') throw new Error(`The registry is refused: ${subject} has ${done.identity}, which is ${done.by}'s in the directory`);
  return done.kind === 'changed';
}

/** Subjects first that others name. */
function entriesOf({ people, groups, programs }: RegistryDocument): ReadonlyMap<string, JsonObject> {
  return new Map<string, JsonObject>([
    ...people.map(({ subject, principals, administrator }) => [subject, { identities: { oidc: principals.map(oidcOf) }, administrator }] as const),
    ...groups.map(({ id, members, from_claim }) => [id, { members, from_claim }] as const),
    ...programs.map(({ subject, ...entry }) => [subject, { ...entry }] as const),
  ]);
}

function oidcOf(principal: string): { readonly issuer: string; readonly subject: string } {
  const [, issuer = '', subject = ''] = /^oidc:([^#]*)#(.*)$/s.exec(principal) ?? [];
  return { issuer, subject };
}

async function seededBefore(directory: DirectoryEditor): Promise<readonly string[]> {
  const found: string[] = [];
  for (const kind of KINDS) {
    let cursor: string | undefined;
    do {
      const page = await directory.list(kind, { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
      found.push(...page.entries.filter(({ entry_by }) => entry_by === SEED.subject).map(({ subject }) => subject));
      cursor = page.cursor;
    } while (cursor !== undefined);
  }
  return found;
}
