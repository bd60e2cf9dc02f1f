// In a file of its own, and so in a process of its own: nothing here may ever make a key that holds a backslash,
// because from then on V8 may take other keys for it (nodejs/node#63785).

import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { JSON_REFUSALS } from '../../../../lambdas/domain/json/json-refusal.ts';
import type { JsonValue } from '../../../../lambdas/domain/json/json-value.ts';
import { readJson } from '../../../../lambdas/domain/json/strict-reader.ts';
import { jsonValuesForNode, PATIENCE_MS, picker, picks, RUNS, spelled } from '../../../support/json-arbitraries.ts';

vi.setConfig({ testTimeout: PATIENCE_MS });

const utf8 = new TextEncoder();
const CONFUSES_NODE = /\\\\|\\u005c/i;

/** Reasons that Node’s parser does not know; a text refused for one may have a second fault further on. */
const STRICTER = ['duplicate_key', 'integer_out_of_range', 'number_not_finite', 'lone_surrogate', 'too_deep'];

/** −0 is read as 0; undefined when Node refuses. */
function nodeReads(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text, (_, value: unknown) => (value === 0 ? 0 : value)) as JsonValue;
  } catch {
    return undefined;
  }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function expectAgreement(bytes: Uint8Array): void {
  const text = decoded(bytes);
  if (text !== undefined && CONFUSES_NODE.test(text)) return;
  const node = text === undefined ? undefined : nodeReads(text);
  const reading = readJson(bytes);
  if (reading.ok) expect(isDeepStrictEqual(reading.value, node)).toBe(true);
  else {
    expect(reading.refusal.reason in JSON_REFUSALS).toBe(true);
    if (!STRICTER.includes(reading.refusal.reason)) expect(node).toBe(undefined);
  }
}

describe('the reader and Node’s parser', () => {
  it('read the same value from every spelling of it', () => {
    fc.assert(
      fc.property(jsonValuesForNode, picks, (value, stream) => {
        const text = spelled(value, picker(stream));
        const reading = readJson(utf8.encode(text));
        expect(reading.ok && isDeepStrictEqual(reading.value, value)).toBe(true);
        expect(isDeepStrictEqual(nodeReads(text), value)).toBe(true);
      }),
      RUNS,
    );
  });

  it('agree on random bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), expectAgreement), RUNS);
  });

  it('agree on random words of JSON', () => {
    const words = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '"a"', '"b"', '\\', '\\u', 'd83d', '\\ud83d', 'true', 'null', '-', '0', '1', '.', 'e', '+', '9007199254740993', '1e400', ' ', '\n', '\t"', '😀', '\u0001', '\u00a0');
    fc.assert(
      fc.property(fc.array(words, { maxLength: 14 }), (parts) => {
        expectAgreement(utf8.encode(parts.join('')));
      }),
      RUNS,
    );
  });

  it('agree on texts with one byte changed, added or left out', () => {
    fc.assert(
      fc.property(jsonValuesForNode, picks, fc.nat(), fc.nat({ max: 255 }), fc.constantFrom('change', 'add', 'drop'), (value, stream, where, byte, way) => {
        const bytes = [...utf8.encode(spelled(value, picker(stream)))];
        bytes.splice(where % bytes.length, way === 'add' ? 0 : 1, ...(way === 'drop' ? [] : [byte]));
        expectAgreement(Uint8Array.from(bytes));
      }),
      RUNS,
    );
  });

  it('agree on numbers of every form', () => {
    const digits = fc.array(fc.nat({ max: 9 }), { maxLength: 20 }).map((each) => each.join(''));
    const numbers = fc.tuple(fc.constantFrom('', '-', '+'), digits, fc.constantFrom('', '.', 'e', '.0'), digits, fc.constantFrom('', 'e', 'E+', 'e-'), fc.nat({ max: 330 }).map(String));
    fc.assert(
      fc.property(numbers, (parts) => {
        expectAgreement(utf8.encode(parts.join('')));
      }),
      RUNS,
    );
  });
});
