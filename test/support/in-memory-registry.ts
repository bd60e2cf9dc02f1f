// A registry that behaves: what counts is the document of this moment, and a call key belongs to whoever claimed it first.
import { Fault } from '../../lambdas/domain/faults.ts';
import { registryRevision, type RegistryDocument } from '../../lambdas/domain/registry.ts';
import type { Instant } from '../../lambdas/domain/times.ts';
import type { CallerRegistry, CallKeys, ClaimedCall, Directory, RegisteredCaller, RegistryStore, ToolRegistry } from '../../lambdas/ports/registry.ts';
import { elsewhere } from './in-memory-system.ts';

export type Registry = CallerRegistry & ToolRegistry & Directory & CallKeys & RegistryStore;

export interface InMemoryRegistry extends Registry {
  readonly calls: () => ReadonlyMap<string, ClaimedCall & { readonly keep_until: Instant }>;
}

export function inMemoryRegistry(initial?: RegistryDocument): InMemoryRegistry {
  let document = structuredClone(initial);
  const calls = new Map<string, ClaimedCall & { keep_until: Instant }>();
  return {
    callerOf: async (principal) => {
      await elsewhere();
      return callerIn(document, principal);
    },
    tool: async (name) => {
      await elsewhere();
      if (document === undefined) throw new Fault('Misconfigured', 'no registry document is stored');
      return { tool: structuredClone(document.tools.find((tool) => tool.name === name)), policy_revision: registryRevision(document) };
    },
    organisationOf: async (workspace_id) => {
      await elsewhere();
      return document?.workspaces.find(({ id }) => id === workspace_id)?.org_id;
    },
    membersOf: async (group) => {
      await elsewhere();
      return document?.groups.find(({ id }) => id === group)?.members ?? [];
    },
    claimCall: async (key, mine, keep_until) => {
      await elsewhere();
      const standing = calls.get(key);
      if (standing === undefined) calls.set(key, { ...mine, keep_until });
      const { operation_id, tool, arguments_hash } = standing ?? mine;
      return { operation_id, tool, arguments_hash };
    },
    replace: async (next) => {
      await elsewhere();
      const before = document === undefined ? new Set<string>() : keysOf(document);
      document = structuredClone(next);
      const now = keysOf(document);
      return { rows: now.size, removed: [...before].filter((key) => !now.has(key)).length };
    },
    calls: () => calls,
  };
}

function callerIn(document: RegistryDocument | undefined, principal: string): RegisteredCaller | undefined {
  const program = document?.programs.find(({ principals }) => principals.includes(principal));
  if (program !== undefined) return structuredClone({ kind: 'program', program });
  const person = document?.people.find(({ principals }) => principals.includes(principal));
  if (person === undefined) return undefined;
  const groups = (document?.groups ?? []).filter(({ members }) => members.includes(person.subject)).map(({ id }) => id);
  return structuredClone({ kind: 'person', person, groups });
}

function keysOf({ workspaces, groups, tools, programs, people }: RegistryDocument): ReadonlySet<string> {
  return new Set([
    ...workspaces.map(({ id }) => `workspace ${id}`),
    ...groups.map(({ id }) => `group ${id}`),
    ...tools.map(({ name }) => `tool ${name}`),
    ...[...programs, ...people].flatMap(({ principals }) => principals).map((principal) => `principal ${principal}`),
  ]);
}
