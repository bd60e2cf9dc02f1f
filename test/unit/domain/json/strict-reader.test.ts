import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../../lambdas/domain/json/canonical-json.ts';
import { JSON_LIMITS } from '../../../../lambdas/domain/json/json-limits.ts';
import type { JsonLimits } from '../../../../lambdas/domain/json/json-limits.ts';
import { JSON_REFUSALS } from '../../../../lambdas/domain/json/json-refusal.ts';
import { readJson, readJsonText } from '../../../../lambdas/domain/json/strict-reader.ts';

const utf8 = new TextEncoder();

function read(text: string | readonly number[], limits?: Partial<JsonLimits>): unknown {
  const reading = readJson(typeof text === 'string' ? utf8.encode(text) : Uint8Array.from(text), limits);
  return reading.ok ? reading.value : `${reading.refusal.reason} at "${reading.refusal.pointer}"`;
}

function nested(levels: number, inside = ''): string {
  return '['.repeat(levels) + inside + ']'.repeat(levels);
}

describe('what the reader accepts', () => {
  it.each([
    ['null', null],
    ['true', true],
    [' \n\t\r false \n', false],
    ['0', 0],
    ['-0', 0],
    ['-12.50', -12.5],
    ['1e3', 1000],
    ['1E+3', 1000],
    ['25e-1', 2.5],
    ['123456789012345', 123456789012345],
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['9007199254740991.0', 9007199254740991],
    ['0.1000000000000000055511151231257827', 0.1],
    ['1e-400', 0],
    ['""', ''],
    ['"a\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041"', 'a"\\/\b\f\n\r\tA'],
    ['"\\ud83d\\ude00 😀"', '😀 😀'],
    ['"\u2028\u007f\ufffe"', '\u2028\u007f\ufffe'],
    ['"\\u0000"', '\u0000'],
    ['"\\\\"', '\\'],
    ['[]', []],
    ['{}', {}],
    ['[ ]', []],
    ['{ }', {}],
    ['[[],{},[1,[2]]]', [[], {}, [1, [2]]]],
    ['{"":{"":[]}}', { '': { '': [] } }],
    [' { "a" : [ 1 , 2 ] , "b" : null } ', { a: [1, 2], b: null }],
  ])('reads %s', (text, value) => {
    expect(read(text)).toStrictEqual(value);
  });

  it('reads a long string with escapes as the short ones', () => {
    const long = 'ab"\\\n😀'.repeat(20_000);
    expect(read(JSON.stringify([long, long]))).toStrictEqual([long, long]);
  });

  it('keeps a string that ends in backslashes apart from what follows', () => {
    expect(read('["\\\\","\\\\\\"","x"]')).toStrictEqual(['\\', '\\"', 'x']);
  });

  it('050: makes __proto__, constructor and toJSON own members and changes no prototype', () => {
    const value = read('{"__proto__":{"role":"admin"},"constructor":1,"toJSON":"x","a":1}') as object;
    expect(Object.keys(value)).toStrictEqual(['__proto__', 'constructor', 'toJSON', 'a']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('role' in value).toBe(false);
    expect('role' in {}).toBe(false);
  });

  it('keeps keys apart that V8 mistakes for a key it met before (nodejs/node#63785)', () => {
    JSON.parse('{"primed":1,"\\\\":2}');
    JSON.parse('{"primed":1,"\\\\n":2}');
    for (let again = 0; again < 3; again += 1) {
      expect(Object.keys(read('{"primed":1,"\\\\":2}') as object)).toStrictEqual(['primed', '\\']);
      expect(Object.keys(read('{"primed":1,"\\"":2}') as object)).toStrictEqual(['primed', '"']);
      expect(Object.keys(read('{"primed":1,"\\u0042":2}') as object)).toStrictEqual(['primed', 'B']);
      expect(Object.keys(read('{"primed":1,"\\nx":2}') as object)).toStrictEqual(['primed', '\nx']);
    }
  });

  it('061: does not merge keys that only look alike', () => {
    expect(Object.keys(read('{"\u00c9":1,"E\\u0301":2}') as object)).toStrictEqual(['\u00c9', 'E\u0301']);
  });
});

describe('what the reader refuses', () => {
  it.each([
    ['', 'unexpected_end at ""'],
    [' ', 'unexpected_end at ""'],
    ['[1', 'unexpected_end at "/1"'],
    ['{"a":', 'unexpected_end at "/a"'],
    ['{"a"', 'unexpected_end at "/a"'],
    ['{"a":{"b":1', 'unexpected_end at "/a/b"'],
    ['{', 'unexpected_end at ""'],
    ['"abc', 'unexpected_end at ""'],
    ['"abc\\', 'unexpected_end at ""'],
    ['"abc\\"', 'unexpected_end at ""'],
    ['tru', 'unexpected_end at ""'],
    ['[nul', 'unexpected_end at "/0"'],
    ['trux', 'unexpected_character at ""'],
    ['nullx', 'trailing_text at ""'],
    ['True', 'unexpected_character at ""'],
    ['NaN', 'unexpected_character at ""'],
    ['Infinity', 'unexpected_character at ""'],
    ['-Infinity', 'bad_number at ""'],
    ['undefined', 'unexpected_character at ""'],
    ["'a'", 'unexpected_character at ""'],
    ['/* */ 1', 'unexpected_character at ""'],
    ['\u00a01', 'unexpected_character at ""'],
    ['[1,]', 'unexpected_character at "/1"'],
    ['[,1]', 'unexpected_character at "/0"'],
    ['[1 2]', 'unexpected_character at "/1"'],
    ['[1}', 'unexpected_character at "/1"'],
    ['{"a":1]', 'unexpected_character at "/a"'],
    ['{"a":1,}', 'unexpected_character at ""'],
    ['{,}', 'unexpected_character at ""'],
    ['{a:1}', 'unexpected_character at ""'],
    ['{"a" 1}', 'unexpected_character at "/a"'],
    ['{"a"::1}', 'unexpected_character at "/a"'],
    ['{"a":}', 'unexpected_character at "/a"'],
    ['{"a":1,2:3}', 'unexpected_character at ""'],
    [']', 'unexpected_character at ""'],
    ['1 2', 'trailing_text at ""'],
    ['{}{}', 'trailing_text at ""'],
    ['[]]', 'trailing_text at ""'],
    ['1\u0000', 'trailing_text at ""'],
    ['01', 'bad_number at ""'],
    ['-01', 'bad_number at ""'],
    ['00', 'bad_number at ""'],
    ['-', 'bad_number at ""'],
    ['+1', 'unexpected_character at ""'],
    ['.5', 'unexpected_character at ""'],
    ['1.', 'bad_number at ""'],
    ['1.e1', 'bad_number at ""'],
    ['1e', 'bad_number at ""'],
    ['1e+', 'bad_number at ""'],
    ['1.5e', 'bad_number at ""'],
    ['[0x10]', 'unexpected_character at "/1"'],
    ['"a\nb"', 'control_character at ""'],
    ['"a\tb"', 'control_character at ""'],
    ['"\u0000"', 'control_character at ""'],
    ['"\\n\u001f"', 'control_character at ""'],
    ['"\\n\u001f', 'control_character at ""'],
    ['["\\q","\u0001"]', 'bad_escape at "/0"'],
    ['"\\x41"', 'bad_escape at ""'],
    ['"\\u12"', 'bad_escape at ""'],
    ['"\\u12g4"', 'bad_escape at ""'],
    ['"\\U0041"', 'bad_escape at ""'],
    ['{"\\q":1}', 'bad_escape at ""'],
    ['"\\ud800"', 'lone_surrogate at ""'],
    ['"\\ude00\\ud83d"', 'lone_surrogate at ""'],
    ['{"a":["\\ud83d"]}', 'lone_surrogate at "/a/0"'],
    ['{"a":1,"\\udc00":2}', 'lone_surrogate at ""'],
  ])('refuses %j', (text, refusal) => {
    expect(read(text)).toBe(refusal);
  });

  it.each([
    [[0xef, 0xbb, 0xbf, 0x31], 'byte_order_mark at ""'],
    [[0x22, 0xff, 0x22], 'not_utf8 at ""'],
    [[0x22, 0xc0, 0x80, 0x22], 'not_utf8 at ""'],
    [[0x22, 0xed, 0xa0, 0x80, 0x22], 'not_utf8 at ""'],
    [[0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], 'not_utf8 at ""'],
    [[0x22, 0xe2, 0x82], 'not_utf8 at ""'],
    [[0xff, 0xfe, 0x31, 0x00], 'not_utf8 at ""'],
    [[0x00, 0x31], 'unexpected_character at ""'],
  ])('refuses the bytes %j', (bytes, refusal) => {
    expect(read(bytes)).toBe(refusal);
  });

  it('043: refuses a number beyond all doubles and never takes it for null', () => {
    expect(read('{"n":1e400}')).toBe('number_not_finite at "/n"');
    expect(read('{"n":-1e400}')).toBe('number_not_finite at "/n"');
    expect(read('{"n":null}')).toStrictEqual({ n: null });
  });

  it.each(['9007199254740992', '9007199254740993', '-9007199254740992', '9007199254740993.0', '9007199254740991.5', '1e21', '1E300', '123456789012345678901234567890'])(
    '044: refuses the integer %s, which shares its double with a neighbour',
    (number) => {
      expect(read(`{"id":${number}}`)).toBe('integer_out_of_range at "/id"');
    },
  );

  it('046: refuses 2^54 like every integer beyond the safe range, names its place and says what to send', () => {
    const reading = readJson(utf8.encode('{"order":{"lines":[{"n":18014398509481984}]}}'));
    expect(reading).toMatchObject({ ok: false, refusal: { pointer: '/order/lines/0/n', reason: 'integer_out_of_range', hint: 'send integers beyond 2^53−1 as strings' } });
  });

  it.each([
    ['{"tool":"pay","args":{"amount":10,"amount":10000}}', '/args/amount'],
    ['{"tool":"pay","tool":"refund"}', '/tool'],
    ['{"a":1,"\\u0061":2}', '/a'],
    ['{"\\u0061":1,"a":2}', '/a'],
    ['[{"😀":1,"\\ud83d\\ude00":1}]', '/0/😀'],
    ['{"__proto__":1,"__proto__":2}', '/__proto__'],
    ['{"":1,"":1}', '/'],
    ['{"1":1,"2":2,"1":3}', '/1'],
    ['{"b":{"a":1},"a":{"a":1},"b":0}', '/b'],
  ])('059: refuses the duplicate key in %s', (text, pointer) => {
    expect(read(text)).toBe(`duplicate_key at "${pointer}"`);
  });

  it('059: lets objects beside and inside each other have the same keys', () => {
    expect(read('{"a":{"a":1},"b":[{"a":1},{"a":2}]}')).toStrictEqual({ a: { a: 1 }, b: [{ a: 1 }, { a: 2 }] });
  });

  it('202: keeps a member that no schema knows, so that it is hashed, shown and run or refused later', () => {
    expect(canonicalJson(read('{"path":"/a","force":true}') as never)).toBe('{"force":true,"path":"/a"}');
  });
});

describe('limits', () => {
  it('052: takes 64 levels, refuses the 65th where it opens, and counts scalars as no level', () => {
    expect(canonicalJson(read(nested(64)) as never)).toBe(nested(64));
    expect(read(nested(64, '1'))).not.toBeTypeOf('string');
    expect(read(nested(65))).toBe(`too_deep at "${'/0'.repeat(64)}"`);
    expect(read('{"a":'.repeat(65))).toBe(`too_deep at "${'/a'.repeat(64)}"`);
  });

  it.each([100, 2000, 10_000, 500_000])('052: refuses %i levels without a crash', (levels) => {
    expect(read(nested(levels))).toContain('too_deep');
  });

  it('takes exactly as many bytes as allowed', () => {
    expect(read('[1,2]', { max_bytes: 5 })).toStrictEqual([1, 2]);
    expect(read('[1,2]', { max_bytes: 4 })).toBe('too_large at ""');
    expect(read(`"${'x'.repeat(JSON_LIMITS.max_bytes - 2)}"`)).toHaveLength(JSON_LIMITS.max_bytes - 2);
    expect(read(`"${'x'.repeat(JSON_LIMITS.max_bytes - 1)}"`)).toBe('too_large at ""');
  });

  it('looks at the size before anything else', () => {
    expect(read([0xff, 0xff, 0xff], { max_bytes: 2 })).toBe('too_large at ""');
  });

  it('counts members and elements of all levels together', () => {
    expect(read('[1,{"a":[]}]', { max_members: 3 })).toStrictEqual([1, { a: [] }]);
    expect(read('[1,{"a":[]}]', { max_members: 2 })).toBe('too_many_members at "/1"');
    expect(read('{"a":1,"b":2}', { max_members: 1 })).toBe('too_many_members at ""');
    expect(read('[]', { max_members: 0 })).toStrictEqual([]);
  });

  it('takes exactly as many levels as allowed', () => {
    expect(read('[[1]]', { max_depth: 2 })).toStrictEqual([[1]]);
    expect(read('[[1]]', { max_depth: 1 })).toBe('too_deep at "/0"');
    expect(read('1', { max_depth: 0 })).toBe(1);
    expect(read('{}', { max_depth: 0 })).toBe('too_deep at ""');
  });

  it('keeps its own limit where the caller’s is undefined', () => {
    expect(read(nested(65), { max_depth: undefined })).toContain('too_deep');
    expect(read(`"${'x'.repeat(JSON_LIMITS.max_bytes)}"`, { max_bytes: undefined })).toContain('too_large');
    expect(read(`[${'0,'.repeat(250_000)}0]`, { max_members: undefined })).toContain('too_many_members');
  });

  it('keeps its own limits where the caller names none', () => {
    expect(JSON_LIMITS).toStrictEqual({ max_bytes: 1_048_576, max_depth: 64, max_members: 250_000 });
    expect(read(`[${'0,'.repeat(250_000)}0]`)).toBe('too_many_members at "/250000"');
  });
});

describe('text that is decoded already', () => {
  it('is read like its bytes', () => {
    expect(readJsonText('{"é":[1,"😀"]}')).toStrictEqual(readJson(utf8.encode('{"é":[1,"😀"]}')));
    expect(readJsonText('{"a":1,"a":2}')).toStrictEqual(readJson(utf8.encode('{"a":1,"a":2}')));
    expect(readJsonText('\ufeff1')).toMatchObject({ refusal: { reason: 'byte_order_mark' } });
  });

  it('is refused when it holds half of a surrogate pair', () => {
    expect(readJsonText('["\ud800"]')).toMatchObject({ ok: false, refusal: { reason: 'lone_surrogate', pointer: '' } });
  });

  it('is measured in bytes', () => {
    expect(readJsonText('"é"', { max_bytes: 4 })).toMatchObject({ ok: true });
    expect(readJsonText('"é"', { max_bytes: 3 })).toMatchObject({ refusal: { reason: 'too_large' } });
  });
});

describe('refusals', () => {
  it('escape what RFC 6901 escapes', () => {
    expect(read('{"a/b":{"m~n":[0,{"":tru}]}}')).toBe('unexpected_character at "/a~1b/m~0n/1/"');
  });

  it('name an ancestor rather than grow with the text', () => {
    const reading = readJson(utf8.encode(`{"short":{"${'k'.repeat(100_000)}":tru}}`));
    expect(reading).toMatchObject({ ok: false, refusal: { pointer: '/short' } });
  });

  it('show pointers of up to 512 characters whole', () => {
    const pointerOf = (key: string): string => (read(`{"short":{"${key}":tru}}`) as string).slice('unexpected_character at '.length);
    expect(pointerOf('k'.repeat(505))).toBe(`"/short/${'k'.repeat(505)}"`);
    expect(pointerOf('k'.repeat(506))).toBe('"/short"');
  });

  it('say a sentence for every reason and repeat nothing of the text', () => {
    for (const [reason, { detail }] of Object.entries(JSON_REFUSALS)) {
      expect(reason).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*$/);
      expect(detail).toMatch(/^[A-Z].*\.$/);
    }
    expect(JSON.stringify(readJson(utf8.encode('{"a":"hunter2\\q"}')))).not.toContain('hunter2');
  });
});
