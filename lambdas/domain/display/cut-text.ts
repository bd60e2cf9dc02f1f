/**
 * Cuts text that is visible already to a number of bytes, keeping head and tail and saying how much is between.
 * Never inside a grapheme, an escape or a mark, so that what is left cannot read as something else.
 */
import { Buffer } from 'node:buffer';
import { bytesCutMark, longestMark, marksIn } from './marks.ts';

export interface CutText {
  readonly text: string;
  /** UTF-8 bytes of the visible text that are not shown. */
  readonly cut_bytes: number;
}

const headShare = 0.7;
const oneByteEach = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const nearby = 32;
const longestEscape = 10;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Bytes of the text inside JSON quotes, as `JSON.stringify` writes it in UTF-8. */
export function jsonBytes(text: string): number {
  if (oneByteEach.test(text)) return text.length;
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) bytes += unitBytes(text, index, true);
  return bytes;
}

export function cutText(visible: string, maxBytes: number): CutText {
  if (visible.length * 3 <= maxBytes) return { text: visible, cut_bytes: 0 };
  const bytes = Buffer.byteLength(visible);
  if (bytes <= maxBytes) return { text: visible, cut_bytes: 0 };
  return joinEnds(visible, visible, { room: maxBytes, unseen_bytes: 0, exact: true, as_json: false });
}

/** What lies between `head` and `tail`, which may be two windows of a longer text or the same text twice. */
export interface Ends {
  readonly room: number;
  readonly unseen_bytes: number;
  readonly exact: boolean;
  /** Measures the room in bytes of JSON text: quotes and backslashes count twice. */
  readonly as_json: boolean;
}

export function joinEnds(head: string, tail: string, ends: Ends): CutText {
  const same = head === tail && ends.unseen_bytes === 0;
  const total = Buffer.byteLength(head) + (same ? 0 : Buffer.byteLength(tail)) + ends.unseen_bytes;
  const room = ends.room - Buffer.byteLength(bytesCutMark(total, ends.exact));
  if (room < 0) return { text: ends.room >= 3 ? '…' : '', cut_bytes: total };
  const headEnd = endWithin(head, Math.ceil(room * headShare), ends.as_json);
  const shownHead = head.slice(0, headEnd);
  const used = ends.as_json ? jsonBytes(shownHead) : Buffer.byteLength(shownHead);
  const tailStart = Math.max(same ? headEnd : 0, startWithin(tail, room - used, ends.as_json));
  const shownTail = tail.slice(tailStart);
  const cut = total - Buffer.byteLength(shownHead) - Buffer.byteLength(shownTail);
  return { text: `${shownHead}${bytesCutMark(cut, ends.exact)}${shownTail}`, cut_bytes: cut };
}

function endWithin(text: string, room: number, asJson: boolean): number {
  let left = room;
  let index = 0;
  while (index < text.length && (left -= unitBytes(text, index, asJson)) >= 0) index += 1;
  return index === text.length ? index : cutPoint(text, index);
}

function startWithin(text: string, room: number, asJson: boolean): number {
  let left = room;
  let index = text.length;
  while (index > 0 && (left -= unitBytes(text, index - 1, asJson)) >= 0) index -= 1;
  if (index === 0) return index;
  const before = cutPoint(text, index);
  return before === index ? index : wholeAfter(text, index);
}

/** The nearest place at or before `index` where a cut splits nothing. */
export function cutPoint(text: string, index: number): number {
  const [start] = unitAround(text, index);
  return start;
}

function wholeAfter(text: string, index: number): number {
  const [, end] = unitAround(text, index);
  return end;
}

/** The mark, escape or grapheme that `index` would split, or `index` twice if it splits none. */
function unitAround(text: string, index: number): readonly [number, number] {
  const mark = markAround(text, index) ?? escapeAround(text, index);
  if (mark !== undefined) return mark;
  if (text.charCodeAt(index) < 0x80 && text.charCodeAt(index - 1) < 0x80) return [index, index];
  const from = Math.max(0, index - nearby);
  const segment = graphemes.segment(text.slice(from, index + nearby)).containing(index - from);
  if (segment === undefined || from + segment.index === index) return [index, index];
  return [from + segment.index, from + segment.index + segment.segment.length];
}

/** A host and the mark with its punycode are one unit: a cut between them would leave the host unexplained. */
function markAround(text: string, index: number): readonly [number, number] | undefined {
  const from = Math.max(0, index - longestMark);
  const around = text.slice(from, index + 2 * longestMark);
  // Marks do not overlap, so only the first one that ends behind the cut can be split by it.
  const mark = marksIn(around).find(([, end]) => from + end > index);
  if (mark === undefined) return undefined;
  const start = around.startsWith('⟨host', mark[0]) ? hostStart(around, mark[0]) : mark[0];
  return from + start < index ? [from + start, from + mark[1]] : undefined;
}

function hostStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && !/[\s/@⟨⟩]/.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function escapeAround(text: string, index: number): readonly [number, number] | undefined {
  const from = Math.max(0, index - longestEscape);
  for (const found of text.slice(from, index + longestEscape).matchAll(/\\u\{[0-9a-f]{1,6}\}/g)) {
    const start = from + found.index;
    if (start < index && index < start + found[0].length) return [start, start + found[0].length];
  }
  return undefined;
}

/** Visible text has no lone surrogates, so each half of a pair is charged two of its four bytes. */
function unitBytes(text: string, index: number, asJson: boolean): number {
  const code = text.charCodeAt(index);
  if (code < 0x80) return asJson ? asciiJsonBytes(code) : 1;
  return code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
}

function asciiJsonBytes(code: number): number {
  if (code === 0x22 || code === 0x5c) return 2;
  if (code >= 0x20) return 1;
  return code >= 8 && code <= 13 && code !== 11 ? 2 : 6;
}
