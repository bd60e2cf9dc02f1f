import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../../lambdas/domain/json/canonical-json.ts';
import { sha256Hex } from '../../../../lambdas/domain/json/digest.ts';
import type { JsonValue } from '../../../../lambdas/domain/json/json-value.ts';
import { readJson } from '../../../../lambdas/domain/json/strict-reader.ts';
import { naiveCanonicalJson } from '../../../support/naive-canonical-json.ts';

function canonicalOf(text: string): string {
  const reading = readJson(new TextEncoder().encode(text));
  if (!reading.ok) throw new Error(reading.refusal.reason);
  return canonicalJson(reading.value);
}

/** Values that types would keep out, as untyped callers may bring them. */
function canonicalOfAnything(value: unknown): string {
  return canonicalJson(value as JsonValue);
}

function doubleOf(hex: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${hex}`));
  return view.getFloat64(0);
}

describe('RFC 8785', () => {
  it('writes the example of section 3.2.2', () => {
    const value = {
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts the example of section 3.2.3 by UTF-16 code units', () => {
    const text =
      '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}';
    expect(canonicalOf(text)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });

  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the double %s of appendix B as %s, wherever it stands', (hex, text) => {
    expect(canonicalJson(doubleOf(hex))).toBe(text);
    expect(canonicalJson({ '9': doubleOf(hex), '10': [doubleOf(hex)] })).toBe(`{"10":[${text}],"9":${text}}`);
  });

  it.each([NaN, Infinity, -Infinity])('043: refuses %d, which JSON cannot write', (number) => {
    expect(() => canonicalJson({ n: [number] })).toThrow(new TypeError(`Not plain JSON at "/n/0": ${String(number)}.`));
  });

  it('escapes control characters, quote and backslash, and nothing else', () => {
    for (let code = 0; code < 0x300; code += 1) {
      const character = String.fromCharCode(code);
      expect(canonicalJson({ [character]: character, '1': 1 })).toBe(naiveCanonicalJson({ [character]: character, '1': 1 }));
    }
  });

  it('049: leaves U+2028, U+007F and the slash as they are', () => {
    const text = canonicalOf('{"s":"\\u2028\\u007f\\/"}');
    expect(text).toBe('{"s":"\u2028\u007f/"}');
    expect(sha256Hex(text)).toBe('453409c840601840e8607ccf34301cd7e09e8baf3e1ac5719cd5f8cf33792a5c');
  });
});

describe('the order of members', () => {
  it('041: is by UTF-16 code units, not by code points', () => {
    const text = canonicalOf('{"\ufb33":1,"😀":2}');
    expect(text).toBe('{"😀":2,"\ufb33":1}');
    expect(sha256Hex(text)).toBe('ec4e7d8c2963caa38dccc3d42693719ac9c6ecd783891b583d333565620ac2be');
  });

  it.each([
    ['{"b":1,"a":2}', '{"a":2,"b":1}'],
    ['{"10":1,"9":2,"1":3}', '{"1":3,"10":1,"9":2}'],
    ['{"a":1,"10":2,"!":3}', '{"!":3,"10":2,"a":1}'],
    ['{"a":{"2":[{"b":1,"a":2}],"10":{}},"A":0}', '{"A":0,"a":{"10":{},"2":[{"a":2,"b":1}]}}'],
    ['{"aa":1,"a":2,"":3,"ab":4}', '{"":3,"a":2,"aa":1,"ab":4}'],
    ['{"4294967295":1,"4294967294":2,"-1":3,"01":4}', '{"-1":3,"01":4,"4294967294":2,"4294967295":1}'],
    ['[{"b":1,"a":[]},{"b":2,"a":{}},{"c":0,"b":3}]', '[{"a":[],"b":1},{"a":{},"b":2},{"b":3,"c":0}]'],
  ])('of %s is that of %s', (text, canonical) => {
    expect(canonicalOf(text)).toBe(canonical);
  });

  it.each([1, 16, 17, 63, 64, 65, 2000])('is right for %i members', (count) => {
    const value = Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${String((at * 7919) % 10_007)}`, { b: at, a: [at] }]));
    expect(canonicalJson(value)).toBe(naiveCanonicalJson(value));
  });

  it('is right for keys of any length', () => {
    const value = Object.fromEntries([257, 256, 255, 100_000, 1].map((length, at) => [`${'k'.repeat(length)}${String(at)}`, { z: at, a: at }]));
    expect(canonicalJson([value, value])).toBe(naiveCanonicalJson([value, value]));
  });

  it('does not depend on what was written before', () => {
    const values: JsonValue[] = [{ b: 1, a: 2 }, { a: 1, b: 2 }, { b: 1 }, { b: 1, a: 2, c: 3 }, { '2': 1, '10': 2 }, { b: 1, a: 2 }];
    const alone = values.map(naiveCanonicalJson);
    for (const order of [values, [...values].reverse()]) {
      expect(order.map(canonicalJson).sort()).toStrictEqual([...alone].sort());
    }
    expect(canonicalJson(values)).toBe(`[${alone.join(',')}]`);
  });

  it('leaves the value itself as it was', () => {
    const value = Object.freeze({ b: Object.freeze([Object.freeze({ d: 1, c: 2 })]), a: 1 });
    expect(canonicalJson(value)).toBe('{"a":1,"b":[{"c":2,"d":1}]}');
    expect(Object.keys(value)).toStrictEqual(['b', 'a']);
  });
});

