// The names under which open operations are kept together: by what may wait for people at once, by run, and by what
// makes two calls the same. Digests of canonical arrays, so that no two names can be spelled alike.
import type { OperationType, Requester, Scope } from './events.ts';
import { canonicalJson } from './json/canonical-json.ts';
import { sha256Hex } from './json/digest.ts';
import type { Status } from './operation.ts';

/** What one agent has waiting for people in one workspace, whoever proposes for it. */
export function pendingList({ workspace_id, agent_id }: Scope): string {
  return nameOf(['pending', workspace_id, agent_id]);
}

/** A run belongs to whoever proposes in it: the same run_id of another caller is another run. */
export function runName(requester: string, run_id: string): string {
  return nameOf(['run', requester, run_id]);
}

export interface Sameness {
  readonly requester: Requester;
  readonly scope: Scope;
  readonly type: OperationType;
  readonly tool: string;
  /** Plain: every caller's own, and never shown. */
  readonly arguments_hash: string;
}

/** Two calls of one name are the same call. On whose behalf it is made decides who may approve it, so that counts. */
export function callName({ requester, scope, type, tool, arguments_hash }: Sameness): string {
  const { workspace_id, agent_id, run_id = null } = scope;
  return nameOf(['call', requester.subject, requester.on_behalf_of ?? null, workspace_id, agent_id, run_id, type, tool, arguments_hash]);
}

/** What people denied of one tool in a run: a variant of a call is another call, but not endlessly so. */
export function deniedList(requester: string, run_id: string, tool: string): string {
  return nameOf(['denied', requester, run_id, tool]);
}

/** Where an operation of this status stands: among the pending only while people are asked, with its run until its end. */
export function listsOf({ requester, scope }: Pick<Sameness, 'requester' | 'scope'>, status: Status): { readonly stands: readonly string[]; readonly left: readonly string[] } {
  const pending = [pendingList(scope)];
  const run = scope.run_id === undefined ? [] : [runName(requester.subject, scope.run_id)];
  if (status === 'pending') return { stands: [...run, ...pending], left: [] };
  return status === 'granted' || status === 'running' ? { stands: run, left: pending } : { stands: [], left: [...pending, ...run] };
}

function nameOf(parts: readonly (string | null)[]): string {
  return sha256Hex(canonicalJson([...parts]));
}
