// Puts the deployment's registry in place, and its directory and policies where no administrator has written since.
import { systemActor } from '../../domain/caller.ts';
import { canonicalJson } from '../../domain/json/canonical-json.ts';
import type { JsonObject } from '../../domain/json/json-value.ts';
import type { PolicyScope } from '../../domain/policy/policy-document.ts';
import type { RegistryDocument } from '../../domain/registry.ts';
import { faultOfDocument, type CheckingPorts } from '../../judging/check-document.ts';
import type { Policies, PolicyEditor } from '../../ports/policies.ts';
import type { DirectoryEditor } from '../../ports/directory.ts';
import type { RegistryStore } from '../../ports/registry.ts';
import type { Log } from '../../ports/system.ts';
import { seedDirectory } from './seed-directory.ts';

export interface SeedPorts extends CheckingPorts {
  readonly registry: RegistryStore;
  readonly directoryEditor: DirectoryEditor;
  readonly policies: Policies & PolicyEditor;
  readonly log: Log;
}

export interface SeedPolicy {
  readonly scope: PolicyScope;
  readonly document: JsonObject;
}

export interface Seeded {
  readonly rows: number;
  readonly removed: number;
  readonly entries: number;
  readonly policies: number;
}

const SEED = systemActor('seed');
const WIDTH: readonly string[] = ['org', 'workspace', 'agent'];

/** @throws Error naming the scope and the field, before any policy of that scope is stored. */
export async function seedRegistry(ports: SeedPorts, document: RegistryDocument, policies: readonly SeedPolicy[]): Promise<Seeded> {
  const stored = await ports.registry.replace(document);
  const entries = await seedDirectory(ports.directoryEditor, document);
  // Widest first: a narrower document is checked against what the wider ones now say.
  const ordered = [...policies].sort((one, other) => widthOf(one) - widthOf(other));
  let written = 0;
  for (const policy of ordered) if (await seedPolicy(ports, policy)) written += 1;
  ports.log.write('CS6001', { count: stored.rows });
  return { ...stored, entries, policies: written };
}

async function seedPolicy(ports: SeedPorts, { scope, document }: SeedPolicy): Promise<boolean> {
  const newest = await ports.policies.newest(scope);
  // Only what would be written is checked: what an administrator wrote since, here or in a wider scope, stops no deployment.
  const mayWrite = newest === undefined || newest.data.actor.subject === SEED.subject;
  if (!mayWrite || sameDocument(newest?.data.document, document)) return false;
  const fault = await faultOfDocument(ports, scope, document);
  if (fault !== undefined) throw new Error(`The policy of ${scope} is refused: ${fault.detail}`);
  const changed = await ports.policies.change({ scope, document, actor: SEED }, newest?.data.revision ?? 0, 'deployment:seed');
  return changed !== 'conflict';
}

function sameDocument(stored: Readonly<Record<string, unknown>> | null | undefined, document: JsonObject): boolean {
  return stored !== null && stored !== undefined && canonicalJson(stored as JsonObject) === canonicalJson(document);
}

function widthOf({ scope }: SeedPolicy): number {
  return WIDTH.indexOf(scope.slice(0, scope.indexOf(':')));
}