describe('values that must stay apart', () => {
  it('047: writes every zero alike', () => {
    for (const text of ['{"v":-0}', '{"v":-0.0}', '{"v":0}', '{"v":0e5}']) expect(canonicalOf(text)).toBe('{"v":0}');
    expect(canonicalJson({ v: -0 })).toBe('{"v":0}');
    expect(sha256Hex('{"v":0}')).toBe('ec4f95abcb4e2e3dbe856c3eb2f81995eacb3823d40aa2e78ed4c5e1798f664d');
  });

  it('050: keeps a member called __proto__, at every depth and beside keys in any order', () => {
    const text = canonicalOf('{"__proto__":{"role":"admin"},"a":1}');
    expect(text).toBe('{"__proto__":{"role":"admin"},"a":1}');
    expect(sha256Hex(text)).toBe('2edb1292f5d7e89c6abeeb3b66c3e045f33828c5015a78bbb91e06f416da3b6d');
    expect(sha256Hex(canonicalOf('{"a":1}'))).toBe('015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862');
    expect(canonicalOf('[{"a":1,"__proto__":null,"Z":{"__proto__":[1]}}]')).toBe('[{"Z":{"__proto__":[1]},"__proto__":null,"a":1}]');
    expect('role' in {}).toBe(false);
  });

  it('050: writes members called constructor and toJSON like any others', () => {
    expect(canonicalOf('{"toJSON":"x","constructor":{"prototype":1},"a":1}')).toBe('{"a":1,"constructor":{"prototype":1},"toJSON":"x"}');
  });

  it('061: never merges keys that are equal only after normalisation', () => {
    expect(canonicalOf('{"\u00c9":1,"E\u0301":2}')).toBe('{"E\u0301":2,"\u00c9":1}');
  });

  it('062: gives strings that only look alike different hashes', () => {
    expect(sha256Hex(canonicalOf('{"name":"caf\u00e9"}'))).toMatch(/^645fa443.*a74d$/);
    expect(sha256Hex(canonicalOf('{"name":"cafe\u0301"}'))).toMatch(/^4b7186ff.*0ca7$/);
  });

  it('064: never merges a number, a text, null, true and their spellings', () => {
    const values = ['1', '"1"', 'null', '"null"', 'true', '"true"', '""', '[]', '{}', '[1]', '"2030-01-01T00:00:00.000Z"'];
    expect(new Set(values.map((value) => sha256Hex(canonicalOf(`{"x":${value}}`)))).size).toBe(values.length);
  });

  it('068: comes back from storage as text with the bytes that were hashed', () => {
    for (const stored of ['{"n":1.23e-40}', '{"n":0}', '{"a":[null],"b":""}', '{"d":1e-200}', '{"e":{},"f":[]}']) {
      expect(canonicalOf(canonicalOf(stored))).toBe(stored);
    }
  });
});

