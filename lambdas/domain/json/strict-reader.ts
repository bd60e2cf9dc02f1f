// Reads JSON bytes into a value, or says where and why not. What it accepts has one meaning in every language:
// no duplicate keys, no half characters, no number that a double would change, and nothing is repaired.
// One pass with an explicit stack, so no input can exhaust the call stack; it never throws.
// Every byte that is hashed, shown or run passed through here first.

import { JSON_LIMITS } from './json-limits.ts';
import type { JsonLimits } from './json-limits.ts';
import { refuseJson } from './json-refusal.ts';
import type { JsonRefusal, JsonRefusalReason } from './json-refusal.ts';
import { readNumber, readString, readWord, refuseAt, skipWhiteSpace } from './json-scalars.ts';
import type { JsonCursor } from './json-scalars.ts';
import type { JsonValue } from './json-value.ts';

export type JsonReading = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly refusal: JsonRefusal };

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const LETTER_F = 0x66;
const LETTER_N = 0x6e;
const LETTER_T = 0x74;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

type Container = JsonValue[] | Record<string, JsonValue>;

interface Frame {
  readonly container: Container;
  /** Of an object: the key whose value is being read. */
  key: string | undefined;
}

interface Reading extends JsonCursor {
  readonly limits: JsonLimits;
  readonly stack: Frame[];
  members: number;
}

export function readJson(bytes: Uint8Array, limits: Partial<JsonLimits> = {}): JsonReading {
  const bounds = { ...JSON_LIMITS, ...limits };
  if (bytes.byteLength > bounds.max_bytes) return refused('too_large', []);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return refused('byte_order_mark', []);
  const text = decode(bytes);
  if (text === undefined) return refused('not_utf8', []);
  const reading: Reading = { text, at: 0, reason: undefined, limits: bounds, stack: [], members: 0 };
  const value = readText(reading);
  return value === undefined ? refused(reading.reason ?? 'unexpected_character', pathOf(reading.stack)) : { ok: true, value };
}

function refused(reason: JsonRefusalReason, path: readonly (string | number)[]): JsonReading {
  return { ok: false, refusal: refuseJson(reason, path) };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function pathOf(stack: readonly Frame[]): (string | number)[] {
  const path: (string | number)[] = [];
  for (const { container, key } of stack) {
    if (Array.isArray(container)) path.push(container.length);
    else if (key !== undefined) path.push(key);
  }
  return path;
}

function readText(reading: Reading): JsonValue | undefined {
  let value = readValue(reading);
  while (value !== undefined) {
    const frame = reading.stack.at(-1);
    if (frame === undefined) return atEnd(reading) ? value : undefined;
    put(frame, value);
    value = readNext(reading, frame);
  }
  return undefined;
}

function atEnd(reading: Reading): boolean {
  skipWhiteSpace(reading);
  if (reading.at < reading.text.length) reading.reason = 'trailing_text';
  return reading.reason === undefined;
}

/** `__proto__` becomes an own key like any other; plain assignment would set the prototype instead. */
function put({ container, key }: Frame, value: JsonValue): void {
  if (Array.isArray(container)) container.push(value);
  else if (key === '__proto__') Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
  else if (key !== undefined) container[key] = value;
}

/** Opens containers until the first complete value, which is a scalar or an empty container. */
function readValue(reading: Reading): JsonValue | undefined {
  for (;;) {
    const code = skipWhiteSpace(reading);
    if (code !== OPEN_OBJECT && code !== OPEN_ARRAY) return readScalar(reading, code);
    if (reading.stack.length >= reading.limits.max_depth) { refuseAt(reading, 'too_deep'); return; }
    reading.at += 1;
    const frame: Frame = { container: code === OPEN_OBJECT ? {} : [], key: undefined };
    if (skipWhiteSpace(reading) === code + 2) {
      reading.at += 1;
      return frame.container;
    }
    reading.stack.push(frame);
    if (!startMember(reading, frame)) return undefined;
  }
}

function readScalar(reading: Reading, code: number): JsonValue | undefined {
  if (code === QUOTE) return readString(reading);
  if (code === MINUS || (code >= ZERO && code <= NINE)) return readNumber(reading);
  if (code === LETTER_T) return readWord(reading, 'true', true);
  if (code === LETTER_F) return readWord(reading, 'false', false);
  if (code === LETTER_N) return readWord(reading, 'null', null);
  refuseAt(reading, 'unexpected_character');
}

/** After a value: the next one of the same container, or the container itself when it closes here. */
function readNext(reading: Reading, frame: Frame): JsonValue | undefined {
  const code = skipWhiteSpace(reading);
  reading.at += 1;
  if (code === COMMA) return startMember(reading, frame) ? readValue(reading) : undefined;
  if (code === (Array.isArray(frame.container) ? CLOSE_ARRAY : CLOSE_OBJECT)) {
    reading.stack.pop();
    return frame.container;
  }
  reading.at -= 1;
  refuseAt(reading, 'unexpected_character');
}

function startMember(reading: Reading, frame: Frame): boolean {
  reading.members += 1;
  if (reading.members > reading.limits.max_members) reading.reason = 'too_many_members';
  else if (!Array.isArray(frame.container)) readKey(reading, frame, frame.container);
  return reading.reason === undefined;
}

function readKey(reading: Reading, frame: Frame, object: Record<string, JsonValue>): void {
  frame.key = undefined;
  if (skipWhiteSpace(reading) !== QUOTE) { refuseAt(reading, 'unexpected_character'); return; }
  frame.key = readString(reading);
  if (frame.key === undefined) return;
  if (Object.hasOwn(object, frame.key)) reading.reason = 'duplicate_key';
  else if (skipWhiteSpace(reading) !== COLON) refuseAt(reading, 'unexpected_character');
  else reading.at += 1;
}
