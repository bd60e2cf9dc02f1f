// The published vectors: inputs chosen here, canonical forms by the naive canonicaliser, hashes by node:crypto directly.
// Nothing of the product writes them, so the product can be held against the file.

import { createHash } from 'node:crypto';
import type { JsonRefusalReason } from '../../lambdas/domain/json/json-refusal.ts';
import type { JsonValue } from '../../lambdas/domain/json/json-value.ts';
import { objectOf, spelled } from './json-arbitraries.ts';
import { naiveCanonicalJson } from './naive-canonical-json.ts';

export interface AcceptedVector {
  readonly name: string;
  readonly input: string;
  readonly canonical: string;
  readonly sha256: string;
}

export interface RefusedVector {
  readonly name: string;
  /** JSON text, or its bytes in base64 where they are not valid UTF-8 or begin with a byte order mark. */
  readonly input?: string;
  readonly input_base64?: string;
  readonly reason: JsonRefusalReason;
  readonly pointer: string;
}

export interface VectorFile {
  readonly about: string;
  readonly accepted: readonly AcceptedVector[];
  readonly refused: readonly RefusedVector[];
}

const ABOUT =
  'RFC 8785 as Countersign applies it. accepted: JSON text, its canonical form, and the SHA-256 (lower-case hex) of the UTF-8 bytes of that form. refused: texts (or bytes in base64) that must not be hashed at all; pointer is an RFC 6901 JSON Pointer. Limits assumed: 1048576 bytes, 64 levels, 250000 members and elements.';

/** Input and value by hand: the text may not be read by any parser under test. */
const ACCEPTED: readonly (readonly [string, string, JsonValue])[] = [
  ['scalar null', ' null ', null],
  ['scalar true', 'true', true],
  ['scalar text', '"\\u0061"', 'a'],
  ['empty containers', '{ "b" : [ ] , "a" : { } }', { b: [], a: {} }],
  ['RFC 8785 section 3.2.3 order of keys', '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}', { '\u20ac': 'Euro Sign', '\r': 'Carriage Return', '\ufb33': 'Hebrew Letter Dalet With Dagesh', '1': 'One', '\ud83d\ude00': 'Emoji: Grinning Face', '\u0080': 'Control', '\u00f6': 'Latin Small Letter O With Diaeresis' }],
  ['RFC 8785 section 3.2.2 without its 1E30', '{"numbers":[333333333.33333329,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}', { numbers: [333333333.33333329, 4.5, 2e-3, 1e-27], string: '\u20ac$\u000f\nA\'B"\\\\"/', literals: [null, true, false] }],
  ['041 UTF-16 order, not code point order', '{"\ufb33":1,"😀":2}', { '\ufb33': 1, '😀': 2 }],
  ['047 negative zero', '{"v":-0}', { v: 0 }],
  ['047 negative zero with a fraction', '{"v":-0.0}', { v: 0 }],
  ['047 zero with an exponent', '{"v":0e5}', { v: 0 }],
  ['049 no escapes for U+2028, U+007F and the slash', '{"s":"\\u2028\\u007f\\/"}', { s: '\u2028\u007f/' }],
  ['050 __proto__ is a key', '{"__proto__":{"role":"admin"},"a":1}', objectOf([['__proto__', { role: 'admin' }], ['a', 1]])],
  ['050 constructor and toJSON are keys', '{"toJSON":"x","constructor":{"prototype":1}}', { toJSON: 'x', constructor: { prototype: 1 } }],
  ['061 keys are not normalised', '{"\u00c9":1,"E\\u0301":2}', { '\u00c9': 1, 'E\u0301': 2 }],
  ['062 composed', '{"name":"caf\u00e9"}', { name: 'caf\u00e9' }],
  ['062 decomposed', '{"name":"cafe\u0301"}', { name: 'cafe\u0301' }],
  ['keys that look like numbers', '{"10":1,"9":2,"1":3,"01":4,"a":5,"!":6}', { '10': 1, '9': 2, '1': 3, '01': 4, a: 5, '!': 6 }],
  ['a key that begins like another', '{"ab":1,"a":2,"":3,"aB":4}', { ab: 1, a: 2, '': 3, aB: 4 }],
  ['keys with a backslash and with escapes', '{"A":1,"\\\\":2,"\\"":3,"\\n":4,"\\u0042":5,"\\\\n":6}', { A: 1, '\\': 2, '"': 3, '\n': 4, B: 5, '\\n': 6 }],
  ['every escape', '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\\u007f\\u00e9"', '"\\/\b\f\n\r\t\u0000\u001f\u007f\u00e9'],
  ['largest exact integers', '[9007199254740991,-9007199254740991,9007199254740991.0,9.007199254740991e15]', [9007199254740991, -9007199254740991, 9007199254740991, 9007199254740991]],
  ['decimals become the nearest double', '[0.1000000000000000055511151231257827,1e-400,4.35,0.000001,0.0000001,1E-7,123456.789e-3,5e-324]', [0.1, 0, 4.35, 0.000001, 1e-7, 1e-7, 123.456789, 5e-324]],
  ['numbers of RFC 8785 appendix B in range', '[333333333.3333332,333333333.33333325,333333333.3333333,333333333.3333334,333333333.33333343,-0.0000033333333333333333,1424953923781206.25,9.999999999999997e-7,0.000001]', [333333333.3333332, 333333333.33333325, 333333333.3333333, 333333333.3333334, 333333333.33333343, -0.0000033333333333333333, 1424953923781206.25, 9.999999999999997e-7, 0.000001]],
  ['64 levels', `${'['.repeat(64)}${']'.repeat(64)}`, nested(64)],
];

