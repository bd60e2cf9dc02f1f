// Reads one string at the cursor, exactly as RFC 8259 section 7 writes them, with whole characters only.
// Plain strings are cut from the text; one with escapes is left to the native parser, once its end is found.

import { codeAt } from './json-cursor.ts';
import type { JsonCursor } from './json-cursor.ts';
import type { JsonRefusalReason } from './json-refusal.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

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
