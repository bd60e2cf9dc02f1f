// Reads one string, number or word of a JSON text at the cursor, exactly as RFC 8259 writes them.
// A reader answers undefined when it refuses, and leaves the reason in the cursor.
// Apart from the strict reader, which knows only containers, limits and duplicate keys.

import type { JsonRefusalReason } from './json-refusal.ts';

export interface JsonCursor {
  readonly text: string;
  at: number;
  reason: JsonRefusalReason | undefined;
}

export function skipWhiteSpace(cursor: JsonCursor): number {
  const { text } = cursor;
  let code = text.charCodeAt(cursor.at);
  while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++cursor.at);
  return code;
}

export function refuseAt(cursor: JsonCursor, reason: JsonRefusalReason): undefined {
  cursor.reason = cursor.at >= cursor.text.length ? 'unexpected_end' : reason;
  return undefined;
}

/** The cursor stands on the opening quote. */
export function readString(cursor: JsonCursor): string | undefined {
  const { text } = cursor;
  const start = cursor.at + 1;
  let escaped = false;
  let at = start;
  for (; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) break;
    if (code === 0x5c) {
      escaped = true;
      at += 1;
    } else if (!(code >= 0x20)) {
      cursor.at = at;
      refuseAt(cursor, 'control_character'); return;
    }
  }
  cursor.at = at + 1;
  return escaped ? unescape(cursor, start) : text.slice(start, at);
}

/** Raw text is well formed once it was UTF-8, so only escapes can bring in half a surrogate pair. */
function unescape(cursor: JsonCursor, start: number): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(cursor.text.slice(start - 1, cursor.at));
  } catch {
    cursor.reason = 'bad_escape';
    return undefined;
  }
  if (typeof value === 'string' && value.isWellFormed()) return value;
  cursor.reason = 'lone_surrogate';
  return undefined;
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

export function readNumber(cursor: JsonCursor): number | undefined {
  NUMBER.lastIndex = cursor.at;
  const match = NUMBER.exec(cursor.text);
  if (match === null) { refuseAt(cursor, 'bad_number'); return; }
  cursor.at += match[0].length;
  const next = cursor.text.charCodeAt(cursor.at);
  if ((next >= 0x30 && next <= 0x39) || next === 0x2e || next === 0x65 || next === 0x45) { refuseAt(cursor, 'bad_number'); return; }
  return checkNumber(cursor, Number(match[0]));
}

function checkNumber(cursor: JsonCursor, value: number): number | undefined {
  if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return value === 0 ? 0 : value;
  cursor.reason = Number.isFinite(value) ? 'integer_out_of_range' : 'number_not_finite';
  return undefined;
}

export function readWord<T extends boolean | null>(cursor: JsonCursor, word: string, value: T): T | undefined {
  if (!cursor.text.startsWith(word, cursor.at)) {
    cursor.reason = word.startsWith(cursor.text.slice(cursor.at)) ? 'unexpected_end' : 'unexpected_character';
    return undefined;
  }
  cursor.at += word.length;
  return value;
}
