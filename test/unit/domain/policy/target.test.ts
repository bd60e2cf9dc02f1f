import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { globMatches, isMcpName, targetMatches, targetsOverlap } from '../../../../lambdas/domain/policy/target.ts';

/** What a glob means, said the plain way: tries everything, and is far too slow for the product. */
function plainlyMatches(pattern: string, name: string): boolean {
  const [head, ...rest] = [...pattern];
  const tail = rest.join('');
  if (head === undefined) return name === '';
  if (head === '*') return plainlyMatches(tail, name) || (name !== '' && plainlyMatches(pattern, name.slice(1)));
  return name !== '' && (head === '?' || head === name[0]) && plainlyMatches(tail, name.slice(1));
}

const names = (most: number): readonly string[] => {
  const all = [''];
  for (const shorter of all) if (shorter.length < most) all.push(...['a', 'b'].map((letter) => shorter + letter));
  return all;
};
const NAMES = names(8);
const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 4 });

describe('a glob', () => {
  test('matches what its letters say, for every name over two letters', () => {
    fc.assert(
      fc.property(pattern, (glob) => {
        expect(NAMES.filter((name) => globMatches(glob, name))).toEqual(NAMES.filter((name) => plainlyMatches(glob, name)));
      }),
    );
  });

  test('takes everything but * and ? for itself', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => !/[*?]/.test(text)), (text) => globMatches(text, text) && !globMatches(text, `${text}x`)));
    for (const literal of ['a.c', 'a+', '[ab]', '(a)', 'a|b', '^a$', '\\a', '{a,b}']) expect(globMatches(literal, literal)).toBe(true);
    for (const [glob, other] of [['a.c', 'abc'], ['[ab]', 'a'], ['a|b', 'a'], ['{a,b}', 'a']] as const) expect(globMatches(glob, other), glob).toBe(false);
  });

  test('is judged in a moment, whatever it is and whatever it is held against', () => {
    const started = performance.now();
    expect(globMatches(`${'*a'.repeat(60)}b`, 'a'.repeat(100_000))).toBe(false);
    expect(targetsOverlap(`tool:${'*a'.repeat(60)}`, `tool:${'*b'.repeat(60)}`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe('two targets overlap', () => {
  test('exactly where some name is meant by both', () => {
    // Two globs of four signs have a common name of eight letters at most, or none.
    fc.assert(
      fc.property(pattern, pattern, (one, other) => {
        expect(targetsOverlap(`tool:${one}`, `tool:${other}`)).toBe(NAMES.some((name) => globMatches(one, name) && globMatches(other, name)));
      }),
      { numRuns: 400 },
    );
  });

  test('in either order alike', () => {
    fc.assert(fc.property(pattern, pattern, (one, other) => targetsOverlap(one, other) === targetsOverlap(other, one)));
  });
});

describe('a target', () => {
  test.each([
    ['*', 'refund_payment', true],
    ['*', 'crm/read_contact', true],
    ['*', '', true],
    ['tool:*', 'crm/read_contact', true],
    ['tool:refund_payment', 'refund_payment', true],
    ['tool:refund_*', 'refund_payment', true],
    ['tool:refund_?', 'refund_a', true],
    ['tool:refund_?', 'refund_', false],
    ['tool:refund_payment', 'Refund_Payment', false],
    ['tool:refund_payment', 'refund_payment ', false],
    ['tool:refund_payment', ' refund_payment', false],
    ['tool:refund_payment', 'tool:refund_payment', false],
    ['tool:refund_payment', 'crm/refund_payment', false],
    ['tool:mcp:x', 'mcp:x', true],
    ['mcp:crm/read_*', 'crm/read_contact', true],
    ['mcp:crm/*', 'crm/a/b', true],
    ['mcp:crm/read_*', 'read_contact', false],
    ['mcp:crm/read_*', 'CRM/read_contact', false],
    ['mcp:crm/read_*', 'crm2/read_contact', false],
    ['mcp:crm/read_*', 'mcp:crm/read_contact', false],
  ])('%s meets %j: %s', (target, name, meets) => {
    expect(targetMatches(target, name)).toBe(meets);
  });

  test('knows an MCP tool by its server and a slash, whatever its caller says it is', () => {
    expect(['crm/x', '/', 'run_command', ''].map(isMcpName)).toEqual([true, true, false, false]);
  });
});
