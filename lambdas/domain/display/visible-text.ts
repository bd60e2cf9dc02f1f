/**
 * The one function that makes deceiving text visible, for every surface that people read.
 * Idempotent: what it writes is made of characters that it leaves alone.
 * Sources: Unicode DerivedCoreProperties (Default_Ignorable_Code_Point), UAX #9 (bidi controls).
 */
import { Buffer } from 'node:buffer';

export interface VisibleTextOptions {
  /** A reader that renders line breaks may keep them; runs of blank lines are still counted. */
  readonly keep_newlines?: boolean;
}

const deceiving = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;
const needsWork = /[^\x20-\x7e]| {9}/u;
const whiteSpaceRun = /[\p{Zs}\p{Zl}\p{Zp}\t\n\v\f\r\x85]{9,}/gu;
const lineBreakRun = /\n{3,}/g;

/** Escapes each deceiving character as `\u{…}` and counts long white space as `⟨400 spaces⟩`. */
export function visibleText(text: string, options: VisibleTextOptions = {}): string {
  if (!needsWork.test(text)) return text;
  const counted = text.replace(whiteSpaceRun, (run) => `⟨${run.length} spaces⟩`);
  const keep = options.keep_newlines === true;
  const fewBreaks = keep ? counted.replace(lineBreakRun, (run) => `\n⟨${run.length} line breaks⟩\n`) : counted;
  return fewBreaks.replace(deceiving, (character) => (keep && character === '\n' ? character : escaped(character)))
    .replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, escaped);
}

/** Visible, then at most `maxBytes` of UTF-8: head, the number of bytes between, tail. */
export function boundedText(text: string, maxBytes: number, options: VisibleTextOptions = {}): string {
  const visible = visibleText(text, options);
  return cutText(visible, maxBytes);
}

/** Cuts text that is visible already, between graphemes, keeping more of the head than of the tail. */
export function cutText(visible: string, maxBytes: number): string {
  const size = Buffer.byteLength(visible);
  if (size <= maxBytes) return visible;
  const room = maxBytes - Buffer.byteLength(`⟨${size} bytes cut⟩`);
  if (room <= 0) return '…'.repeat(Math.floor(Math.max(0, maxBytes) / 3)).slice(0, 1);
  const graphemes = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(visible)].map((part) => part.segment);
  const head = fitting(graphemes, Math.ceil(room * 0.7));
  const tail = fitting(graphemes.reverse(), room - Buffer.byteLength(head.join(''))).reverse();
  const shown = Buffer.byteLength(head.join('')) + Buffer.byteLength(tail.join(''));
  return `${head.join('')}⟨${size - shown} bytes cut⟩${tail.join('')}`;
}

function fitting(graphemes: readonly string[], maxBytes: number): string[] {
  let left = maxBytes;
  const end = graphemes.findIndex((grapheme) => (left -= Buffer.byteLength(grapheme)) < 0);
  return graphemes.slice(0, end === -1 ? graphemes.length : end);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

