// A place in a JSON text, and what every part of the reader does with it.
// A part that refuses answers undefined or false, and leaves the reason here.

import type { JsonRefusalReason } from './json-refusal.ts';

export interface JsonCursor {
  /** Decoded from valid UTF-8, so well formed. */
  readonly text: string;
  at: number;
  reason: JsonRefusalReason | undefined;
}

/** −1 past the end: never NaN, so that the optimising compiler keeps to whole numbers. */
export function codeAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : -1;
}

export function refuse(cursor: JsonCursor, reason: JsonRefusalReason): void {
  cursor.reason = cursor.at < cursor.text.length ? reason : 'unexpected_end';
}

/** Moves to the next character that is not white space and answers its code; −1 at the end. */
export function skipSpace(cursor: JsonCursor): number {
  const { text } = cursor;
  let { at } = cursor;
  let code = codeAt(text, at);
  while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = codeAt(text, ++at);
  cursor.at = at;
  return code;
}

export function nextCode(cursor: JsonCursor): number {
  const code = codeAt(cursor.text, cursor.at);
  return code > 0x20 ? code : skipSpace(cursor);
}
