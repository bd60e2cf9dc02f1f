// What the policy page is given, made through the real domain: documents parsed as they are when written, answers
// evaluated as a call is.
import { evaluatePolicy, type JudgedCall, type ScopedPolicy } from '../../lambdas/domain/policy/evaluate-policy.ts';
import { parsePolicy, type PolicyScope } from '../../lambdas/domain/policy/policy-document.ts';
import { jsonataConditions } from '../../lambdas/adapters/jsonata/jsonata-conditions.ts';
import { toolSchema, workspaceSchema, type Tool, type Workspace } from '../../lambdas/domain/registry.ts';
import type { ExplainFields } from '../../lambdas/pages/explain-form.ts';
import { policiesPage, type PoliciesPage } from '../../lambdas/pages/policies-page.ts';
import type { PolicyAnswer } from '../../lambdas/pages/policy-answer.ts';

export const SCOPES: readonly PolicyScope[] = ['org:acme', 'workspace:w1', 'workspace:w2', 'agent:billing-bot'];
export const FIELDS: ExplainFields = { tool: '', arguments: '{}', workspace_id: 'w1', agent_id: 'billing-bot', on_behalf_of: '', owner: '' };
export const REFUNDING: Tool = toolSchema.parse({ name: 'refund_payment', version: '1', consequence: 'irreversible', risk: { level: 'medium', reasons: ['moves money'] } });

export function policy(scope: PolicyScope, document: unknown, revision = 1): ScopedPolicy {
  return { scope, revision, document: parsePolicy(scope, document) };
}

export function workspace(facts: Partial<Workspace> = {}): Workspace {
  return workspaceSchema.parse({ id: 'w1', org_id: 'acme', ...facts });
}

/** The page as text, for a scope whose documents these are. */
export function pageOf(policies: readonly ScopedPolicy[], more: Partial<PoliciesPage> = {}): string {
  return replyOf(policies, more).body ?? '';
}

export function replyOf(policies: readonly ScopedPolicy[], more: Partial<PoliciesPage> = {}): ReturnType<typeof policiesPage> {
  const scope = policies.at(-1)?.scope ?? 'workspace:w1';
  return policiesPage({ scopes: SCOPES, scope, policies, workspaces: [workspace()], subject: 'user:ana', form_token: 't', fields: FIELDS, ...more });
}

export interface Judged {
  readonly tool?: string;
  readonly definition?: Tool;
  readonly arguments?: JudgedCall['arguments'];
  /** Who could answer each requirement. */
  readonly approvers_now?: PolicyAnswer['approvers_now'];
  readonly would_be?: PolicyAnswer['would_be'];
  readonly workspace?: Workspace;
}

export async function answerOf(policies: readonly ScopedPolicy[], judged: Judged = {}): Promise<PolicyAnswer> {
  const { tool = 'refund_payment', approvers_now = [], would_be = 'pending' } = judged;
  const call: JudgedCall = { tool, arguments: judged.arguments ?? { amount: 500 }, scope: { org_id: 'acme', workspace_id: 'w1', agent_id: 'billing-bot' }, requester: { subject: 'agent:billing-bot' } };
  const facts = { policies, definition: tool === 'refund_payment' ? REFUNDING : judged.definition, workspace: judged.workspace ?? workspace(), holds: jsonataConditions().holds };
  const { verdict, trace } = await evaluatePolicy(call, facts);
  return { ...verdict, would_be, rules: trace, approvers_now };
}
