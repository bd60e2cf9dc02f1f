// JSON values and JSON texts for properties: keys and strings that have broken other readers come up often,
// and every value can be spelled in many ways (white space, escapes, member order, number forms).

import fc from 'fast-check';
import type { JsonValue } from '../../lambdas/domain/json/json-value.ts';

/** How often a property is tried: 2,000 in `npm test`, more in `npm run test:deep`. */
export const RUNS = { numRuns: Number(process.env.FAST_CHECK_RUNS ?? 2000) };

/** Deep runs take longer than the test runner waits by default. */
export const PATIENCE_MS = 30_000 + RUNS.numRuns * 10;

/** An endless supply of choices, one after another. */
export const picks = fc.infiniteStream(fc.nat({ max: 0xffff }));

export function picker(stream: fc.Stream<number>): (sides: number) => number {
  return (sides) => stream.next().value % sides;
}

const AWKWARD = ['', 'a', 'b', 'A', '1', '2', '10', '01', '__proto__', 'constructor', 'toJSON', 'length', 'é', 'e\u0301', '\u2028', '\u007f', '\u0000', '\n', '"', '\\', '/', '😀', '\ufb33', '\u00f6', ' a', 'a b'];

const text = fc.oneof(fc.constantFrom(...AWKWARD), fc.string({ unit: 'binary', maxLength: 4 }), fc.string({ maxLength: 8 }));

/** What the reader lets through: no −0, no integer that a double may have changed. */
const number = fc.oneof(
  fc.constantFrom(0, 1, -1, 10, 0.1, 1e-7, 5e-324, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 4.5, 333333333.3333333),
  fc.integer(),
  fc.double({ noNaN: true, min: -(2 ** 53 - 1), max: 2 ** 53 - 1 }).map((value) => (value === 0 ? 0 : value)),
);

/** Own members in the given order, whatever the keys are called. */
export function objectOf(members: readonly (readonly [string, JsonValue])[]): Record<string, JsonValue> {
  const object: Record<string, JsonValue> = {};
  for (const [key, value] of members) Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  return object;
}

function valuesWithKeys(keys: fc.Arbitrary<string>): fc.Arbitrary<JsonValue> {
  return fc.letrec<{ value: JsonValue; members: [string, JsonValue][] }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.oneof(text, number, fc.boolean(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 4 }),
      tie('members').map(objectOf),
    ),
    members: fc.uniqueArray(fc.tuple(keys, tie('value')), { maxLength: 4, selector: ([key]) => key }),
  })).value;
}

export const jsonValues = valuesWithKeys(text);

/** For tests that ask JSON.parse: once V8 has met a key with a backslash, it may take other keys for it (nodejs/node#63785). */
export const jsonValuesForNode = valuesWithKeys(text.filter((key) => !key.includes('\\')));

/** Objects at the top, at times with more keys than are worth a sorted copy. */
export const jsonObjects: fc.Arbitrary<Record<string, JsonValue>> = fc
  .tuple(fc.uniqueArray(fc.tuple(text, jsonValues), { maxLength: 12, selector: ([key]) => key }), fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat({ max: 90 })))
  .map(([members, more]) => objectOf([...new Map([...Array.from({ length: more }, (_, at): [string, JsonValue] => [`k${String((at * 37) % 101)}`, at]), ...members])]));

/** The same value with the members of every object in another order. */
export function reordered(value: JsonValue, pick: (sides: number) => number): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => reordered(item, pick));
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).map(([key, member]): [number, string, JsonValue] => [pick(1000), key, reordered(member, pick)]);
  return objectOf(members.sort(([one], [other]) => one - other).map(([, key, member]): [string, JsonValue] => [key, member]));
}

/** One of the many JSON texts of a value. */
export function spelled(value: JsonValue, pick: (sides: number) => number): string {
  const gap = (): string => ['', '', '', ' ', '\n', '\t\r '][pick(6)] ?? '';
  if (typeof value === 'string') return spelledString(value, pick);
  if (typeof value === 'number') return spelledNumber(value, pick);
  if (value === null || typeof value === 'boolean') return String(value);
  const parts = Array.isArray(value)
    ? value.map((item: JsonValue) => spelled(item, pick))
    : Object.entries(value).map(([key, member]) => `${spelledString(key, pick)}${gap()}:${gap()}${spelled(member, pick)}`);
  const body = parts.map((part) => `${gap()}${part}${gap()}`).join(',');
  return Array.isArray(value) ? `[${body}${gap()}]` : `{${body}${gap()}}`;
}

export function spelledString(value: string, pick: (sides: number) => number): string {
  let out = '';
  for (const character of value) {
    const choice = pick(8);
    if (choice === 0) out += escapedUnits(character, pick);
    else if (character === '/' && choice < 4) out += '\\/';
    else out += JSON.stringify(character).slice(1, -1);
  }
  return `"${out}"`;
}

function escapedUnits(character: string, pick: (sides: number) => number): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at).toString(16).padStart(4, '0'));
  return units.map((hex) => `\\u${pick(2) === 0 ? hex : hex.toUpperCase()}`).join('');
}

function spelledNumber(value: number, pick: (sides: number) => number): string {
  const forms = [String(value), value.toExponential(), value.toExponential().toUpperCase().replace('E+', 'E'), String(value)];
  if (Number.isInteger(value)) forms.push(`${String(value)}.0`, `${String(value)}.00e-0`);
  if (value === 0) forms.push('-0', '-0.0e5', '0e99');
  return forms[pick(forms.length)] ?? '';
}