const REFUSED: readonly (readonly [string, string | readonly number[], JsonRefusalReason, string])[] = [
  ['043 beyond all doubles', '{"n":1e400}', 'number_not_finite', '/n'],
  ['044 an integer that shares its double', '{"id":9007199254740993}', 'integer_out_of_range', '/id'],
  ['044 its neighbour', '{"id":9007199254740992}', 'integer_out_of_range', '/id'],
  ['044 spelled as a decimal', '{"id":9007199254740993.0}', 'integer_out_of_range', '/id'],
  ['044 spelled with an exponent', '{"id":[1e21]}', 'integer_out_of_range', '/id/0'],
  ['046 two to the 54th', '{"n":18014398509481984}', 'integer_out_of_range', '/n'],
  ['052 65 levels', `${'['.repeat(65)}${']'.repeat(65)}`, 'too_deep', '/0'.repeat(64)],
  ['059 a key twice', '{"tool":"pay","args":{"amount":10,"amount":10000}}', 'duplicate_key', '/args/amount'],
  ['059 a key twice at the top', '{"tool":"pay","tool":"refund"}', 'duplicate_key', '/tool'],
  ['059 a key twice by escape', '{"a":1,"\\u0061":2}', 'duplicate_key', '/a'],
  ['half of a surrogate pair', '["\\ud800"]', 'lone_surrogate', '/0'],
  ['halves in the wrong order', '["\\ude00\\ud83d"]', 'lone_surrogate', '/0'],
  ['half of a surrogate pair in a key', '{"a":{"\\ud83d":1}}', 'lone_surrogate', '/a'],
  ['byte order mark', [0xef, 0xbb, 0xbf, 0x7b, 0x7d], 'byte_order_mark', ''],
  ['overlong UTF-8', [0x22, 0xc0, 0x80, 0x22], 'not_utf8', ''],
  ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22], 'not_utf8', ''],
  ['UTF-8 cut short', [0x22, 0xe2, 0x82, 0x22], 'not_utf8', ''],
  ['nothing', '', 'unexpected_end', ''],
  ['cut short', '{"a":[1', 'unexpected_end', '/a/1'],
  ['two values', '{} {}', 'trailing_text', ''],
  ['a comma too many', '[1,]', 'unexpected_character', '/1'],
  ['a key without quotes', '{a:1}', 'unexpected_character', ''],
  ['not a JSON word', '{"n":NaN}', 'unexpected_character', '/n'],
  ['a comment', '/**/{}', 'unexpected_character', ''],
  ['a leading zero', '{"n":01}', 'bad_number', '/n'],
  ['no digit after the point', '{"n":1.}', 'bad_number', '/n'],
  ['a raw line break in a string', '{"s":"a\nb"}', 'control_character', '/s'],
  ['an unknown escape', '{"s":"\\x41"}', 'bad_escape', '/s'],
];

function nested(levels: number): JsonValue {
  let value: JsonValue = [];
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}

export function buildVectors(): VectorFile {
  const accepted = [...ACCEPTED, ...generated(60)].map(([name, input, value]): AcceptedVector => {
    const canonical = naiveCanonicalJson(value);
    return { name, input, canonical, sha256: createHash('sha256').update(canonical, 'utf8').digest('hex') };
  });
  const refused = REFUSED.map(([name, input, reason, pointer]): RefusedVector => {
    const given = typeof input === 'string' ? { input } : { input_base64: Buffer.from(input).toString('base64') };
    return { name, ...given, reason, pointer };
  });
  return { about: ABOUT, accepted, refused };
}

/** A fixed linear congruential sequence, so that the file changes only when this does. */
function* dice(seed: number): Generator<number, never> {
  for (let state = seed; ; state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) yield state >>> 8;
}

function generated(count: number): (readonly [string, string, JsonValue])[] {
  const rolls = dice(8785);
  const pick = (sides: number): number => rolls.next().value % sides;
  return Array.from({ length: count }, (_, at) => {
    const value = someValue(pick, 3);
    return [`generated ${String(at + 1)}`, spelled(value, pick), value] as const;
  });
}

const LETTERS = ['a', 'b', 'Z', '0', '9', ' ', '"', '\\', '/', '\n', '\u0000', '\u001f', '\u007f', '\u0080', 'é', 'ß', '€', '\u2028', '\ud7ff', '\ue000', '\ufb33', '\uffff', '😀', '𐀀', '𝒳'];

function someText(pick: (sides: number) => number): string {
  return Array.from({ length: pick(6) }, () => LETTERS[pick(LETTERS.length)]).join('');
}

function someNumber(pick: (sides: number) => number): number {
  const whole = (pick(2 ** 24) - 2 ** 23) * 2 ** pick(30);
  return [pick(10), whole, whole / 10 ** pick(30), pick(1e6) / 100][pick(4)] ?? 0;
}

function someValue(pick: (sides: number) => number, depth: number): JsonValue {
  switch (pick(depth > 0 ? 6 : 4)) {
    case 0:
      return someText(pick);
    case 1:
    case 2:
      return someNumber(pick) + 0;
    case 3:
      return [null, true, false][pick(3)] ?? null;
    case 4:
      return Array.from({ length: pick(4) }, () => someValue(pick, depth - 1));
    default: {
      const keys = new Set(Array.from({ length: pick(6) }, () => someText(pick)));
      return objectOf([...keys].map((key): [string, JsonValue] => [key, someValue(pick, depth - 1)]));
    }
  }
}
