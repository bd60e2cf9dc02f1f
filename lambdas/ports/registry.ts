// Callers, people, groups, workspaces and tools, read consistently at the moment of use; and the call keys that
// make a repeated proposal the same operation.
import type { Membership } from '../domain/directory/walk.ts';
import type { PolicyScope } from '../domain/policy/policy-document.ts';
import type { Person, Program, RegistryDocument, Tool, Workspace } from '../domain/registry.ts';
import type { Instant } from '../domain/times.ts';
import type { ApproverDirectory } from './directory.ts';

export type RegisteredCaller = { readonly kind: 'person'; readonly person: Pick<Person, 'subject' | 'administrator'>; readonly groups: readonly string[] } | { readonly kind: 'program'; readonly program: Program };

export interface CallerRegistry {
  callerOf(principal: string): Promise<RegisteredCaller | undefined>;
  /** Only where the deployment takes groups from people's tokens. */
  readonly groupClaims?: GroupClaims;
}

/** Which claim of a verified token names groups, and for how long what it says is believed. */
export interface GroupsClaim {
  readonly claim: string;
  readonly max_age_seconds: number;
}

export interface GroupClaims extends GroupsClaim {
  /** Of these names, the groups that a token may name, and further groups and relations that those are in. */
  groupsNamed(names: readonly string[]): Promise<{ readonly claimed: readonly string[]; readonly around: readonly string[] }>;
}

export interface ToolRegistry {
  /** The definition under exactly this name. */
  tool(name: string): Promise<Tool | undefined>;
}

export interface ToolCatalogue {
  /** Every registered tool, by name. */
  tools(): Promise<readonly Tool[]>;
}

export interface Directory extends ApproverDirectory {
  organisationOf(workspace_id: string): Promise<string | undefined>;
}

export interface Workspaces {
  workspace(workspace_id: string): Promise<Workspace | undefined>;
  workspacesOf(org_id: string): Promise<readonly string[]>;
  /** The policy scopes around this one: a workspace's organisation; an agent's workspaces and theirs. */
  widerScopes(scope: PolicyScope): Promise<readonly PolicyScope[]>;
}

export interface WorkspaceCatalogue {
  /** Every registered workspace, by name. */
  workspaceIds(): Promise<readonly string[]>;
}

export interface ScopeCatalogue {
  /** Every policy scope that the registry knows: organisations, then workspaces, then agents, each kind by name. */
  policyScopes(): Promise<readonly PolicyScope[]>;
}

export interface People {
  /** Who a reference stands for now, through groups in groups; nobody where it cannot be followed. */
  peopleBehind(reference: string): Promise<Membership>;
}

export interface CallKeys {
  /** The first to claim a key keeps it; everyone else is told what stands there. */
  claimCall(key: string, mine: ClaimedCall, keep_until: Instant): Promise<ClaimedCall>;
}

export interface ClaimedCall {
  readonly operation_id: string;
  readonly tool: string;
  readonly arguments_hash: string;
}

export interface RegistryStore {
  /** Puts the document's rows in place and takes away rows that an earlier document left. */
  replace(document: RegistryDocument): Promise<{ readonly rows: number; readonly removed: number }>;
}