describe('values that are not plain JSON', () => {
  class Money {
    readonly amount = 1;
  }
  const holes: unknown[] = [];
  holes.length = 2;

  it.each([
    ['053: a function', () => 1, 'a function'],
    ['053: a symbol', Symbol('x'), 'a symbol'],
    ['053: undefined', undefined, 'undefined'],
    ['053: a Map', new Map([['a', 1]]), 'an object of a class, or with symbols for keys'],
    ['053: a boxed number', Object(3), 'an object of a class, or with symbols for keys'],
    ['053: a boxed string', Object('x'), 'an object of a class, or with symbols for keys'],
    ['053: an array with holes', holes, 'an array with holes, further properties or a class of its own'],
    ['053: an array with a hole and as many further properties', Object.assign([undefined, 1].slice(0, 2), { extra: 1 }), 'an array with holes, further properties or a class of its own'],
    ['055: a Date', new Date(0), 'an object of a class, or with symbols for keys'],
    ['055: an object with a toJSON', { amount: 1, toJSON: () => ({}) }, 'a function'],
    ['055: an object with an inherited toJSON', Object.create({ toJSON: () => 1 }), 'an object of a class, or with symbols for keys'],
    ['055: an instance of a class', new Money(), 'an object of a class, or with symbols for keys'],
    ['056: a BigInt', 9007199254740993n, 'a bigint'],
    ['a typed array', new Uint8Array(2), 'an object of a class, or with symbols for keys'],
    ['an array of a subclass', new (class extends Array {})(), 'an array with holes, further properties or a class of its own'],
    ['an array with a symbol', Object.assign([], { [Symbol('s')]: 1 }), 'an array with holes, further properties or a class of its own'],
    ['an object with a symbol', { [Symbol('s')]: 1 }, 'an object of a class, or with symbols for keys'],
    ['half of a surrogate pair', 'a\ud800', 'a string with half of a surrogate pair'],
  ])('refuses %s and names its place', (_, value, what) => {
    const places: [unknown, string][] = [
      [value, ''],
      [{ a: [0, value] }, '/a/1'],
      [{ 'x/y': { 10: 0, 9: value } }, '/x~1y/9'],
      [[{ b: 1, a: value }], '/0/a'],
    ];
    for (const [whole, pointer] of places) {
      const at = what === 'a function' && typeof value === 'object' ? `${pointer}/toJSON` : pointer;
      expect(() => canonicalOfAnything(whole)).toThrow(new TypeError(`Not plain JSON at "${at}": ${what}.`));
    }
  });

  it.each<Record<string, number>>([{ '\udc00': 1 }, { '1': 0, '\udc00': 1 }, { a: 0, '\udc00': 1, ...Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`k${String(at)}`, at])) }])(
    'refuses a key with half of a surrogate pair',
    (value) => {
      expect(() => canonicalJson([value])).toThrow(new TypeError('Not plain JSON at "/0": a key with half of a surrogate pair.'));
    },
  );

  it('refuses circles and bottomless nesting', () => {
    const circle: unknown[] = [];
    circle.push({ circle });
    expect(() => canonicalOfAnything(circle)).toThrow(TypeError);
    let deep: JsonValue = 0;
    for (let level = 0; level < 300_000; level += 1) deep = [deep];
    expect(() => canonicalJson(deep)).toThrow(TypeError);
  });

  it('writes nesting well beyond what the reader lets in', () => {
    let deep: JsonValue = 0;
    for (let level = 0; level < 256; level += 1) deep = level % 2 === 0 ? [deep] : { a: deep };
    expect(canonicalJson(deep)).toBe(naiveCanonicalJson(deep));
    expect(() => canonicalJson([deep])).toThrow(TypeError);
  });

  it('reads every member once, so a getter cannot show one value and hash another', () => {
    let reads = 0;
    const tricky = Object.defineProperty({ z: 1 }, 'a', { enumerable: true, get: () => (reads += 1) });
    expect(canonicalOfAnything({ tricky })).toBe('{"tricky":{"a":1,"z":1}}');
    expect(reads).toBe(1);
  });

  it('says so when a value changes while it is read', () => {
    let reads = 0;
    const value = Object.defineProperty({}, 'a', { enumerable: true, get: () => (reads++ === 0 ? undefined : 1) });
    expect(() => canonicalOfAnything(value)).toThrow('a value that changes while it is read');
  });

  it.each([Object.prototype, Array.prototype])('055: refuses to write while a built-in prototype has a toJSON', (prototype) => {
    Object.defineProperty(prototype, 'toJSON', { value: () => 'harmless', configurable: true });
    try {
      expect(() => canonicalJson({ amount: 1 })).toThrow(TypeError);
    } finally {
      Reflect.deleteProperty(prototype, 'toJSON');
    }
    expect(canonicalJson({ amount: 1 })).toBe('{"amount":1}');
  });

  it('takes objects without a prototype', () => {
    expect(canonicalOfAnything(Object.assign(Object.create(null) as object, { b: 1, a: 2 }))).toBe('{"a":2,"b":1}');
  });
});

describe('one hash for one call', () => {
  it('058: hashes the text that was sent, not what the sender has in memory', () => {
    expect(canonicalOf('{"1":"a","2":"b","10":"c"}')).toBe('{"1":"a","10":"c","2":"b"}');
    expect(canonicalOf('{"10":"c","2":"b","1":"a"}')).toBe('{"1":"a","10":"c","2":"b"}');
  });

  it('065: hashes the arguments as bound: a missing member and its default differ', () => {
    expect(sha256Hex(canonicalOf('{}'))).not.toBe(sha256Hex(canonicalOf('{"active":false}')));
    expect(sha256Hex(canonicalOf('{"id":"7"}'))).not.toBe(sha256Hex(canonicalOf('{"id":7}')));
  });
});
