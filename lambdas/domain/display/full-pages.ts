/**
 * Lays the rows of the full view out on pages of bounded size. A text that does not fit goes on on the next page; it is
 * parted at a line end where one is near, and never inside a grapheme, an escape or a mark.
 */
import { Buffer } from 'node:buffer';
import { cutText } from './cut-text.ts';
import type { FullRow } from './full-row.ts';
import { longestMark, marksIn } from './marks.ts';

export interface FullPage {
  /** The names and places that lead to the first row of the page. */
  readonly within: readonly string[];
  readonly rows: readonly FullRow[];
}

/** What a row costs besides its text: its markup and its place. */
const ROW_BYTES = 48;
const LONG_NAME_BYTES = 96;
/** `\u{10ffff}`. */
const LONGEST_ESCAPE = 10;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** At least one page. Each holds at most `page_bytes`, which is far above what a name and a row cost. */
export function fullPages(rows: readonly FullRow[], page_bytes: number): readonly FullPage[] {
  const pages: { within: readonly string[]; rows: FullRow[] }[] = [{ within: [], rows: [] }];
  const path: string[] = [];
  let room = page_bytes;
  const turn = (level: number): void => {
    pages.push({ within: path.slice(1, level), rows: [] });
    room = page_bytes;
  };
  const put = (row: FullRow, bytes: number): void => {
    pages.at(-1)?.rows.push(row);
    room -= bytes;
  };
  for (const row of rows) {
    const fixed = ROW_BYTES + Buffer.byteLength(row.name ?? '');
    const bytes = fixed + ('text' in row ? Buffer.byteLength(row.text) : 0);
    // A row that would leave a small rest of itself here is better read on the next page.
    if (bytes > room && room < Math.max(page_bytes / 4, fixed * 2)) turn(row.level);
    if ((row.kind === 'text' || row.kind === 'name') && bytes > room) {
      for (const [index, { text, last }] of parted(row.text, room - fixed, page_bytes - fixed).entries()) {
        if (index > 0) turn(row.level);
        put({ ...row, text, ...(index > 0 ? { continued: true } : {}), ...(last ? {} : { goes_on: true }) }, fixed + Buffer.byteLength(text));
      }
    } else {
      if (bytes > room) turn(row.level);
      put(row, bytes);
    }
    path.splice(row.level, path.length, nameOf(row) ?? path[row.level] ?? '');
  }
  return pages;
}

/** A row without a name of its own stands under the long name before it. */
function nameOf(row: FullRow): string | undefined {
  if (row.kind === 'name') return cutText(row.text, LONG_NAME_BYTES).text;
  return row.name ?? (row.item === undefined ? undefined : String(row.item));
}

function parted(text: string, first_room: number, room: number): readonly { readonly text: string; readonly last: boolean }[] {
  const parts: { text: string; last: boolean }[] = [];
  const segments = graphemes.segment(text);
  for (let from = 0; from < text.length; ) {
    const end = endWithin(text, from, parts.length === 0 ? first_room : room);
    const to = end === text.length ? end : goodEnd(text, segments, from, end);
    parts.push({ text: text.slice(from, to), last: to === text.length });
    from = to;
  }
  return parts;
}

/** The farthest end from `from` within so many UTF-8 bytes, not between the halves of a pair, and not `from` itself. */
function endWithin(text: string, from: number, room: number): number {
  let left = room;
  let at = from;
  while (at < text.length) {
    const point = text.codePointAt(at) ?? 0;
    left -= point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (left < 0 && at > from) return at;
    at += point < 0x10000 ? 1 : 2;
  }
  return text.length;
}

function goodEnd(text: string, segments: Intl.Segments, from: number, end: number): number {
  const line = text.lastIndexOf('\n', end - 1) + 1;
  if (line > from + (end - from) / 2) return line;
  let at = end;
  for (let before = -1; before !== at; ) {
    before = at;
    at = Math.min(markAround(text, at), escapeAround(text, at), segments.containing(at)?.index ?? at);
  }
  // One grapheme of more than a page is nothing that anybody reads: it is parted where the page ends.
  return at > from ? at : end;
}

/** The start of the mark that `at` would part, or `at`. */
function markAround(text: string, at: number): number {
  const from = Math.max(0, at - longestMark);
  const mark = marksIn(text.slice(from, at + longestMark)).find(([start, end]) => from + start < at && at < from + end);
  return mark === undefined ? at : from + mark[0];
}

function escapeAround(text: string, at: number): number {
  const from = Math.max(0, at - LONGEST_ESCAPE);
  for (const found of text.slice(from, at + LONGEST_ESCAPE).matchAll(/\\u\{[0-9a-f]{1,6}\}/g)) {
    if (from + found.index < at && at < from + found.index + found[0].length) return from + found.index;
  }
  return at;
}
