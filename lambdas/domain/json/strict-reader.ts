// Reads JSON bytes into a value, or says where and why not. What it accepts has one meaning in every language:
// no duplicate keys, no half characters, no number that a double would change, and nothing is repaired.
// One pass with an explicit stack, so no input can exhaust the call stack; it never throws.
// Every byte that is hashed, shown or run passed through here first. The native parser reads single strings for it
// and never an object, because there it may take one key for another (nodejs/node#63785).

import { Buffer } from 'node:buffer';
import { codeAt, nextCode, refuse, skipSpace } from './json-cursor.ts';
import type { JsonCursor } from './json-cursor.ts';
import { withDefaults } from './json-limits.ts';
import type { JsonLimits } from './json-limits.ts';
import { close, open, pathOf, put } from './json-nesting.ts';
import type { Nesting } from './json-nesting.ts';
import { readNumber } from './json-numbers.ts';
import { refuseJson } from './json-refusal.ts';
import type { JsonRefusal, JsonRefusalReason } from './json-refusal.ts';
import { readString } from './json-strings.ts';
import type { JsonValue } from './json-value.ts';

export type JsonReading = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly refusal: JsonRefusal };

interface Reading extends JsonCursor, Nesting {
  readonly limits: JsonLimits;
  members: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const BYTE_ORDER_MARK = 0xfeff;
const LETTER_F = 0x66;
const LETTER_T = 0x74;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** White space around the value is allowed, a byte order mark is not. See JSON_REFUSALS for every reason to refuse. */
export function readJson(bytes: Uint8Array, limits?: Partial<JsonLimits>): JsonReading {
  const bounds = withDefaults(limits);
  if (bytes.byteLength > bounds.max_bytes) return refused('too_large', []);
  const text = decode(bytes);
  return text === undefined ? refused('not_utf8', []) : readText(text, bounds);
}

/** For text that was decoded before it reached us. JSON.parse is no substitute: it may mistake keys (nodejs/node#63785). */
export function readJsonText(text: string, limits?: Partial<JsonLimits>): JsonReading {
  const bounds = withDefaults(limits);
  if (text.length > bounds.max_bytes || Buffer.byteLength(text) > bounds.max_bytes) return refused('too_large', []);
  return text.isWellFormed() ? readText(text, bounds) : refused('lone_surrogate', []);
}

function refused(reason: JsonRefusalReason, path: readonly (string | number)[]): JsonReading {
  return { ok: false, refusal: refuseJson(reason, path) };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function readText(text: string, limits: JsonLimits): JsonReading {
  if (codeAt(text, 0) === BYTE_ORDER_MARK) return refused('byte_order_mark', []);
  const reading: Reading = { text, at: 0, reason: undefined, limits, members: 0, depth: 0, array: undefined, object: {}, key: undefined, outer: [], outerKeys: [] };
  let value = readValue(reading);
  while (value !== undefined && reading.depth > 0) value = readNext(reading, value);
  if (value !== undefined && skipSpace(reading) !== -1) reading.reason = 'trailing_text';
  return value === undefined || reading.reason !== undefined ? refused(reading.reason ?? 'unexpected_character', pathOf(reading)) : { ok: true, value };
}

/** Opens containers until the first complete value, which is a scalar or an empty container. */
function readValue(reading: Reading): JsonValue | undefined {
  for (;;) {
    const code = nextCode(reading);
    if (code !== OPEN_OBJECT && code !== OPEN_ARRAY) return readScalar(reading, code);
    if (reading.depth >= reading.limits.max_depth) {
      reading.reason = 'too_deep';
      return undefined;
    }
    reading.at += 1;
    if (nextCode(reading) === code + 2) {
      reading.at += 1;
      return code === OPEN_OBJECT ? {} : [];
    }
    open(reading, code === OPEN_ARRAY);
    if (!startMember(reading)) return undefined;
  }
}

function readScalar(reading: Reading, code: number): JsonValue | undefined {
  if (code === QUOTE) return readString(reading);
  if (code === MINUS || (code >= ZERO && code <= NINE)) return readNumber(reading);
  return readWord(reading, code === LETTER_T ? true : code === LETTER_F ? false : null);
}

/** `value` is what the first letter promises. */
function readWord<Value extends boolean | null>(cursor: JsonCursor, value: Value): Value | undefined {
  const word = String(value);
  const { text, at } = cursor;
  if (text.startsWith(word, at)) {
    cursor.at += word.length;
    return value;
  }
  cursor.reason = word.startsWith(text.slice(at)) ? 'unexpected_end' : 'unexpected_character';
  return undefined;
}

/** After a value: the next one of the same container, or the container itself when it closes here. */
function readNext(reading: Reading, value: JsonValue): JsonValue | undefined {
  put(reading, value);
  const code = nextCode(reading);
  if (code === COMMA) {
    reading.at += 1;
    return startMember(reading) ? readValue(reading) : undefined;
  }
  if (code === (reading.array === undefined ? CLOSE_OBJECT : CLOSE_ARRAY)) {
    reading.at += 1;
    return close(reading);
  }
  refuse(reading, 'unexpected_character');
  return undefined;
}

function startMember(reading: Reading): boolean {
  reading.key = undefined;
  reading.members += 1;
  if (reading.members <= reading.limits.max_members) return reading.array !== undefined || readKey(reading);
  reading.reason = 'too_many_members';
  return false;
}

function readKey(reading: Reading): boolean {
  if (nextCode(reading) !== QUOTE) return refuseCharacter(reading);
  const key = readString(reading);
  if (key === undefined) return false;
  reading.key = key;
  if (Object.hasOwn(reading.object, key)) {
    reading.reason = 'duplicate_key';
    return false;
  }
  if (nextCode(reading) !== COLON) return refuseCharacter(reading);
  reading.at += 1;
  return true;
}

function refuseCharacter(reading: Reading): false {
  refuse(reading, 'unexpected_character');
  return false;
}
