import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../lambdas/domain/json/json-value.ts';
import { projectDisplay } from '../../../../lambdas/domain/display/project-display.ts';
import { summarise, summariseWith } from '../../../../lambdas/domain/display/summary.ts';
import { visibleText } from '../../../../lambdas/domain/display/visible-text.ts';
import { secretOf, shapes } from '../../../support/planted-secrets.ts';

const runs = { numRuns: Number(process.env.FAST_CHECK_RUNS ?? 2000) };
/** Fifty thousand runs take minutes. */
const patience = 60_000 + 30 * runs.numRuns;
const scraps = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('⟨hidden⟩', '⟨12 bytes cut⟩', '⟨', '⟩', '"', "'", '\\"', '{"', '"}', '{"password":"', ':', '=', '&', '@', '://', 'https://', '--token ', '-p', 'curl -u ', 'Bearer ', 'password', 'password=', 'secret: ', '-----BEGIN X-----', '-----END X-----'),
  fc.constantFrom('\n', '\n\n\n\n', ' '.repeat(20), 'eyJabcdefgh.', 'ghp_aaaaaaaaaaaaaa', 'Cookie: ', 'é', '//r\u0430ypal.com', '\\u{200b}', '[', '{', '}', ',', 'kind: Secret\ndata:\n  a: b\n', '$(x)', '`', '$FOO', '<password>', '</password>', '🇩🇪', 'e\u0301'),
  fc.constantFrom(...shapes.map((shape) => shape.write(secretOf(9)))),
  fc.nat(500).map((length) => 'ab c'.repeat(length / 2)),
  fc.nat(300).map((length) => 'x'.repeat(length)),
);
const text = fc.array(scraps, { maxLength: 8 }).map((parts) => parts.join(''));
const name = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toJSON', 'password', 'name', 'value', 'kind', 'data', 'a', 'b', 'Authorization', '0', '7'));
/** What stands many times in one container: small, or no counterexample could be printed. */
const wide: fc.Arbitrary<JsonValue> = fc.oneof(text, fc.dictionary(name, text, { maxKeys: 3 }), fc.array(text, { maxLength: 3 }));
const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 8, depthSize: 'small' },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.constant(null),
    fc.boolean(),
    fc.constantFrom('Secret', 'DB_PASSWORD', '--token'),
    fc.array(tie('json'), { maxLength: 8 }),
    fc.array(fc.tuple(name, tie('json')), { maxLength: 8 }).map((entries) => Object.fromEntries(entries)),
    fc.tuple(wide, fc.nat(40)).map(([value, count]) => Array.from({ length: count }, () => value)),
    fc.tuple(wide, fc.nat(40)).map(([value, count]) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]))),
  ),
}));
const pointer = fc.array(fc.constantFrom('a', 'b', '0', '*', 'name', '__proto__', 'password'), { maxLength: 3 }).map((keys) => keys.map((key) => `/${key}`).join(''));
const rules = fc.record({ critical: fc.array(pointer, { maxLength: 3 }), always_hidden: fc.array(pointer, { maxLength: 2 }), allow_only: fc.array(pointer, { maxLength: 3 }) }, { requiredKeys: [] });

/** A host longer than any can be is cut like other text, and its mark with it. */
const withoutHosts = (line: string): string => line.replaceAll(/⟨host [^⟨⟩]*⟩/g, '');
const bytes = (value: JsonValue): number => Buffer.byteLength(JSON.stringify(value));
const checkBounds = (value: JsonValue, level: number): void => {
  if (typeof value === 'string') {
    expect(bytes(value) - 2).toBeLessThanOrEqual(256);
    expect(withoutHosts(visibleText(value, { keep_newlines: true }))).toBe(withoutHosts(value));
  } else if (value !== null && typeof value === 'object') {
    expect(level).toBeLessThanOrEqual(6);
    expect(Object.keys(value).length).toBeLessThanOrEqual(32);
    for (const [key, inner] of Object.entries(value)) {
      checkBounds(key, level);
      checkBounds(inner, level + 1);
    }
  }
};

describe('every projection', () => {
  it('keeps its bounds in UTF-8 bytes after escaping, and all of it is visible', () => {
    fc.assert(fc.property(json, (value) => {
      const { display } = projectDisplay(value);
      expect(bytes(display)).toBeLessThanOrEqual(4096);
      checkBounds(display, 1);
    }), runs);
  }, patience);

  it('is unchanged by projecting it again, and changes nothing of its input', () => {
    fc.assert(fc.property(json, (value) => {
      const before = JSON.stringify(value);
      const once = JSON.stringify(projectDisplay(value).display);
      expect(JSON.stringify(projectDisplay(JSON.parse(once) as JsonValue).display)).toBe(once);
      expect(JSON.stringify(value)).toBe(before);
    }), runs);
  }, patience);

  it('is unchanged by projecting it again under the same rules', () => {
    fc.assert(fc.property(json, rules, (value, given) => {
      const once = projectDisplay(value, given);
      expect(bytes(once.display)).toBeLessThanOrEqual(4096);
      expect(JSON.stringify(projectDisplay(once.display, given).display)).toBe(JSON.stringify(once.display));
    }), { numRuns: Math.ceil(runs.numRuns / 4) });
  }, patience);

  it('says that it is truncated or redacted exactly if its counts say so', () => {
    fc.assert(fc.property(json, (value) => {
      const { display, redaction } = projectDisplay(value);
      expect(redaction.redacted).toBe(redaction.hidden_values > 0);
      if (redaction.hidden_members > 0 || redaction.cut_bytes > 0) expect(redaction.truncated).toBe(true);
      if (!redaction.redacted && !redaction.truncated) expect(bytes(display)).toBeGreaterThanOrEqual(bytes(value) > 4096 ? 4097 : 0);
    }), runs);
  }, patience);

  it('gives summaries of one line and at most 200 bytes', () => {
    fc.assert(fc.property(json, text, (value, template) => {
      for (const line of [summarise('tool', projectDisplay(value).display), summariseWith(template, value), summariseWith(`{a} {/b/0} ${template}`, value)]) {
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(200);
        expect(line).not.toContain('\n');
        expect(withoutHosts(visibleText(line))).toBe(withoutHosts(line));
      }
    }), runs);
  }, patience);
});
