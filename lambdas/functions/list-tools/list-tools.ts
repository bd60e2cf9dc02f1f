// What may be disclosed to a model: the tools of a workspace as policy sees them. A tool that asks stays in, since the
// answer might be yes; one that is denied whatever its arguments are is left out.
import type { Caller } from '../../domain/caller.ts';
import { targetMatches } from '../../domain/policy/target.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import type { Policies } from '../../ports/policies.ts';
import type { ToolCatalogue, Workspaces } from '../../ports/registry.ts';

export interface ListToolsPorts {
  readonly policies: Policies;
  readonly catalogue: ToolCatalogue;
  readonly workspaces: Workspaces;
}

export interface DisclosedTool {
  readonly name: string;
  readonly version: string;
  readonly consequence: string;
}

export async function listTools(ports: ListToolsPorts, caller: Caller, workspace_id: string, agent_id: string): Promise<readonly DisclosedTool[] | Refusal> {
  const { agency } = caller;
  if (!agency?.workspaces.includes(workspace_id)) return refusal('scope_not_allowed', 'This caller does not act in that workspace.', { field: 'workspace_id' });
  if (!agency.agent_ids.includes(agent_id)) return refusal('scope_not_allowed', 'This caller does not speak for that agent.', { field: 'agent_id' });
  const workspace = await ports.workspaces.workspace(workspace_id);
  const policies = await ports.policies.current([...(workspace === undefined ? [] : [`org:${workspace.org_id}` as const]), `workspace:${workspace_id}`, `agent:${agent_id}`]);
  const denied = (name: string): boolean => policies.some(({ document }) => document.rules.some((rule) => rule.effect === 'deny' && rule.when === undefined && targetMatches(rule.target, name)));
  const tools = await ports.catalogue.tools();
  return tools.filter(({ name }) => !denied(name)).map(({ name, version, consequence }) => ({ name, version, consequence }));
}
