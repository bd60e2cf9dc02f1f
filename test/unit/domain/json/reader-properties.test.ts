import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { canonicalJson } from '../../../../lambdas/domain/json/canonical-json.ts';
import { JSON_REFUSALS } from '../../../../lambdas/domain/json/json-refusal.ts';
import { readJson } from '../../../../lambdas/domain/json/strict-reader.ts';
import { jsonObjects, jsonValues, PATIENCE_MS, picker, picks, RUNS, spelled, spelledString } from '../../../support/json-arbitraries.ts';

vi.setConfig({ testTimeout: PATIENCE_MS });

const utf8 = new TextEncoder();

describe('the reader', () => {
  it('reads a value from every spelling of it', () => {
    fc.assert(
      fc.property(fc.oneof(jsonValues, jsonObjects), picks, (value, stream) => {
        const reading = readJson(utf8.encode(spelled(value, picker(stream))));
        expect(reading.ok && isDeepStrictEqual(reading.value, value)).toBe(true);
      }),
      RUNS,
    );
  });

  it('never throws, on quotes and backslashes neither', () => {
    const words = fc.constantFrom('"', '\\', '\\\\', '\\"', 'u', '\\u00', '4', 'a', '{', ':', ',', '}', '[', ']', '\ud800', '\u0000');
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), (parts) => {
        const reading = readJson(utf8.encode(parts.join('')));
        expect(reading.ok || reading.refusal.reason in JSON_REFUSALS).toBe(true);
      }),
      RUNS,
    );
  });
});

describe('duplicate keys', () => {
  it('059: are found wherever they stand and however they are spelled', () => {
    fc.assert(
      fc.property(jsonObjects, picks, (object, stream) => {
        const pick = picker(stream);
        const members = Object.entries(object);
        fc.pre(members.length > 0);
        const [key = ''] = members[pick(members.length)] ?? [];
        const parts = members.map(([name, value]) => `${spelledString(name, pick)}:${spelled(value, pick)}`);
        parts.splice(pick(parts.length + 1), 0, `${spelledString(key, pick)}:0`);
        const text = `${'[{"x":'.repeat(pick(5))}{${parts.join(',')}`;
        expect(readJson(utf8.encode(text))).toMatchObject({ ok: false, refusal: { reason: 'duplicate_key' } });
      }),
      RUNS,
    );
  });
});

describe('a hostile megabyte', () => {
  const MEGABYTE = 1_048_576;
  const fill = (unit: string): string => unit.repeat(Math.floor(MEGABYTE / utf8.encode(unit).length));
  const kept = '{"k":0}';

  it.each([
    ['opening brackets', fill('[')],
    ['opening objects', fill('{"a":')],
    ['flat brackets', `[${fill('[],').slice(0, -3)}]`],
    ['quotes', fill('"')],
    ['escaped quotes', `"${fill('\\"').slice(0, -2)}"`],
    ['escaped quotes without an end', `"${fill('\\"').slice(0, -2)}`],
    ['backslashes', `"${fill('\\\\').slice(0, -2)}"`],
    ['an odd number of backslashes', `"${fill('\\').slice(0, -3)}"`],
    ['short strings of backslashes', `[${fill('"\\\\\\\\",').slice(0, -10)}1]`],
    ['strings that end in an escape', fill('"a\\",')],
    ['digits', fill('9')],
    ['fraction digits', `0.${fill('3').slice(0, -2)}`],
    ['exponent digits', `1e${fill('0').slice(0, -2)}`],
    ['minus signs', fill('-')],
    ['white space', fill(' ')],
    ['commas', `[${fill(',').slice(0, -1)}`],
    ['half escapes', `"${fill('\\ud800').slice(0, -7)}"`],
    ['numbers', `[${fill('1,').slice(0, -3)}1]`],
    ['keys that share a long beginning', `{${Array.from({ length: 4000 }, (_, at) => `"${'k'.repeat(240)}${String(at)}":0`).join(',')}}`],
    ['keys that look like indexes', `{${Array.from({ length: 50_000 }, (_, at) => `"${String(at * 53_687)}":0`).join(',')}}`],
    ['the same object again and again', `[${fill(`${kept},`).slice(0, -kept.length - 2)}${kept}]`],
    ['control characters', `"${fill('\u0001').slice(0, -2)}"`],
    ['two-byte text', `"${fill('é').slice(0, -1)}"`],
  ])('of %s is answered within five seconds', (_, text) => {
    const bytes = utf8.encode(text);
    expect(bytes.length).toBeLessThanOrEqual(MEGABYTE);
    const start = performance.now();
    const reading = readJson(bytes);
    if (reading.ok) expect(canonicalJson(reading.value)).toBeTypeOf('string');
    expect(performance.now() - start).toBeLessThan(5000);
  });
});
