import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { canonicalJson } from '../../../../lambdas/domain/json/canonical-json.ts';
import { sha256Hex } from '../../../../lambdas/domain/json/digest.ts';
import type { JsonValue } from '../../../../lambdas/domain/json/json-value.ts';
import { readJson } from '../../../../lambdas/domain/json/strict-reader.ts';
import { jsonObjects, jsonValues, PATIENCE_MS, picker, picks, reordered, RUNS } from '../../../support/json-arbitraries.ts';
import { naiveCanonicalJson } from '../../../support/naive-canonical-json.ts';

vi.setConfig({ testTimeout: PATIENCE_MS });

const utf8 = new TextEncoder();
const anyValue = fc.oneof(jsonValues, jsonObjects);

describe('the canonical form', () => {
  it('is what a second, naive implementation writes', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(canonicalJson(value)).toBe(naiveCanonicalJson(value));
      }),
      RUNS,
    );
  });

  it('is what a second implementation writes for every double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(canonicalJson([number, { a: number }])).toBe(naiveCanonicalJson([number, { a: number }]));
      }),
      RUNS,
    );
  });

  it('is shared by equal values only', () => {
    fc.assert(
      fc.property(anyValue, anyValue, (one, other) => {
        expect(canonicalJson(one) === canonicalJson(other)).toBe(isDeepStrictEqual(one, other));
      }),
      RUNS,
    );
  });

  it('is not shared by values that differ in one place', () => {
    const atoms = fc.constantFrom<JsonValue>(0, 1, '', '0', '1', null, 'null', false, 'false', [], {}, [0], { '': 0 }, '[]', '{}', '\u0000', '\\u0000');
    fc.assert(
      fc.property(atoms, atoms, fc.array(fc.constantFrom('', 'a', '10', '__proto__'), { maxLength: 4 }), (one, other, path) => {
        const [first, second] = [one, other].map((leaf) => path.reduce<JsonValue>((inner, key) => (key === '' ? [inner, 0] : { [key]: inner, z: 1, Z: 2 }), leaf));
        expect(canonicalJson(first ?? null) === canonicalJson(second ?? null)).toBe(isDeepStrictEqual(first, second));
      }),
      RUNS,
    );
  });

  it('does not depend on the order of members, and neither does the hash', () => {
    fc.assert(
      fc.property(anyValue, picks, (value, stream) => {
        const again = reordered(value, picker(stream));
        expect(canonicalJson(again)).toBe(canonicalJson(value));
        expect(sha256Hex(canonicalJson(again))).toBe(sha256Hex(canonicalJson(value)));
      }),
      RUNS,
    );
  });

  it('reads back as the same value and the same text', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const text = canonicalJson(value);
        const reading = readJson(utf8.encode(text));
        expect(reading.ok && isDeepStrictEqual(reading.value, value)).toBe(true);
        expect(reading.ok && canonicalJson(reading.value)).toBe(text);
      }),
      RUNS,
    );
  });

  it('leaves no trace in the value', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const before = JSON.stringify(value);
        canonicalJson(value);
        expect(JSON.stringify(value)).toBe(before);
      }),
      RUNS,
    );
  });
});

describe('what is not plain JSON', () => {
  const foreign = fc.constantFrom<unknown>(undefined, NaN, Infinity, 1n, () => 1, Symbol('s'), new Date(0), new Map(), new Set(), /x/, Object(1), new Uint8Array(1), 'a\ud800', '\udc00b', { toJSON: () => 1 }, new Error('own'));

  it('is refused with a TypeError that names its place, wherever it hides', () => {
    fc.assert(
      fc.property(jsonObjects, foreign, fc.array(fc.tuple(fc.constantFrom('a', '10', 'x/y', '~'), fc.boolean()), { maxLength: 6 }), (beside, culprit, path) => {
        const whole = path.reduceRight<unknown>((inner, [key, inArray]) => (inArray ? [0, inner] : Object.assign({}, { zz: beside, [key]: inner })), culprit);
        const pointer = path.map(([key, inArray]) => (inArray ? '/1' : `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)).join('');
        expect(() => canonicalJson(whole as JsonValue)).toThrow(TypeError);
        expect(() => canonicalJson(whole as JsonValue)).toThrow(`Not plain JSON at "${pointer}`);
      }),
      RUNS,
    );
  });
});
