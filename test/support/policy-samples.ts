// Calls, documents and facts for policy tests: what is written by hand, read by the product's own parser.
import { jsonataConditions } from '../../lambdas/adapters/jsonata/jsonata-conditions.ts';
import type { JsonObject } from '../../lambdas/domain/json/json-value.ts';
import { evaluatePolicy, type Evaluation, type JudgedCall, type PolicyVerdict, type ScopedPolicy } from '../../lambdas/domain/policy/evaluate-policy.ts';
import { parsePolicy, type PolicyScope } from '../../lambdas/domain/policy/policy-document.ts';
import { toolSchema, workspaceSchema, type RegistryInput, type Tool, type Workspace } from '../../lambdas/domain/registry.ts';

export const CALL: JudgedCall = {
  tool: 'refund_payment',
  arguments: { amount: 50 },
  scope: { org_id: 'acme', workspace_id: 'w1', agent_id: 'billing-bot' },
  requester: { subject: 'agent:billing-bot', owner: 'user:olga' },
};

/** Documents by kind of scope, as they are written. */
export interface Written {
  readonly org?: JsonObject;
  readonly workspace?: JsonObject;
  readonly agent?: JsonObject;
}

export interface Judging extends Written {
  readonly call?: Partial<JudgedCall>;
  /** undefined: the tool is not registered. */
  readonly tool?: Partial<RegistryInput['tools'][number]> | undefined;
  readonly facts?: Partial<Workspace>;
}

const { holds } = jsonataConditions();

export function policiesOf({ org = {}, workspace = {}, agent = {} }: Written): readonly ScopedPolicy[] {
  const written: readonly (readonly [PolicyScope, JsonObject])[] = [['org:acme', org], ['workspace:w1', workspace], ['agent:billing-bot', agent]];
  return written.map(([scope, document], index) => ({ scope, revision: index + 1, document: parsePolicy(scope, document) }));
}

export function toolOf(name: string, change: Partial<RegistryInput['tools'][number]> = {}): Tool {
  return toolSchema.parse({ name, version: '1', consequence: 'change', risk: { level: 'low' }, ...change });
}

export function workspaceOf(facts: Partial<Workspace> = {}): Workspace {
  return workspaceSchema.parse({ id: 'w1', org_id: 'acme', ...facts });
}

export async function evaluated(judging: Judging): Promise<Evaluation> {
  const call: JudgedCall = { ...CALL, ...judging.call };
  const definition = 'tool' in judging && judging.tool === undefined ? undefined : toolOf(call.tool, judging.tool);
  return evaluatePolicy(call, { policies: policiesOf(judging), definition, workspace: workspaceOf(judging.facts), holds });
}

export async function judged(judging: Judging): Promise<PolicyVerdict> {
  return (await evaluated(judging)).verdict;
}
