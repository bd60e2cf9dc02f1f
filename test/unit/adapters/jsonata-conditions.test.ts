// The language of conditions: it answers yes or no, or it is unclear; it answers the same at each look, and in time.
import { describe, expect, test } from 'vitest';
import { jsonataConditions } from '../../../lambdas/adapters/jsonata/jsonata-conditions.ts';
import type { JsonValue } from '../../../lambdas/domain/json/json-value.ts';
import { CALL, toolOf } from '../../support/policy-samples.ts';

const { holds, faultOf } = jsonataConditions();
const ask = (expression: string, value: JsonValue = {}) => holds(expression, { ...CALL, arguments: value }, toolOf('refund_payment', { consequence: 'irreversible', risk: { level: 'high' } }));

describe('a condition', () => {
  test.each<[string, JsonValue, 'yes' | 'no']>([
    ['arguments.amount <= 100', { amount: 100 }, 'yes'],
    ['arguments.amount <= 100', { amount: 100.5 }, 'no'],
    ['arguments.lines[0].sum > 1', { lines: [{ sum: 2 }] }, 'yes'],
    ['"x" in arguments.tags', { tags: ['y', 'x'] }, 'yes'],
    ['scope.org_id = "acme" and scope.workspace_id = "w1" and scope.agent_id = "billing-bot"', {}, 'yes'],
    ['scope.run_id = "r1"', {}, 'no'],
    ['requester.subject = "agent:billing-bot" and requester.owner = "user:olga"', {}, 'yes'],
    ['$exists(requester.on_behalf_of)', {}, 'no'],
    ['tool.name = "refund_payment" and tool.version = "1" and tool.consequence = "irreversible" and tool.risk = "high" and tool.registered', {}, 'yes'],
    ['$contains(arguments.text, /drop/i)', { text: 'DROP TABLE' }, 'yes'],
    ['$contains(arguments.text, /^b$/m)', { text: 'a\nb\nc' }, 'yes'],
    ['$contains(arguments.text, /b$/)', { text: 'b\n' }, 'no'],
    ['$replace(arguments.text, /^a/, "b") = "baa"', { text: 'aaa' }, 'yes'],
    ['arguments', true, 'yes'],
    ['arguments', false, 'no'],
  ])('%s of %j is %s', async (expression, value, answer) => {
    expect(faultOf(expression)).toBeUndefined();
    expect(await ask(expression, value)).toBe(answer);
  });

  test('sees that a tool is not registered', async () => {
    expect(await holds('tool.registered = false and tool.name = "x" and $not($exists(tool.risk))', { ...CALL, tool: 'x' }, undefined)).toBe('yes');
  });

  test('cannot change what it looks at', async () => {
    const value = { amount: 5, items: [1, 2] };
    await ask('$count(arguments ~> |$|{"amount": 9, "items": []}|) > 0', value);
    await ask('(arguments.items[0] := 7; true)', value).catch(() => undefined);
    expect(value).toEqual({ amount: 5, items: [1, 2] });
  });

  test('takes an own field of an evil name for nothing else', async () => {
    expect(await ask('arguments.amount <= 100', JSON.parse('{"__proto__":{"amount":5}}') as JsonValue)).toBe('unclear');
    for (const inherited of ['constructor', 'toString', 'hasOwnProperty', '__proto__']) expect(await ask(`$exists(arguments.${inherited})`), inherited).toBe('no');
  });
});

describe('is unclear, and so can only tighten,', () => {
  test.each<[string, string, JsonValue]>([
    ['a field that is missing', 'arguments.amount <= 100', {}],
    ['a comparison with text', 'arguments.amount <= 100', { amount: '50' }],
    ['a comparison with a list', 'arguments.amount <= 100', { amount: [50, 50000] }],
    ['a negated nothing', '$not($contains(arguments.to, /x/))', {}],
    ['an answer in words', '"yes"', {}],
    ['a number', '1', {}],
    ['a list of answers', '[true, false]', {}],
    ['no answer', 'nothing.here', {}],
    ['a function that does not exist', '$nosuch(1)', {}],
    ['a thrown error', '$error("no")', {}],
    ['text that is no expression', '(((', {}],
    ['a call that never ends', '($f := function($n) { $f($n + 1) }; $f(0))', {}],
    ['a call that nests for ever', '($f := function($n) { 1 + $f($n + 1) }; $f(0))', {}],
    ['a list that is too long', '$count([1..10000000]) > 1', {}],
    ['a back-reference', '$contains("aa", /(a)\\1/)', {}],
    ['a look-ahead', '$contains("aa", /(?=a)a/)', {}],
    ...['eval("1=1")', 'now() > ""', 'millis() > 0', 'random() < 2', 'shuffle([true])'].map((call): [string, string, JsonValue] => [`$${call}`, `$${call}`, {}]),
    ['a forbidden function under another name', '($e := $eval; $e("1=1"))', {}],
    ['a forbidden function that is handed on', '$map(["1=1"], $eval)', {}],
  ])('%s', async (_, expression, value) => {
    const started = performance.now();
    expect(await ask(expression, value)).toBe('unclear');
    expect(performance.now() - started).toBeLessThan(1500);
  });
});

describe('an administrator is told why', () => {
  test.each<[string, RegExp]>([
    ['(((', /Expected/],
    ['arguments.', /./],
    ['$contains("aa", /(a)\\1/)', /invalid escape/],
    ['$contains("aa", /(?=a)a/)', /Perl syntax/],
    ['$contains("aa", /(?<!b)a/)', /./],
    ['$eval(arguments.text)', /\$eval is not available/],
    ['$now() > "2026"', /\$now is not available/],
    ['$millis() > 0', /\$millis/],
    ['$map([1], function($x) { $random() })[0] < 1', /\$random/],
    ['($s := $shuffle; true)', /\$shuffle/],
    ['{"a": [1, {"b": $now()}]}.a = 1', /\$now/],
    ['true ? $now() : false', /\$now/],
  ])('%s is no condition', (expression, why) => {
    expect(faultOf(expression)).toMatch(why);
  });
});

describe('what an agent sends cannot hold up the gate', () => {
  const LONG = `${'a'.repeat(100_000)}!`;
  test.each(['(a+)+$', '^(a|a)*$', '(a|aa)+$', '(.*)(.*)(.*)(.*)=x', '(x+x+)+y', 'a{1,50}a{1,50}b'])('/%s/ on 100 KB', async (regex) => {
    const started = performance.now();
    expect(await ask(`$contains(arguments.text, /${regex}/)`, { text: LONG })).not.toBe('yes');
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
