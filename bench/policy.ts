// How long it takes to judge one call under a thousand rules in three scopes, once they are loaded and their conditions
// compiled. Figures are medians: what a caller waits for, not what the machine could do.
import { jsonataConditions } from '../lambdas/adapters/jsonata/jsonata-conditions.ts';
import type { JsonObject } from '../lambdas/domain/json/json-value.ts';
import { evaluatePolicy, type JudgedCall, type PolicyFacts } from '../lambdas/domain/policy/evaluate-policy.ts';
import { parsePolicy, type PolicyScope } from '../lambdas/domain/policy/policy-document.ts';
import { toolSchema, workspaceSchema } from '../lambdas/domain/registry.ts';
import type { Table } from './table.ts';

const SCOPES: readonly PolicyScope[] = ['org:acme', 'workspace:w1', 'agent:bot'];
const RULES = 1000;
const ROUNDS = 200;

const CALL: JudgedCall = {
  tool: 'refund_payment',
  arguments: { customer_id: 'c-42', amount: 120, currency: 'EUR', note: 'the customer asked for it by telephone', lines: Array.from({ length: 20 }, (_, line) => ({ line, sum: 6 })) },
  scope: { org_id: 'acme', workspace_id: 'w1', agent_id: 'bot' },
  requester: { subject: 'agent:bot', owner: 'user:olga' },
};
const CONDITIONS = ['arguments.amount <= 100', '$sum(arguments.lines.sum) > 100', '$contains(arguments.note, /\\b(urgent|asap|now)\\b/i)', 'scope.workspace_id = "w1" and arguments.currency in ["EUR", "USD"]'];

type RuleOf = (index: number) => JsonObject;
const ask = (id: number, target: string, more: JsonObject = {}): JsonObject => ({ id: `r${String(id)}`, target, effect: 'ask', approvers: [`user:u${String(id % 50)}`], timeout_seconds: 3600 + id, ...more });

/** As an organisation might have them: many tools, few rules of each, one in four with a condition. */
const many: RuleOf = (index) => ask(index, index % 100 === 0 ? 'tool:refund_*' : `tool:${index % 3 === 0 ? `*_${String(index)}` : `tool_${String(index)}`}`, index % 4 === 0 ? { when: CONDITIONS[(index / 4) % CONDITIONS.length] ?? '' } : {});
/** Every rule speaks of the tool: what a call could cost at worst without conditions. */
const meeting: RuleOf = (index) => ask(index, 'tool:refund_*');
/** Fifty conditions of the tool to be judged, each another expression, among rules of others. */
const judging: RuleOf = (index) => ask(index, index % 20 === 0 ? 'tool:refund_payment' : `tool:tool_${String(index)}`, { when: `${CONDITIONS[Math.floor(index / 20) % CONDITIONS.length] ?? ''} or arguments.amount = ${String(index)}` });

export async function benchPolicy(): Promise<Table> {
  const rows: (readonly [string, number, number])[] = [];
  for (const [name, ruleOf] of [['rules of many tools', many], ['50 conditions to judge', judging], ['all meet the tool', meeting]] as const) rows.push([name, ...(await timesOf(factsOf(ruleOf)))]);
  const median = (name: string): number => rows.find(([each]) => each === name)?.[1] ?? NaN;
  return {
    title: `Judging one call under ${String(RULES)} rules in three scopes, after load`,
    columns: ['median ms', '95 % ms'],
    rows,
    aims: [
      { text: 'ms at the median, rules of many tools', reached: median('rules of many tools'), bound: 5, is: 'most' },
      { text: 'ms at the median, 50 conditions to judge', reached: median('50 conditions to judge'), bound: 5, is: 'most' },
    ],
  };
}

function factsOf(ruleOf: RuleOf): PolicyFacts {
  const rules = Array.from({ length: RULES }, (_, index) => ruleOf(index));
  const share = Math.ceil(RULES / SCOPES.length);
  const policies = SCOPES.map((scope, at) => ({ scope, revision: 1, document: parsePolicy(scope, { rules: rules.slice(at * share, (at + 1) * share) }) }));
  const definition = toolSchema.parse({ name: CALL.tool, version: '1', consequence: 'irreversible' });
  return { policies, definition, workspace: workspaceSchema.parse({ id: 'w1', org_id: 'acme' }), holds: jsonataConditions().holds };
}

async function timesOf(facts: PolicyFacts): Promise<[number, number]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    await evaluatePolicy(CALL, facts);
    times.push(performance.now() - started);
  }
  const sorted = times.toSorted((one, other) => one - other);
  return [sorted[Math.floor(ROUNDS / 2)] ?? NaN, sorted[Math.floor(ROUNDS * 0.95)] ?? NaN];
}
