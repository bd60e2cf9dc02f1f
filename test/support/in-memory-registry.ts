// A registry that behaves: what counts is the document of this moment, and a call key belongs to whoever claimed it first.
// It answers for the directory too, as if the document had just been seeded there and nobody had written since.
import { isPolicyScope, type PolicyScope } from '../../lambdas/domain/policy/policy-document.ts';
import type { RegistryDocument } from '../../lambdas/domain/registry.ts';
import type { Instant } from '../../lambdas/domain/times.ts';
import type { CallerRegistry, CallKeys, ClaimedCall, Directory, People, RegisteredCaller, RegistryStore, ScopeCatalogue, ToolCatalogue, ToolRegistry, WorkspaceCatalogue, Workspaces } from '../../lambdas/ports/registry.ts';
import { elsewhere } from './in-memory-system.ts';

export type Registry = ToolRegistry & ToolCatalogue & Pick<Directory, 'organisationOf'> & Workspaces & WorkspaceCatalogue & ScopeCatalogue & CallKeys & RegistryStore;

export interface InMemoryRegistry extends Registry, CallerRegistry, Directory, People {
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
      return structuredClone(document?.tools.find((tool) => tool.name === name));
    },
    tools: async () => {
      await elsewhere();
      return structuredClone(document?.tools ?? []).sort((one, other) => (one.name < other.name ? -1 : 1));
    },
    organisationOf: async (workspace_id) => {
      await elsewhere();
      return document?.workspaces.find(({ id }) => id === workspace_id)?.org_id;
    },
    workspace: async (workspace_id) => {
      await elsewhere();
      return structuredClone(document?.workspaces.find(({ id }) => id === workspace_id));
    },
    workspacesOf: async (org_id) => {
      await elsewhere();
      return (document?.workspaces ?? []).filter((workspace) => workspace.org_id === org_id).map(({ id }) => id);
    },
    workspaceIds: async () => {
      await elsewhere();
      return (document?.workspaces ?? []).map(({ id }) => id).sort();
    },
    widerScopes: async (scope) => {
      await elsewhere();
      return widerScopesIn(document, scope);
    },
    policyScopes: async () => {
      await elsewhere();
      const { workspaces = [], programs = [] } = document ?? {};
      const scopes = (kind: string, ids: readonly string[]): readonly string[] => [...new Set(ids)].sort().map((id) => `${kind}:${id}`);
      const all = [...scopes('org', workspaces.map(({ org_id }) => org_id)), ...scopes('workspace', workspaces.map(({ id }) => id)), ...scopes('agent', programs.flatMap(({ agent_ids }) => agent_ids))];
      return all.filter(isPolicyScope);
    },
    approverEntry: async (reference) => {
      await elsewhere();
      const group = document?.groups.find(({ id }) => id === reference);
      if (group !== undefined) return { kind: 'group', revision: 1, members: [...group.members], from_claim: group.from_claim };
      return document?.people.some(({ subject }) => subject === reference) === true ? { kind: 'person', revision: 1 } : undefined;
    },
    peopleBehind: async (reference) => {
      await elsewhere();
      if (reference.startsWith('group:')) return { people: document?.groups.find(({ id }) => id === reference)?.members ?? [], from_claim: false };
      return { people: document?.people.some(({ subject }) => subject === reference) === true ? [reference] : [], from_claim: false };
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
  return { kind: 'person', person: { subject: person.subject, administrator: person.administrator }, groups };
}

/** Widest first. An agent stands in every workspace that a program may speak for it in. */
function widerScopesIn(document: RegistryDocument | undefined, scope: PolicyScope): readonly PolicyScope[] {
  const [kind = '', id = ''] = scope.split(':');
  if (kind === 'org') return [];
  const around = kind === 'workspace' ? [id] : [...new Set((document?.programs ?? []).filter(({ agent_ids }) => agent_ids.includes(id)).flatMap(({ workspaces }) => workspaces))];
  const orgs = new Set(around.flatMap((each) => document?.workspaces.find((workspace) => workspace.id === each)?.org_id ?? []));
  return [...[...orgs].map((org): PolicyScope => `org:${org}`), ...(kind === 'agent' ? around.map((each): PolicyScope => `workspace:${each}`) : [])];
}

function keysOf({ workspaces, tools }: RegistryDocument): ReadonlySet<string> {
  return new Set([
    ...workspaces.map(({ id }) => `workspace ${id}`),
    ...new Set(workspaces.map(({ org_id }) => `organisation ${org_id}`)),
    ...tools.map(({ name }) => `tool ${name}`),
  ]);
}
