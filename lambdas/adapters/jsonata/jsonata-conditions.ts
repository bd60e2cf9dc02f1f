// The `when` of policy rules: JSONata, bounded in time, depth and size, without anything that answers differently
// from one look to the next. Whatever goes wrong is `unclear`, which can only tighten.
import jsonata from 'jsonata';
import type { Condition } from '../../domain/policy/evaluate-policy.ts';
import type { ConditionLanguage } from '../../ports/conditions.ts';
import { LinearRegExp } from './linear-regexp.ts';

const BOUNDS = { timeout: 100, stack: 200, sequence: 10_000, RegexEngine: LinearRegExp as unknown as RegExpConstructor };
/** They would make one call judged differently at each look, or run text that came as an argument. */
const FORBIDDEN: readonly string[] = ['eval', 'now', 'millis', 'random', 'shuffle'];
const COMPILED_AT_MOST = 4000;

export function jsonataConditions(): ConditionLanguage {
  const compiled = new Map<string, jsonata.Expression>();
  const compile = (expression: string): jsonata.Expression => {
    const known = compiled.get(expression);
    if (known !== undefined) return known;
    if (compiled.size >= COMPILED_AT_MOST) compiled.clear();
    const fresh = jsonata(expression, BOUNDS);
    compiled.set(expression, fresh);
    return fresh;
  };
  const holds: Condition = async (expression, call, definition) => {
    try {
      const tool = { name: call.tool, registered: definition !== undefined, ...(definition === undefined ? {} : { version: definition.version, consequence: definition.consequence, risk: definition.risk.level }) };
      const answer: unknown = await compile(expression).evaluate({ arguments: call.arguments, scope: call.scope, tool, requester: call.requester }, FORBIDDING);
      return answer === true ? 'yes' : answer === false ? 'no' : 'unclear';
    } catch {
      return 'unclear';
    }
  };
  return { holds, faultOf };
}

/** Why an expression cannot be a condition; undefined when it can. */
function faultOf(expression: string): string | undefined {
  try {
    const ast = jsonata(expression, BOUNDS).ast();
    const used = FORBIDDEN.find((name) => uses(ast, name));
    if (used !== undefined) return `$${used} is not available in conditions`;
    for (const regex of regexesOf(ast)) new LinearRegExp(regex);
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error || hasMessage(thrown) ? thrown.message : 'it cannot be read';
  }
}

const FORBIDDING = Object.fromEntries(
  FORBIDDEN.map((name) => [
    name,
    () => {
      throw new Error(`$${name} is not available`);
    },
  ]),
);

function uses(node: unknown, name: string): boolean {
  return nodesOf(node).some((each) => each['type'] === 'variable' && each['value'] === name);
}

function regexesOf(node: unknown): RegExp[] {
  return nodesOf(node).flatMap((each) => (each['value'] instanceof RegExp ? [each['value']] : []));
}

function nodesOf(root: unknown): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  const open: unknown[] = [root];
  for (let node = open.pop(); open.length > 0 || node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null || node instanceof RegExp) continue;
    if (!Array.isArray(node)) found.push(node as Record<string, unknown>);
    open.push(...(Object.values(node) as unknown[]));
  }
  return found;
}

function hasMessage(thrown: unknown): thrown is { readonly message: string } {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown && typeof thrown.message === 'string';
}
