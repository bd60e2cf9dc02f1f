// Entries as administrators write them, and a way to put them where they stand.
import { systemActor } from '../../lambdas/domain/caller.ts';
import type { JsonObject } from '../../lambdas/domain/json/json-value.ts';
import type { StandIn } from '../../lambdas/domain/directory/directory-log.ts';
import type { DirectoryEditor, DirectoryWritten } from '../../lambdas/ports/directory.ts';

export const ROOT = { subject: 'user:root', kind: 'user', proof: 'jwt' } as const;
export const SEED = systemActor('seed');

export function person(name: string, more: JsonObject = {}): JsonObject {
  return { identities: { oidc: [{ issuer: 'https://issuer.example', subject: name }] }, ...more };
}

export function group(...members: readonly string[]): JsonObject {
  return { members: [...members] };
}

export function program(name: string, owner = 'user:ana', more: JsonObject = {}): JsonObject {
  return { principals: [`iam:arn:aws:iam::123456789012:role/${name}`], agent_ids: [name], workspaces: ['w1'], owner, ...more };
}

/** Writes on whatever revision stands. */
export async function write(directory: DirectoryEditor, subject: string, entry: JsonObject | null, { stand_in, by = ROOT.subject }: { readonly stand_in?: StandIn; readonly by?: string } = {}): Promise<DirectoryWritten> {
  const { revision } = await directory.standing(subject);
  return directory.change({ subject, entry, entry_by: by, stand_in, actor: by === SEED.subject ? SEED : ROOT }, revision, 'test:write');
}

export async function writeAll(directory: DirectoryEditor, entries: Readonly<Record<string, JsonObject | null>>): Promise<void> {
  for (const [subject, entry] of Object.entries(entries)) {
    const written = await write(directory, subject, entry);
    if (written.kind !== 'changed') throw new Error(`${subject}: ${JSON.stringify(written)}`);
  }
}
