// What one scope says, with what the scopes around it say: the documents as they are now, widest first.
import { isPolicyScope, type PolicyScope } from '../../domain/policy/policy-document.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import type { PolicyView } from '../../pages/policies-page.ts';
import type { Policies } from '../../ports/policies.ts';
import type { ScopeCatalogue, Workspaces } from '../../ports/registry.ts';

export interface ShowPoliciesPorts {
  readonly policies: Policies;
  readonly workspaces: Workspaces;
  readonly scopeCatalogue: ScopeCatalogue;
}

/** @param wanted a scope that the registry knows; where nobody says, the first workspace. */
export async function showPolicies(ports: ShowPoliciesPorts, wanted: string | undefined): Promise<PolicyView | Refusal> {
  const scopes = await ports.scopeCatalogue.policyScopes();
  const scope = wanted ?? scopes.find((each) => each.startsWith('workspace:')) ?? scopes[0] ?? '';
  if (!isPolicyScope(scope) || !scopes.includes(scope)) return refusal('policy_not_found', 'The registry knows no such scope.');
  const around: readonly PolicyScope[] = [...(await ports.workspaces.widerScopes(scope)), scope];
  const ids = around.filter((each) => each.startsWith('workspace:')).map((each) => each.slice('workspace:'.length));
  const [policies, workspaces] = await Promise.all([ports.policies.current(around), Promise.all(ids.map((id) => ports.workspaces.workspace(id)))]);
  return { scopes, scope, policies, workspaces: workspaces.flatMap((workspace) => workspace ?? []) };
}
