// Reads one number at the cursor, exactly as RFC 8259 section 6 writes them, if a double can stand for it:
// other decimals than integers become the nearest double, as RFC 8785 has it; integers must be exact.

import { codeAt } from './json-cursor.ts';
import type { JsonCursor } from './json-cursor.ts';

const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const CAPITAL_E = 0x45;
const SMALL_E = 0x65;

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
