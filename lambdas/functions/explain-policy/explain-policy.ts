// Why policy says what it says of one call, and what a draft would have said of calls that were made. Changes nothing.
import { resolveApprovers, whoIsNobody, type WhyNobody } from '../../domain/approvers.ts';
import { nobodyCanApprove } from '../../domain/quorum.ts';
import type { Scope } from '../../domain/events.ts';
import type { JsonValue } from '../../domain/json/json-value.ts';
import { parseJson } from '../../domain/json/parse-json.ts';
import type { JudgedCall, PolicyVerdict, RuleTrace, ScopedPolicy } from '../../domain/policy/evaluate-policy.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import { judgeCall, type JudgingPorts } from '../../judging/judge-call.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Directory } from '../../ports/registry.ts';
import type { Clock } from '../../ports/system.ts';
import type { ArgumentsVault } from '../../ports/vault.ts';
import type { RecentOperations } from '../../ports/views.ts';
import { loadOperation } from '../../record/load-operation.ts';

export interface ExplainPorts extends JudgingPorts {
  readonly directory: Directory;
  readonly clock: Clock;
}

export interface AskedCall {
  readonly tool: string;
  readonly arguments: JsonValue;
  readonly scope: Omit<Scope, 'org_id'>;
  /** Who would ask; the agent of the scope where nobody is named. */
  readonly requester?: { readonly subject: string; readonly on_behalf_of?: string; readonly owner?: string };
}

export interface Explanation extends PolicyVerdict {
  /** What would become of the call: `refused` also where nobody could approve it. */
  readonly would_be: 'granted' | 'pending' | 'refused';
  readonly rules: readonly RuleTrace[];
  /** For each requirement, who could answer now and through what. */
  readonly approvers_now: readonly { readonly subject: string; readonly via: string }[][];
  /** The approvers that stand for nobody now, and why. */
  readonly nobody: readonly { readonly approver: string; readonly because: WhyNobody }[];
}

export async function explainPolicy(ports: ExplainPorts, asked: AskedCall): Promise<Explanation | Refusal> {
  const org_id = await ports.directory.organisationOf(asked.scope.workspace_id);
  if (org_id === undefined) return refusal('invalid_request', 'scope.workspace_id: there is no such workspace.', { field: 'scope.workspace_id' });
  const requester = asked.requester ?? { subject: `agent:${asked.scope.agent_id}` };
  const { verdict, trace } = await judgeCall(ports, { tool: asked.tool, arguments: asked.arguments, scope: { org_id, ...asked.scope }, requester });
  const eligible = await resolveApprovers(verdict.requirements, requester, { entryOf: (reference) => ports.directory.approverEntry(reference), now: ports.clock.now() });
  const unmet = nobodyCanApprove(verdict.requirements, eligible);
  const would_be = verdict.verdict === 'allow' ? 'granted' : verdict.verdict === 'deny' || unmet ? 'refused' : 'pending';
  return { ...verdict, would_be, rules: trace, approvers_now: eligible.map((people) => [...people].map(([subject, { via }]) => ({ subject, via }))), nobody: whoIsNobody(eligible) };
}

export interface SimulatePorts extends ExplainPorts {
  readonly eventLog: EventLog;
  readonly vault: Pick<ArgumentsVault, 'readArguments'>;
  readonly recent: RecentOperations;
}

export interface Simulated {
  readonly looked_at: number;
  /** Operations whose arguments are no longer kept, so that nothing can be said of them. */
  readonly without_arguments: number;
  readonly changed: readonly { readonly operation_id: string; readonly tool: string; readonly before: PolicyVerdict; readonly after: PolicyVerdict }[];
}

/** The newest `most` operations of these workspaces, judged by the stored policies and with the draft in its place. */
export async function simulatePolicy(ports: SimulatePorts, draft: ScopedPolicy, workspaces: readonly string[], most: number): Promise<Simulated> {
  const recent = (await Promise.all(workspaces.map((workspace) => ports.recent.recent(workspace, most)))).flat().sort((one, other) => (one.requested_at < other.requested_at ? 1 : -1));
  const changed: Simulated['changed'][number][] = [];
  let looked_at = 0;
  let without_arguments = 0;
  for (const { operation_id } of recent.slice(0, most)) {
    const call = await callOf(ports, operation_id);
    if (call === undefined) {
      without_arguments += 1;
      continue;
    }
    if (!concerns(draft.scope, call.scope)) continue;
    looked_at += 1;
    const [{ verdict: before }, { verdict: after }] = [await judgeCall(ports, call), await judgeCall(ports, call, draft)];
    if (differs(before, after)) changed.push({ operation_id, tool: call.tool, before, after });
  }
  return { looked_at, without_arguments, changed };
}

async function callOf({ eventLog, vault }: SimulatePorts, operation_id: string): Promise<JudgedCall | undefined> {
  const [operation, canonical] = await Promise.all([loadOperation(eventLog, operation_id), vault.readArguments(operation_id)]);
  if (operation === undefined || canonical === undefined) return undefined;
  const { operation: shown, scope, requester } = operation.opening;
  return { tool: shown.tool, arguments: parseJson(canonical), scope, requester };
}

function concerns(policy: ScopedPolicy['scope'], { org_id, workspace_id, agent_id }: Scope): boolean {
  return policy === `org:${org_id}` || policy === `workspace:${workspace_id}` || policy === `agent:${agent_id}`;
}

function differs(before: PolicyVerdict, after: PolicyVerdict): boolean {
  const compared = ({ verdict, requirements, timeout_seconds, risk }: PolicyVerdict): string => JSON.stringify({ verdict, requirements, timeout_seconds, risk });
  return compared(before) !== compared(after);
}
