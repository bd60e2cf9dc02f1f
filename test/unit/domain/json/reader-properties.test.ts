import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../../lambdas/domain/json/canonical-json.ts';
import { JSON_REFUSALS } from '../../../../lambdas/domain/json/json-refusal.ts';
import type { JsonValue } from '../../../../lambdas/domain/json/json-value.ts';
import { readJson } from '../../../../lambdas/domain/json/strict-reader.ts';
import type { JsonReading } from '../../../../lambdas/domain/json/strict-reader.ts';
import { jsonObjects, jsonValues, RUNS, spelled, spelledString } from '../../../support/json-arbitraries.ts';

const utf8 = new TextEncoder();
const picks = fc.infiniteStream(fc.nat({ max: 0xffff }));

function picker(stream: fc.Stream<number>): (sides: number) => number {
  return (sides) => stream.next().value % sides;
}

function read(text: string): JsonReading {
  return readJson(utf8.encode(text));
}

/** Node’s parser, −0 read as 0; undefined when it refuses. */
function nodeReads(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text, (_, value: unknown) => (value === 0 ? 0 : value)) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Once V8 has met a key with a backslash it may take other keys for it (nodejs/node#63785), so Node is not asked about such texts. */
const CONFUSES_NODE = /\\\\|\\u005c/i;

/** Reasons that Node’s parser does not know; a text refused for one may have a second fault further on. */
const STRICTER = ['duplicate_key', 'integer_out_of_range', 'number_not_finite', 'lone_surrogate', 'too_deep'];

function expectAgreement(bytes: Uint8Array): void {
  const reading = readJson(bytes);
  const text = decoded(bytes);
  if (text !== undefined && CONFUSES_NODE.test(text)) return;
  const node = text === undefined ? undefined : nodeReads(text);
  if (reading.ok) expect(isDeepStrictEqual(reading.value, node)).toBe(true);
  else {
    expect(reading.refusal.reason in JSON_REFUSALS).toBe(true);
    if (!STRICTER.includes(reading.refusal.reason)) expect(node).toBe(undefined);
  }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

describe('the reader and Node’s parser', () => {
  it('read the same value from every spelling of it', () => {
    fc.assert(
      fc.property(jsonValues, picks, (value, stream) => {
        const text = spelled(value, picker(stream));
        const reading = read(text);
        expect(reading.ok && isDeepStrictEqual(reading.value, value)).toBe(true);
        if (!CONFUSES_NODE.test(text)) expect(isDeepStrictEqual(nodeReads(text), value)).toBe(true);
      }),
      RUNS,
    );
  });

  it('agree on random bytes, and the reader never throws', () => {
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
      fc.property(jsonValues, picks, fc.nat(), fc.nat({ max: 255 }), fc.constantFrom('change', 'add', 'drop'), (value, stream, where, byte, way) => {
        const bytes = [...utf8.encode(spelled(value, picker(stream)))];
        bytes.splice(where % bytes.length, way === 'add' ? 0 : 1, ...(way === 'drop' ? [] : [byte]));
        expectAgreement(Uint8Array.from(bytes));
      }),
      RUNS,
    );
  });

  it('agree on numbers of every form', () => {
    const digits = fc.string({ unit: fc.nat({ max: 9 }).map(String), maxLength: 20 });
    const numbers = fc.tuple(fc.constantFrom('', '-', '+'), digits, fc.constantFrom('', '.', 'e', '.0'), digits, fc.constantFrom('', 'e', 'E+', 'e-'), fc.nat({ max: 330 }).map(String));
    fc.assert(
      fc.property(numbers, (parts) => {
        expectAgreement(utf8.encode(parts.join('')));
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
        expect(read(text)).toMatchObject({ ok: false, refusal: { reason: 'duplicate_key' } });
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
