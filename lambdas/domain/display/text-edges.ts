/**
 * The outer edges of the two windows through which a long string is seen.
 * A token-like run that touches an edge is hidden, since nobody can tell what it belongs to; so is the rest of a quoted
 * value, a cookie list or a PEM body that began before the tail.
 */
import { hiddenMark } from './marks.ts';
import type { Replaced } from './secrets/spans.ts';
import { judgeName } from './secrets/names.ts';

const lookBack = 4096;
const longestOpening = 11;
const labelBefore = /([\w.-]{1,64})\\*["']?\s{0,4}[=:]\s{0,4}\\*$/;
/** One character this often in a row is padding; no secret lies across it. */
const padding = 32;
const nearEdge = 192;
const longRun = 192;
/** Scripts written without spaces: their text would be one endless run. */
const breakers = '\\s"\'`<>{}[\\](),⟨⟩\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2e80-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff\\uff00-\\uffef';
const breaker = new RegExp(`[${breakers}]`);
const runAt = new RegExp(`[^${breakers}]*`, 'y');
const bodyLines = /^(?:[\t ]*[\w+/=-]{16,}\r?\n)+(?:[\t ]*[\w+/=-]+(?=\s*$|\r?\n|\s*-----))?/;
const cookieList = /^(?:[^\s"'`;]*;[ \t]?)+[^\s"'`;]*/;

/** What may be shown of the head window, which text follows: up to `end`, and nothing of a run that touches its edge. */
export function shownHead(window: Replaced, end: number): Replaced {
  const { text, hidden } = window;
  const run = text.length - trailingRun(text);
  if (run >= end || isPadding(text.slice(-padding))) return { text: text.slice(0, end), hidden };
  return { text: text.slice(0, run) + hiddenMark, hidden: hidden + 1 };
}

/** What may be shown of the tail window, which text precedes: from `start` on. */
export function shownTail(window: Replaced, start: number): Replaced {
  const { text, hidden } = window;
  const end = frontEnd(text);
  return end <= start ? { text: text.slice(start), hidden } : { text: hiddenMark + text.slice(end), hidden: hidden + 1 };
}

/**
 * Besides the run at the edge, a very long one that begins near it: what announced it may stand before the edge, and
 * only such a one can reach from there into what is shown.
 */
function frontEnd(text: string): number {
  let end = isPadding(text.slice(0, padding)) ? 0 : leadingRun(text);
  for (let at = end; at < nearEdge; at += 1) {
    const length = runFrom(text, at);
    if (length >= longRun && !isPadding(text.slice(at, at + padding))) end = at + length;
    at += length;
  }
  return end;
}

function isPadding(run: string): boolean {
  return run.length === padding && run === run.charAt(0).repeat(padding);
}

function trailingRun(text: string): number {
  let length = 0;
  while (length < text.length && !breaker.test(text.charAt(text.length - 1 - length))) length += 1;
  return length;
}

function runFrom(text: string, start: number): number {
  runAt.lastIndex = start;
  return runAt.exec(text)?.[0].length ?? 0;
}

function leadingRun(text: string): number {
  let end = runFrom(text, 0);
  const line = /^\r?\n/.exec(text.slice(end, end + 2))?.[0].length ?? 0;
  const body = end > 0 && line > 0 ? bodyLines.exec(text.slice(end + line))?.[0].length : undefined;
  if (body !== undefined) end += line + body;
  return Math.max(end, cookieList.exec(text)?.[0].length ?? 0);
}

/** Hides the start of the tail if a PEM block or a quoted secret was opened in the text before it. */
export function tailOpening(text: string, tailStart: number, tail: Replaced): Replaced {
  const from = Math.max(0, tailStart - lookBack);
  // The opening itself may lie across the edge.
  const around = text.slice(from, tailStart + longestOpening);
  const open = openQuoteIn(around, tailStart - from) ?? openPemIn(around, tailStart - from);
  if (open === undefined) return tail;
  const end = tail.text.indexOf(open.closed_by, Math.max(0, from + open.end - tailStart));
  return { text: hiddenMark + (end === -1 ? '' : tail.text.slice(end)), hidden: tail.hidden + 1 };
}

interface Opening {
  readonly end: number;
  readonly closed_by: string;
}

function openPemIn(around: string, edge: number): Opening | undefined {
  const begin = around.lastIndexOf('-----BEGIN ', edge - 1);
  if (begin === -1 || around.slice(begin, edge).includes('-----END ')) return undefined;
  return { end: begin + longestOpening, closed_by: '-----END' };
}

/** The quote that a sensitive label opened and that nothing has closed. */
function openQuoteIn(around: string, edge: number): Opening | undefined {
  for (const quote of ['"', "'"]) {
    let at = around.lastIndexOf(quote, edge);
    while (at > 0 && at < edge && around[at - 1] === '\\') at = around.lastIndexOf(quote, at - 1);
    const label = at > 0 ? labelBefore.exec(around.slice(Math.max(0, at - 80), at)) : null;
    if (label !== null && judgeName(label[1] ?? '') === 'secret') return { end: at + 1, closed_by: quote };
  }
  return undefined;
}
