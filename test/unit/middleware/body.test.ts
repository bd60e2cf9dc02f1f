import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { LIMITS } from '../../../lambdas/domain/limits.ts';
import { readFormBody, readJsonBody } from '../../../lambdas/middleware/body.ts';
import type { HttpEvent } from '../../../lambdas/middleware/http-function.ts';
import { recorded, withSignature, withToken } from './recorded-requests.ts';

const schema = z.strictObject({ tool: z.string(), arguments: z.unknown().optional(), count: z.int().optional() });

function posting(body: string | Uint8Array | undefined, headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' }, more: Readonly<Record<string, unknown>> = {}): HttpEvent {
  const event = recorded(withSignature, { headers });
  if (body instanceof Uint8Array) return { ...event, body: Buffer.from(body).toString('base64'), isBase64Encoded: true, ...more };
  return { ...event, ...(body === undefined ? { body: undefined } : { body }), isBase64Encoded: false, ...more };
}

function refusalOf(event: HttpEvent, max_bytes?: number) {
  const read = readJsonBody(event, schema, max_bytes);
  return read.ok ? undefined : { code: read.refusal.code, ...read.refusal.more };
}

describe('a JSON body', () => {
  test('as AWS delivers it is read', () => {
    const read = readJsonBody(recorded(withToken), z.strictObject({ arguments_hash: z.string(), decision: z.string() }));
    expect(read).toMatchObject({ ok: true, body: { decision: 'approve' } });
  });

  test('is the same body as text and as base64 (193)', () => {
    const text = '{"tool":"refund \u00fc \u{1f469}"}';
    const [plain, encoded] = [readJsonBody(posting(text), schema), readJsonBody(posting(Buffer.from(text)), schema)];
    expect(plain).toMatchObject({ ok: true, body: { tool: 'refund \u00fc \u{1f469}' } });
    expect(encoded).toEqual(plain);
  });

  test('keeps the reader\u2019s own value beside what the schema made of it', () => {
    const read = readJsonBody(posting('{"tool":" x "}'), z.strictObject({ tool: z.string().trim() }));
    expect(read).toMatchObject({ ok: true, body: { tool: 'x' }, raw: { tool: ' x ' } });
  });

  test.each([
    ['nothing', undefined, 'unexpected_end'],
    ['an empty text', '', 'unexpected_end'],
    ['a cut text', '{"tool":"x"', 'unexpected_end'],
    ['a text with more behind it', '{"tool":"x"} {}', 'trailing_text'],
    ['single quotes', "{'tool':'x'}", 'unexpected_character'],
    ['a trailing comma', '{"tool":"x",}', 'unexpected_character'],
    ['a comment', '{"tool":"x"/* */}', 'unexpected_character'],
    ['a byte order mark', '\ufeff{"tool":"x"}', 'byte_order_mark'],
    ['an unescaped line break', '{"tool":"x\n"}', 'control_character'],
    ['a duplicate key', '{"tool":"x","tool":"y"}', 'duplicate_key'],
    ['a duplicate key behind an escape', '{"tool":"x","\\u0074ool":"y"}', 'duplicate_key'],
    ['an infinite number', '{"tool":"x","count":1e400}', 'number_not_finite'],
    ['half a surrogate pair', '{"tool":"\\ud800"}', 'lone_surrogate'],
  ])('of %s is refused', (_, body, reason) => {
    expect(refusalOf(posting(body))).toMatchObject({ code: 'invalid_request', reason });
  });

  test.each([
    ['a duplicate key', '{"tool":"x","arguments":{"a":1,"\\u0061":2}}', '/arguments', 'duplicate_key'],
    ['a number that a double bends', '{"tool":"x","arguments":{"n":[9007199254740993]}}', '/arguments/n/0', 'integer_out_of_range'],
  ])('with %s inside the arguments is not canonical, and the refusal says where', (_, body, pointer, reason) => {
    expect(refusalOf(posting(body))).toMatchObject({ code: 'arguments_not_canonical', pointer: expect.stringContaining(pointer) as string, reason });
  });

  test('that is not UTF-8 is refused, and nothing is put in place of the bytes', () => {
    for (const bytes of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
      const body = Buffer.concat([Buffer.from('{"tool":"'), Buffer.from(bytes), Buffer.from('"}')]);
      expect(refusalOf(posting(body))).toMatchObject({ code: 'invalid_request', reason: 'not_utf8' });
    }
  });

  test('whose text holds half a surrogate pair is refused, and nothing is put in its place', () => {
    expect(refusalOf(posting('{"tool":"\ud800"}'))).toMatchObject({ code: 'invalid_request' });
  });

  test('may be nested 64 deep, and is refused at 65', () => {
    const nested = (depth: number): string => `{"tool":"x","arguments":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    expect(refusalOf(posting(nested(64)))).toBeUndefined();
    expect(refusalOf(posting(nested(65)))).toMatchObject({ code: 'arguments_not_canonical', reason: 'too_deep' });
    expect(refusalOf(posting(nested(100_000)))).toMatchObject({ code: 'arguments_not_canonical', reason: 'too_deep' });
  });

  test.each([
    ['an unknown field', '{"tool":"x","force":true}', 'force'],
    ['an unknown field that is part of every object', '{"tool":"x","constructor":1}', 'constructor'],
    ['a missing field', '{}', 'tool'],
    ['a wrong type', '{"tool":5}', 'tool'],
    ['a number in place of an integer', '{"tool":"x","count":1.5}', 'count'],
    ['a text in place of an integer', '{"tool":"x","count":"1"}', 'count'],
    ['null in place of nothing', '{"tool":"x","count":null}', 'count'],
    ['a list', '[]', ''],
    ['a bare value', '"x"', ''],
    ['null', 'null', ''],
  ])('with %s is refused by the name of the field', (_, body, field) => {
    expect(refusalOf(posting(body))).toEqual({ code: 'invalid_request', field });
  });

  test('with the unknown field __proto__ is refused like any other', () => {
    expect(refusalOf(posting('{"tool":"x","__proto__":{"tool":"y"}}'))).toMatchObject({ code: 'invalid_request' });
    expect(refusalOf(posting('{"__proto__":{"tool":"y"}}'))).toMatchObject({ code: 'invalid_request' });
  });

  test('is refused without its values being repeated', () => {
    for (const body of ['{"tool":["CANARY"]}', '{"tool":{"CANARY":1}}', '{"tool":"x","count":"CANARY"}', '{"tool":"CANARY', '{"tool":"x","arguments":{"n":CANARY}}']) {
      const read = readJsonBody(posting(body), schema);
      expect(read.ok).toBe(false);
      expect(JSON.stringify(read)).not.toContain('CANARY');
    }
  });

  test('is refused in few words, however long an unknown field is named', () => {
    const read = readJsonBody(posting(`{"tool":"x","${'k'.repeat(500_000)}":1}`), schema);
    expect(read.ok).toBe(false);
    expect(JSON.stringify(read).length).toBeLessThan(5_000);
  });

  test('never throws, whatever the text is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.uint8Array({ maxLength: 64 })), (body) => {
        const read = readJsonBody(posting(body), schema);
        return read.ok || ['invalid_request', 'arguments_not_canonical'].includes(read.refusal.code);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the size of a body', () => {
  const limit = LIMITS.body_bytes;
  const padded = (bytes: number): string => `{"tool":"${'x'.repeat(bytes - 11)}"}`;

  test('may be 1 MiB and not a byte more, as text and as base64', () => {
    expect(refusalOf(posting(padded(limit)))).toBeUndefined();
    expect(refusalOf(posting(Buffer.from(padded(limit))))).toBeUndefined();
    expect(refusalOf(posting(padded(limit + 1)))).toEqual({ code: 'arguments_too_large', max_bytes: limit });
    expect(refusalOf(posting(Buffer.from(padded(limit + 1))))).toEqual({ code: 'arguments_too_large', max_bytes: limit });
  });

  test('counts bytes, not characters', () => {
    const text = `{"tool":"${'\u20ac'.repeat(349_522)}"}`;
    expect(text.length).toBeLessThan(limit);
    expect(refusalOf(posting(text))).toEqual({ code: 'arguments_too_large', max_bytes: limit });
  });

  test.each([6, 10])('of %i MB is refused before anything is decoded (203)', (megabytes) => {
    const body = 'x'.repeat(megabytes * 1024 * 1024);
    const begun = performance.now();
    expect(refusalOf(posting(body))).toMatchObject({ code: 'arguments_too_large' });
    expect(refusalOf(posting(body, { 'content-type': 'application/json' }, { isBase64Encoded: true }))).toMatchObject({ code: 'arguments_too_large' });
    expect(performance.now() - begun).toBeLessThan(200);
  });

  test('is the route\u2019s own where it has one', () => {
    expect(refusalOf(posting(padded(100)), 100)).toBeUndefined();
    expect(refusalOf(posting(padded(101)), 100)).toEqual({ code: 'arguments_too_large', max_bytes: 100 });
    expect(refusalOf(posting(Buffer.from(padded(101))), 100)).toEqual({ code: 'arguments_too_large', max_bytes: 100 });
  });
});

describe('the base64 flag (194)', () => {
  const json = { 'content-type': 'application/json' };
  const encoded = Buffer.from('{"tool":"x"}').toString('base64');

  test.each([
    ['text that is not base64', '{"tool":"x"}'],
    ['base64 with a character too many', `${encoded}!`],
    ['base64 with a line break', `${encoded.slice(0, 8)}\n${encoded.slice(8)}`],
    ['base64 in the alphabet of URLs', Buffer.from([0xfb, 0xff, 0xfe]).toString('base64url')],
    ['base64 without its padding', Buffer.from('{"tool":"xy"}').toString('base64').replace(/=+$/, '')],
    ['base64 with a bit too many', 'eyJ0b29sIjoieCJ9eyJ='],
  ])('on %s is refused, not half decoded', (_, body) => {
    expect(refusalOf(posting(body, json, { isBase64Encoded: true }))).toEqual({ code: 'invalid_request', field: 'isBase64Encoded' });
  });

  test.each([['true'], ['false'], [1], [null], [{}]])('that is %o is refused', (flag) => {
    expect(refusalOf(posting('{"tool":"x"}', json, { isBase64Encoded: flag }))).toEqual({ code: 'invalid_request', field: 'isBase64Encoded' });
  });

  test('that is missing means text', () => {
    expect(refusalOf(posting('{"tool":"x"}', json, { isBase64Encoded: undefined }))).toBeUndefined();
    expect(refusalOf(posting(encoded, json, { isBase64Encoded: undefined }))).toMatchObject({ code: 'invalid_request' });
  });

  test('that is false does not let base64 be guessed', () => {
    expect(refusalOf(posting(encoded, json))).toMatchObject({ code: 'invalid_request', reason: 'unexpected_character' });
  });
});

describe('the content type (197)', () => {
  test.each(['application/json', 'Application/JSON; Charset=UTF-8', 'application/vnd.x+json', 'application/vnd.countersign.v1+json;charset=utf-8', ' application/json '])('%j is read as JSON', (type) => {
    expect(refusalOf(posting('{"tool":"x"}', { 'content-type': type }))).toBeUndefined();
  });

  test.each(['text/plain', 'text/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp', 'application/json5', 'xapplication/json', 'application/+json', 'application/a b+json', 'application/json, text/plain', ';application/json', ''])('%j is not', (type) => {
    expect(refusalOf(posting('{"tool":"x"}', { 'content-type': type }))).toEqual({ code: 'unsupported_media_type', field: 'content-type' });
  });

  test('that is missing is not, and the body is never taken for undefined', () => {
    expect(refusalOf(posting('{"tool":"x"}', {}))).toEqual({ code: 'unsupported_media_type', field: 'content-type' });
  });
});

test.each(['gzip', 'br', 'deflate', 'identity', 'GZIP, identity'])('a body encoded as %s is refused before it is read (203)', (encoding) => {
  expect(refusalOf(posting('{"tool":"x"}', { 'content-type': 'application/json', 'content-encoding': encoding }))).toEqual({ code: 'unsupported_media_type', field: 'content-encoding' });
});

describe('a form', () => {
  const fields = z.strictObject({ decision: z.string(), comment: z.string().optional() });
  const form = (body: string | Uint8Array): HttpEvent => posting(body, { 'content-type': 'application/x-www-form-urlencoded' });
  const read = (body: string | Uint8Array) => readFormBody(form(body), fields);

  test('is the same form as text and as base64', () => {
    expect(read('decision=approve&comment=ok')).toMatchObject({ ok: true, body: { decision: 'approve', comment: 'ok' } });
    expect(read(Buffer.from('decision=approve&comment=ok'))).toEqual(read('decision=approve&comment=ok'));
  });

  test.each([
    ['a%2Bb', 'a+b'],
    ['a+b', 'a b'],
    ['a%252Bb', 'a%2Bb'],
    ['%C3%BC', '\u00fc'],
    ['a%26decision%3Ddeny', 'a&decision=deny'],
    ['%00', '\u0000'],
  ])('is decoded once: %s is %j (023)', (sent, comment) => {
    expect(read(`decision=approve&comment=${sent}`)).toMatchObject({ ok: true, body: { decision: 'approve', comment } });
  });

  test.each(['decision=approve&decision=deny', 'decision=approve&decision=approve', 'decision=approve&comment=a&comment=', 'decision=approve&%64ecision=deny'])('with a field that stands twice is refused: %s', (body) => {
    expect(read(body)).toMatchObject({ ok: false, refusal: { code: 'invalid_request' } });
  });

  test.each([
    ['an unknown field', 'decision=approve&actor_id=user%3Aben'],
    ['the unknown field __proto__', 'decision=approve&__proto__=x'],
    ['a list by brackets', 'decision[]=approve'],
    ['no field at all', ''],
    ['JSON', '{"decision":"approve"}'],
  ])('with %s is refused', (_, body) => {
    expect(read(body)).toMatchObject({ ok: false, refusal: { code: 'invalid_request' } });
  });

  test('is bounded as decisions are', () => {
    expect(read(`decision=approve&comment=${'x'.repeat(LIMITS.decision_body_bytes)}`)).toMatchObject({ ok: false, refusal: { code: 'arguments_too_large' } });
  });

  test('is refused under the content type of JSON', () => {
    expect(readFormBody(posting('decision=approve'), fields)).toMatchObject({ ok: false, refusal: { code: 'unsupported_media_type' } });
  });
});
