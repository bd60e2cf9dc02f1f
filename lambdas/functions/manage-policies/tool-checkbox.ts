// "Requires approval" as a checkbox of one agent's tool: a way to write one rule of the agent's policy, and to read it
// back from the rules. It stores nothing of its own, so the two cannot drift apart.
import type { Caller } from '../../domain/caller.ts';
import { sha256Hex } from '../../domain/json/digest.ts';
import type { JsonObject, JsonValue } from '../../domain/json/json-value.ts';
import { isListedForApproval, type ScopedPolicy } from '../../domain/policy/evaluate-policy.ts';
import type { PolicyScope } from '../../domain/policy/policy-document.ts';
import { targetMatches } from '../../domain/policy/target.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import { writePolicy, type ManagePorts } from './manage-policies.ts';

export interface CheckboxState {
  readonly agent: string;
  readonly tool: string;
  readonly requires_approval: boolean;
  /** A wider scope asks or denies, or another rule of the agent's own: the box cannot be unticked here. */
  readonly locked_by?: string;
}

export async function readCheckbox(ports: ManagePorts, agent: PolicyScope, tool: string): Promise<CheckboxState> {
  const wider = await ports.policies.current(await ports.workspaces.widerScopes(agent));
  const own = await ownAsks(ports, agent, tool);
  const locking = [...wider.flatMap((policy) => asksOf(policy, tool)), ...own.filter((rule) => rule !== `${agent}/${ruleId(tool)}`)][0];
  return { agent, tool, requires_approval: own.length > 0 || locking !== undefined, ...(locking === undefined ? {} : { locked_by: locking }) };
}

function ownAsks(ports: ManagePorts, agent: PolicyScope, tool: string): Promise<readonly string[]> {
  return ports.policies.current([agent]).then((policies) => policies.flatMap((policy) => asksOf(policy, tool)));
}

/** What of one document asks for every call of the tool, or denies it. */
function asksOf({ scope, document }: ScopedPolicy, tool: string): readonly string[] {
  const rules = document.rules.filter((rule) => rule.effect !== 'allow' && rule.when === undefined && targetMatches(rule.target, tool));
  return [...rules.map(({ id }) => `${scope}/${id}`), ...(isListedForApproval(document, tool) ? [`${scope}/mcp_servers`] : [])];
}

interface Tick {
  readonly agent: PolicyScope;
  readonly tool: string;
  readonly requires_approval: boolean;
}

export type Ticked = { readonly ok: true; readonly state: CheckboxState } | { readonly ok: false; readonly refusal: Refusal };

export async function tickCheckbox(ports: ManagePorts, caller: Caller, { agent, tool, requires_approval }: Tick, request_id: string): Promise<Ticked> {
  if (!caller.administrator) return { ok: false, refusal: refusal('not_an_administrator', 'Only administrators change policy.') };
  const before = await readCheckbox(ports, agent, tool);
  // A wider rule may hold in one of the agent's workspaces only: what is ticked is written all the same.
  const asIs = requires_approval ? (await ownAsks(ports, agent, tool)).length > 0 : !before.requires_approval;
  if (asIs) return { ok: true, state: before };
  if (!requires_approval && before.locked_by !== undefined) return { ok: false, refusal: refusal('policy_loosens', `${before.locked_by} holds for this tool; it cannot be lifted here.`, { wider_rule: before.locked_by }) };
  const newest = await ports.policies.newest(agent);
  const document = newest?.data.document ?? {};
  const rules = (Array.isArray(document['rules']) ? (document['rules'] as readonly JsonObject[]) : []).filter((rule) => rule['id'] !== ruleId(tool));
  const approvers = requires_approval ? await approversFor(ports, agent) : undefined;
  if (requires_approval && approvers === undefined) return { ok: false, refusal: refusal('policy_invalid', 'No scope of this agent names default_approvers, so nobody could be asked.', { field: 'default_approvers' }) };
  const ask: JsonValue = { id: ruleId(tool), target: `tool:${tool}`, effect: 'ask', ...approvers };
  const changed = { ...document, rules: requires_approval ? [...rules, ask] : rules } as JsonObject;
  const written = await writePolicy(ports, caller, { scope: agent, document: changed, revision: newest?.data.revision ?? 0 }, request_id);
  return written.ok ? { ok: true, state: await readCheckbox(ports, agent, tool) } : { ok: false, refusal: written.refusal };
}

/** The narrowest scope's default approvers: a tick says that somebody must agree, not who. */
async function approversFor(ports: ManagePorts, agent: PolicyScope): Promise<{ readonly approvers: readonly string[]; readonly quorum: number } | undefined> {
  const around = await ports.policies.current([...(await ports.workspaces.widerScopes(agent)), agent]);
  const named = around.flatMap(({ document }) => document.default_approvers ?? []).at(-1);
  return named === undefined ? undefined : { approvers: named.approvers, quorum: named.quorum };
}

/** One id a tool: where the name itself is no id, its digest keeps it apart from others that look alike. */
function ruleId(tool: string): string {
  return /^[A-Za-z0-9._-]{1,100}$/.test(tool) ? `checkbox.${tool}` : `checkbox.${tool.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 80)}.${sha256Hex(tool).slice(0, 12)}`;
}
