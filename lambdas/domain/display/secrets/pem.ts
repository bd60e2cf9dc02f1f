/**
 * PEM bodies (RFC 7468, RFC 1421 headers), also when the block is cut before its END, joined to one line, or has no BEGIN in sight.
 * The frame stays, so that the approver sees what was hidden.
 */
import type { Span } from './spans.ts';

const begin = '-----BEGIN ';
const frame = /-----BEGIN [A-Z0-9 ]{0,48}-----/y;
const closing = /-----END [A-Z0-9 ]{0,48}-----/g;
const headerLine = /[A-Z][A-Za-z-]{1,30}: [^\n]*/y;
const bodyWord = /(?:[A-Za-z0-9+/=]|\\[nr])+/y;
const gap = /(?:\s|\\[nr]|["',+])+/y;

/** `cutBefore` says that text precedes what is given, so an END without a BEGIN hides everything up to it. */
export function pemSecrets(text: string, cutBefore: boolean, found: Span[]): void {
  if (!text.includes('-----')) return;
  const ends = [...text.matchAll(closing)].map((end) => end.index);
  let from = 0;
  let nextEnd = 0;
  for (let start = text.indexOf(begin); start !== -1; start = text.indexOf(begin, from)) {
    const body = matchAt(frame, text, start) ?? start + begin.length;
    while ((ends[nextEnd] ?? Infinity) < body) nextEnd += 1;
    from = Math.max(body, endOfBody(text, body, ends[nextEnd]));
    if (from > body) found.push({ start: body, end: from });
  }
  const [firstEnd] = ends;
  const opened = text.indexOf(begin);
  if (firstEnd === undefined || (opened !== -1 && opened < firstEnd)) return;
  found.push({ start: cutBefore ? 0 : startOfBody(text, firstEnd), end: firstEnd });
}

/** Up to the END line; without one, over everything that can be key material or its headers. */
function endOfBody(text: string, body: number, end: number | undefined): number {
  if (end === undefined) return endOfOpenBody(text, body);
  const next = text.slice(body, end).indexOf(begin);
  return next === -1 ? end : endOfOpenBody(text, body);
}

function endOfOpenBody(text: string, body: number): number {
  let hiddenTo = body;
  let at = body;
  for (;;) {
    at = matchAt(gap, text, at) ?? at;
    const header = text[at - 1] === '\n' ? matchAt(headerLine, text, at) : undefined;
    const word = header ?? matchAt(bodyWord, text, at);
    if (word === undefined || (header === undefined && startsProse(text, at, word))) return hiddenTo;
    hiddenTo = word;
    at = word;
  }
}

/** A line of several words in small letters is text that follows the block, not a part of it. */
function startsProse(text: string, start: number, end: number): boolean {
  return text[start - 1] === '\n' && /^[ \t]+\S/.test(text.slice(end, end + 8)) && /^[A-Z]?[a-z]{0,15}$/.test(text.slice(start, end));
}

/** Back over the last line of a body and over the full lines before it. */
function startOfBody(text: string, end: number): number {
  const lines = text.slice(0, end).trimEnd().split('\n');
  let start = end;
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const word = /[A-Za-z0-9+/=]*\s*$/.exec((lines[index] ?? '').slice(-120))?.[0] ?? '';
    if (index < lines.length - 1 && word.trim().length < 16) return start;
    start = lines.slice(0, index + 1).join('\n').length - word.length;
    if (word.length < (lines[index] ?? '').trimStart().length) return start;
  }
  return start;
}

function matchAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
