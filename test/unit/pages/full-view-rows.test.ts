import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fullPages } from '../../../lambdas/domain/display/full-pages.ts';
import type { FullRow } from '../../../lambdas/domain/display/full-row.ts';
import { fullView } from '../../../lambdas/domain/display/full-view.ts';
import { displayBounds, projectDisplay, type DisplayRules } from '../../../lambdas/domain/display/project-display.ts';
import type { JsonValue } from '../../../lambdas/domain/json/json-value.ts';

const SECRET = 'Zq7xK9w4Tm2vB8nR';
const NAMES = ['name', 'value', 'key', 'password', 'api_key', 'token', 'max_tokens', 'env', 'command', 'data', 'Authorization', 'note', '__proto__', 'a/b', ''];
const WORDS = ['deploy', '--token', '-u', 'ana:geheim12', 'Secret', 'DB_PASSWORD', 'Bearer abcdef123456', 'curl', 'x'.repeat(20), 'two words', 'line\nline', 'zero\u200bwidth', '⟨hidden⟩', ''];

const arguments_: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, false, 0, 42, 4821, -0.5, ...WORDS),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).value;

/** The leaves of a projection in order, as the rows tell them. */
function leavesOf(display: JsonValue): readonly string[] {
  if (display !== null && typeof display === 'object') return Object.values(display).flatMap(leavesOf);
  return [display === null ? 'null' : String(display)];
}

function leafOf(row: FullRow): readonly string[] {
  if (row.kind === 'list' || row.kind === 'object' || row.kind === 'name') return [];
  return [row.kind === 'hidden' ? '⟨hidden⟩' : row.kind === 'null' ? 'null' : row.text];
}

describe('the rows of the full view', () => {
  test('say of what fits the display exactly what the display says: nothing more is hidden, and nothing less', () => {
    fc.assert(
      fc.property(arguments_, fc.constantFrom<DisplayRules>({}, { always_hidden: ['/env', '/data/*'] }, { allow_only: ['/name', '/command/0'] }), (value, rules) => {
        const { display, redaction } = projectDisplay(value, rules);
        fc.pre(!redaction.truncated);
        const { rows, hidden_values } = fullView(value, rules);
        expect(rows.flatMap(leafOf)).toEqual(leavesOf(display));
        // Both count; where one value is hidden for two reasons they may count it differently.
        expect(hidden_values > 0).toBe(redaction.hidden_values > 0);
      }),
      { numRuns: Number(process.env['FAST_CHECK_RUNS'] ?? 3000) },
    );
  });

  test.each<[string, JsonValue]>([
    ['under its name', { password: SECRET }],
    ['deep under a name', { a: [{ b: { client_secret: { c: [SECRET] } } }] }],
    ['after its flag', { argv: ['deploy', '--api-key', SECRET] }],
    ['beside its name', [{ name: 'DB_PASSWORD', value: SECRET }]],
    ['beside its name, among very many members', [Object.fromEntries([['name', 'DB_PASSWORD'], ...Array.from({ length: 300 }, (_, index) => [`m${index}`, index]), ['value', SECRET]])]],
    ['in a pair', [['password', SECRET]]],
    ['in a Kubernetes Secret', { kind: 'Secret', data: { anything: SECRET } }],
    ['in a header', { headers: { Authorization: `Bearer ${SECRET}` } }],
    ['in a URL', { url: `https://ana:${SECRET}@example.org/` }],
    ['in JSON in a string', { body: JSON.stringify({ token: SECRET }) }],
    ['in the middle of a long text', { log: `${'words and words '.repeat(6000)} password=${SECRET} ${'words and words '.repeat(6000)}` }],
    ['at every page end', { log: `password=${SECRET} `.repeat(4000) }],
    ['in a name', { [`token=${SECRET}`]: 1 }],
    ['in a long name', { [`${'n'.repeat(400)} token=${SECRET}`]: 1 }],
  ])('never hold a secret %s', (_where, value) => {
    const { rows, hidden_values } = fullView(value);
    expect(JSON.stringify(rows)).not.toContain(SECRET.slice(0, 4));
    expect(JSON.stringify(fullPages(rows, 4096))).not.toMatch(new RegExp(Array.from({ length: SECRET.length - 3 }, (_, at) => SECRET.slice(at, at + 4)).join('|')));
    expect(hidden_values).toBeGreaterThan(0);
  });

  test('cut nothing that the display cuts', () => {
    const value = { text: 'x '.repeat(5000), many: Array.from({ length: 500 }, (_, index) => index), deep: { a: { b: { c: { d: { e: { f: { g: 'down here' } } } } } } } };
    expect(projectDisplay(value).redaction.truncated).toBe(true);
    const { rows } = fullView(value);
    expect(rows.find(({ name }) => name === 'text')).toMatchObject({ kind: 'text', text: value.text });
    expect(rows.filter(({ kind }) => kind === 'number')).toHaveLength(500);
    expect(rows).toContainEqual({ level: 8, name: 'g', kind: 'text', text: 'down here' });
  });

  test('tell kinds apart, so that no text passes for a mark or a number', () => {
    expect(fullView({ a: '⟨hidden⟩', b: 10, c: '10', d: null, e: 'null', f: [], g: {}, h: true }).rows.slice(1)).toEqual([
      { level: 1, name: 'a', kind: 'text', text: '⟨hidden⟩' },
      { level: 1, name: 'b', kind: 'number', text: '10' },
      { level: 1, name: 'c', kind: 'text', text: '10' },
      { level: 1, name: 'd', kind: 'null' },
      { level: 1, name: 'e', kind: 'text', text: 'null' },
      { level: 1, name: 'f', kind: 'list', size: 0 },
      { level: 1, name: 'g', kind: 'object', size: 0 },
      { level: 1, name: 'h', kind: 'boolean', text: 'true' },
    ]);
  });

  test('spell deceiving characters out, in names too', () => {
    expect(JSON.stringify(fullView({ 'na\u202eme': 'a\u202egnp.exe \u{e0041}' }).rows)).toMatch(/na\\\\u\{202e\}me.*a\\\\u\{202e\}gnp\.exe \\\\u\{e0041\}/);
  });
});

