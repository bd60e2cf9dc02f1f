/**
 * One string of the arguments as people see it: secrets hidden, then made visible, then cut to its room.
 * A long string costs what is shown: only two windows of it are read, and what their outer edges cut through is hidden.
 */
import { unshowableMark } from './marks.ts';
import { Buffer } from 'node:buffer';
import { cutPoint, joinEnds, jsonBytes } from './cut-text.ts';
import { redactText } from './secrets/redact-text.ts';
import { shownHead, shownTail, tailOpening } from './text-edges.ts';
import { readingWork } from './text-work.ts';
import { visibleText } from './visible-text.ts';

/**
 * A window is six times what is shown of it, so a secret with its label has to be longer than 400 characters to reach
 * from outside a window into what is shown; such a one is a run without white space, a quoted value or a PEM body,
 * which the edges look for (text-edges.ts).
 */
const windows = { wide: 512, narrow: 192 } as const;
const headLength = 384;
const tailLength = 256;
const countedExactly = 65_536;
const passes = 4;
const inLines = { keep_newlines: true } as const;

/** What one look at a string found; cutting it to some room is cheap and may be done again. */
export interface SeenText {
  readonly head: string;
  /** JSON bytes of the head. */
  readonly head_bytes: number;
  /** Absent if the whole string was read. */
  readonly tail: string | undefined;
  readonly unseen_bytes: number;
  readonly exact: boolean;
  readonly hidden: number;
  /** Units of `readingWork`, for the work budget. */
  readonly work: number;
}

export interface ShownText {
  readonly text: string;
  readonly hidden: number;
  readonly cut_bytes: number;
}

export function seeText(text: string, name?: string, width: keyof typeof windows = 'wide'): SeenText {
  const windowLength = windows[width];
  if (text.length <= 2 * windowLength) {
    const { text: whole, hidden } = redactText(text, { name });
    if (whole.length <= headLength + tailLength) return wholeText(whole, hidden, text);
    const end = cutPoint(whole, headLength);
    const start = Math.max(end, cutPoint(whole, whole.length - tailLength));
    return ends(whole.slice(0, end), whole.slice(start), { unseen_bytes: Buffer.byteLength(whole.slice(end, start)), exact: true, hidden, work: readingWork(text, hidden) });
  }
  const headEnd = wholePoint(text, windowLength);
  const tailStart = wholePoint(text, text.length - windowLength);
  const [before, after] = [text.slice(0, headEnd), text.slice(tailStart)];
  const front = redactText(before, { name, cut_after: true });
  const back = tailOpening(text, tailStart, redactText(after, { name, cut_before: true }));
  const head = shownHead(front, cutPoint(front.text, headLength));
  const tail = shownTail(back, cutPoint(back.text, Math.max(0, back.text.length - tailLength)));
  const exact = text.length <= countedExactly;
  const between = Buffer.byteLength(front.text) - Buffer.byteLength(head.text) + Buffer.byteLength(back.text) - Buffer.byteLength(tail.text);
  const unseen_bytes = Math.max(0, between) + (exact ? Buffer.byteLength(text.slice(headEnd, tailStart)) : tailStart - headEnd);
  return ends(head.text, tail.text, { unseen_bytes, exact, hidden: head.hidden + tail.hidden, work: readingWork(before, head.hidden) + readingWork(after, tail.hidden) });
}

function wholeText(redacted: string, hidden: number, original: string): SeenText {
  const head = visibleText(redacted, inLines);
  return { head, head_bytes: jsonBytes(head), tail: undefined, unseen_bytes: 0, exact: true, hidden, work: readingWork(original, hidden) };
}

/** Only what can be shown at either end is made visible. */
function ends(head: string, tail: string, rest: Pick<SeenText, 'unseen_bytes' | 'exact' | 'hidden' | 'work'>): SeenText {
  return { head: visibleText(head, inLines), head_bytes: Infinity, tail: visibleText(tail, inLines), ...rest };
}

/** Cut to `room` bytes of JSON text; reading the result again changes nothing, or it is not shown at all. */
export function fitText(seen: SeenText, original: string, room: number, name?: string): ShownText {
  let shown = fitOnce(seen, room);
  if (shown.text === original) return shown;
  for (let pass = 1; pass < passes; pass += 1) {
    const again = fitOnce(seeText(shown.text, name), room);
    if (again.text === shown.text) return shown;
    shown = { text: again.text, hidden: shown.hidden + again.hidden, cut_bytes: shown.cut_bytes + again.cut_bytes };
  }
  return { text: unshowableMark, hidden: 1, cut_bytes: 0 };
}

function fitOnce(seen: SeenText, room: number): ShownText {
  const { head, tail, hidden } = seen;
  if (tail === undefined && seen.head_bytes <= room) return { text: head, hidden, cut_bytes: 0 };
  const cut = joinEnds(head, tail ?? head, { room, unseen_bytes: tail === undefined ? 0 : seen.unseen_bytes, exact: seen.exact, as_json: true });
  return { ...cut, hidden };
}

/** Not between the halves of a surrogate pair. */
function wholePoint(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}

