// Which policy scopes there are, and which stand around one: organisations and workspaces are the registry's, and where an
// agent may act is what the directory says of its programs.
import { isPolicyScope, type PolicyScope } from '../../domain/policy/policy-document.ts';
import type { AgentDirectory } from '../../ports/directory.ts';
import type { ScopeCatalogue, WorkspaceCatalogue, Workspaces } from '../../ports/registry.ts';

export function policyScopes(registry: Pick<Workspaces, 'workspace'> & WorkspaceCatalogue, directory: AgentDirectory): Pick<Workspaces, 'widerScopes'> & ScopeCatalogue {
  const organisationsOf = async (workspaces: readonly string[]): Promise<readonly string[]> =>
    [...new Set((await Promise.all(workspaces.map((each) => registry.workspace(each)))).flatMap((each) => each?.org_id ?? []))];
  return {
    widerScopes: async (scope) => {
      const [kind, id] = [scope.slice(0, scope.indexOf(':')), scope.slice(scope.indexOf(':') + 1)];
      if (kind === 'org') return [];
      const workspaces = kind === 'workspace' ? [id] : await directory.workspacesOfAgent(id);
      const orgs = (await organisationsOf(workspaces)).map((org): PolicyScope => `org:${org}`);
      return [...orgs, ...(kind === 'agent' ? workspaces.map((each): PolicyScope => `workspace:${each}`) : [])];
    },
    policyScopes: async () => {
      const [workspaces, agents] = await Promise.all([registry.workspaceIds(), directory.agentIds()]);
      const orgs = [...(await organisationsOf(workspaces))].sort();
      return [...orgs.map((id) => `org:${id}`), ...workspaces.map((id) => `workspace:${id}`), ...agents.map((id) => `agent:${id}`)].filter(isPolicyScope);
    },
  };
}