describe('the pages of the full view', () => {
  const PAGE = 2048;
  const bytesOf = (rows: readonly FullRow[]): number => rows.reduce((sum, row) => sum + 48 + Buffer.byteLength(row.name ?? '') + ('text' in row ? Buffer.byteLength(row.text) : 0), 0);
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const piece = fc.constantFrom('word ', 'é', 'e\u0301', '👩🏽', '🇩🇪', '각', 'ᄀ', 'ᄀ', 'क्ष', '\n', '\u200d', '\u202e', '⟨120 bytes cut⟩', '漢', 'x'.repeat(60), '     ');
  const text = fc.array(piece, { minLength: 0, maxLength: 900 }).map((pieces) => pieces.join(''));

  test('hold at most their bytes, lose nothing, repeat nothing, and part no grapheme, escape or mark', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
        const { rows } = fullView(texts);
        const pages = fullPages(rows, PAGE);
        for (const page of pages) expect(bytesOf(page.rows)).toBeLessThanOrEqual(PAGE);
        const parts = pages.flatMap((page) => page.rows).filter((row) => row.kind === 'text');
        for (const [index, whole] of rows.filter((row) => row.kind === 'text').entries()) {
          const mine = parts.filter(({ item }) => item === index + 1);
          expect(mine.map((part) => part.text).join('')).toBe(whole.text);
          const ends = new Set([...graphemes.segment(whole.text)].map((segment) => segment.index));
          let at = 0;
          for (const part of mine.slice(0, -1)) {
            at += part.text.length;
            expect(ends.has(at), `a grapheme is parted at ${at}`).toBe(true);
            expect(whole.text.slice(0, at)).not.toMatch(/\\u\{[0-9a-f]*$|⟨[^⟩]*$/);
          }
          expect(mine.map(({ continued }) => continued === true)).toEqual(mine.map((_, part) => part > 0));
          expect(mine.map(({ goes_on }) => goes_on === true)).toEqual(mine.map((_, part) => part < mine.length - 1));
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('part a text at a line end where one is near', () => {
    const [first] = fullPages(fullView({ file: 'a line of the file\n'.repeat(400) }).rows, PAGE);
    expect(first?.rows.at(-1)).toMatchObject({ text: expect.stringMatching(/file\n$/) });
  });

  test('stay bounded for one grapheme of any length', () => {
    const pages = fullPages(fullView('ᄀ'.repeat(3000)).rows, PAGE);
    expect(pages.length).toBeGreaterThan(4);
    for (const page of pages) expect(bytesOf(page.rows)).toBeLessThanOrEqual(PAGE);
    expect(pages.flatMap(({ rows }) => rows).map((row) => ('text' in row ? row.text : '')).join('')).toBe('ᄀ'.repeat(3000));
  });

  test('say where they begin', () => {
    const pages = fullPages(fullView({ env: { ['long '.repeat(100)]: [['x '.repeat(3000)]] } }).rows, PAGE);
    expect(pages[0]?.within).toEqual([]);
    const [env, long, first] = pages[2]?.within ?? [];
    expect(env).toBe('env');
    expect(long).toMatch(/^long .*bytes cut/);
    expect(first).toBe('1');
  });

  test('are one where there is nothing', () => {
    expect(fullPages(fullView({}).rows, displayBounds.bytes)).toEqual([{ within: [], rows: [{ level: 0, kind: 'object', size: 0 }] }]);
  });

  test('come quickly for the widest and longest arguments that are taken', { timeout: 20_000 }, () => {
    const start = performance.now();
    const wide = fullPages(fullView(JSON.parse(`[${'1,'.repeat(159_999)}1]`) as JsonValue).rows, 32 * 1024);
    const long = fullPages(fullView({ text: 'The quick brown fox. '.repeat(15_000) }).rows, 32 * 1024);
    expect([wide.length, long.length].every((pages) => pages > 9)).toBe(true);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
