// Reads one string, number or word of a JSON text at the cursor, exactly as RFC 8259 writes them.
// A reader answers undefined when it refuses, and leaves the reason in the cursor.
// Apart from the strict reader, which knows only containers, limits and duplicate keys.

import type { JsonRefusalReason } from './json-refusal.ts';

export interface JsonCursor {
  /** Decoded from valid UTF-8, so well formed. */
  readonly text: string;
  at: number;
  reason: JsonRefusalReason | undefined;
}

const QUOTE = 0x22;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const CAPITAL_E = 0x45;
const BACKSLASH = 0x5c;
const SMALL_E = 0x65;

/** −1 past the end: never NaN, so that the optimising compiler keeps to whole numbers. */
export function codeAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : -1;
}

export function refuse(cursor: JsonCursor, reason: JsonRefusalReason): void {
  cursor.reason = cursor.at < cursor.text.length ? reason : 'unexpected_end';
}

/** `value` is what the first letter promises. */
export function readWord<Value extends boolean | null>(cursor: JsonCursor, value: Value): Value | undefined {
  const word = String(value);
  const { text, at } = cursor;
  if (text.startsWith(word, at)) {
    cursor.at += word.length;
    return value;
  }
  cursor.reason = word.startsWith(text.slice(at)) ? 'unexpected_end' : 'unexpected_character';
  return undefined;
}

/** The cursor stands on the opening quote. */
export function readString(cursor: JsonCursor): string | undefined {
  const start = cursor.at + 1;
  const end = afterPlain(cursor.text, start);
  if (codeAt(cursor.text, end) !== QUOTE) return readEscaped(cursor, end);
  cursor.at = end + 1;
  return cursor.text.slice(start, end);
}

/** To the first quote, backslash or control character, or to the end of the text. */
function afterPlain(text: string, from: number): number {
  let at = from;
  let code = codeAt(text, at);
  while (code >= 0x20 && code !== QUOTE && code !== BACKSLASH) code = codeAt(text, ++at);
  return at;
}

/** The native parser knows the escapes; the text is well formed, so only they can bring in half a surrogate pair. */
function readEscaped(cursor: JsonCursor, special: number): string | undefined {
  const { text, at } = cursor;
  const end = closingQuote(text, special);
  const value = end === -1 ? undefined : parseQuoted(text.slice(at, end + 1));
  if (value?.isWellFormed() === true) {
    cursor.at = end + 1;
    return value;
  }
  cursor.reason = value === undefined ? whyNotString(text, special, end) : 'lone_surrogate';
  return undefined;
}

/** A quote ends the string unless an odd number of backslashes stands before it. */
function closingQuote(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end !== -1) {
    let run = end;
    while (run > from && codeAt(text, run - 1) === BACKSLASH) run -= 1;
    if ((end - run) % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return -1;
}

function parseQuoted(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}

function whyNotString(text: string, from: number, end: number): JsonRefusalReason {
  const last = end === -1 ? text.length : end;
  for (let at = from; at < last; at += 1) {
    if (codeAt(text, at) < 0x20) return 'control_character';
  }
  return end === -1 ? 'unexpected_end' : 'bad_escape';
}

/** The cursor stands on a digit or a minus sign. */
export function readNumber(cursor: JsonCursor): number | undefined {
  const { text, at: start } = cursor;
  let value = 0;
  let at = start;
  let code = codeAt(text, at);
  while (code >= ZERO && code <= NINE) {
    value = value * 10 + code - ZERO;
    code = codeAt(text, ++at);
  }
  const exact = at > start && at - start <= 15 && code !== POINT && code !== SMALL_E && code !== CAPITAL_E;
  if (!exact || (at > start + 1 && codeAt(text, start) === ZERO)) return readLongNumber(cursor);
  cursor.at = at;
  return value;
}

/** All that is not a plain integer of at most 15 digits. */
function readLongNumber(cursor: JsonCursor): number | undefined {
  const { text, at: start } = cursor;
  const first = codeAt(text, start) === MINUS ? start + 1 : start;
  const whole = afterDigits(text, first);
  const end = afterExponent(text, afterFraction(text, whole));
  const value = whole === first || (codeAt(text, first) === ZERO && whole > first + 1) || end === -1 ? NaN : Number(text.slice(start, end));
  // Every double from 2^53 on is an integer, so this refuses 1e21 and 9007199254740993.0 too.
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) {
    cursor.at = end;
    return value === 0 ? 0 : value;
  }
  if (Number.isNaN(value)) cursor.reason = 'bad_number';
  else cursor.reason = Number.isFinite(value) ? 'integer_out_of_range' : 'number_not_finite';
  return undefined;
}

function afterDigits(text: string, from: number): number {
  let at = from;
  let code = codeAt(text, at);
  while (code >= ZERO && code <= NINE) code = codeAt(text, ++at);
  return at;
}

/** −1 when the point is not followed by digits. */
function afterFraction(text: string, at: number): number {
  if (codeAt(text, at) !== POINT) return at;
  const end = afterDigits(text, at + 1);
  return end === at + 1 ? -1 : end;
}

/** −1 when the exponent has no digits, or the fraction had none. */
function afterExponent(text: string, at: number): number {
  const mark = at === -1 ? -1 : codeAt(text, at);
  if (mark !== SMALL_E && mark !== CAPITAL_E) return at;
  const sign = codeAt(text, at + 1);
  const digits = sign === PLUS || sign === MINUS ? at + 2 : at + 1;
  const end = afterDigits(text, digits);
  return end === digits ? -1 : end;
}
