// Gathers what policy looks at, all of it as it is now, and asks the domain. Every room that needs a verdict asks here.
import { evaluatePolicy, type Evaluation, type JudgedCall, type ScopedPolicy } from '../domain/policy/evaluate-policy.ts';
import type { PolicyScope } from '../domain/policy/policy-document.ts';
import { Fault } from '../domain/faults.ts';
import type { Scope } from '../domain/events.ts';
import { parseJson } from '../domain/json/parse-json.ts';
import type { Operation } from '../domain/operation.ts';
import type { Tool, Workspace } from '../domain/registry.ts';
import type { ConditionLanguage } from '../ports/conditions.ts';
import type { Policies } from '../ports/policies.ts';
import type { ToolRegistry, Workspaces } from '../ports/registry.ts';

export interface JudgingPorts {
  readonly policies: Policies;
  readonly tools: ToolRegistry;
  readonly workspaces: Pick<Workspaces, 'workspace'>;
  readonly conditions: Pick<ConditionLanguage, 'holds'>;
}

export interface Judged extends Evaluation {
  readonly definition: Tool | undefined;
  readonly workspace: Workspace;
}

/** Widest first. */
export function scopesAround({ org_id, workspace_id, agent_id }: Scope): readonly PolicyScope[] {
  return [`org:${org_id}`, `workspace:${workspace_id}`, `agent:${agent_id}`];
}

/** `draft` stands in for the stored document of its scope: what would be, were it written. */
export async function judgeCall(ports: JudgingPorts, call: JudgedCall, draft?: ScopedPolicy): Promise<Judged> {
  const [stored, definition, workspace] = await Promise.all([
    ports.policies.current(scopesAround(call.scope)),
    ports.tools.tool(call.tool),
    ports.workspaces.workspace(call.scope.workspace_id),
  ]);
  if (workspace === undefined) throw new Fault('Misconfigured', 'the workspace of an operation is not registered');
  const policies = stored.map((policy) => (policy.scope === draft?.scope ? draft : policy));
  return { ...(await evaluatePolicy(call, { policies, definition, workspace, holds: ports.conditions.holds })), definition, workspace };
}

/** Judges a stored operation as policy is now. Without its arguments nothing can be said, and nothing may run. */
export async function judgeOperation(ports: JudgingPorts, { opening }: Operation, canonical: string | undefined): Promise<Judged> {
  if (canonical === undefined) throw new Fault('CorruptRecord', 'the arguments of an open operation are gone');
  return judgeCall(ports, { tool: opening.operation.tool, arguments: parseJson(canonical), scope: opening.scope, requester: opening.requester });
}
