/**
 * One string of the arguments as people see it: secrets hidden, then made visible, then cut to its room.
 * A long string costs what is shown: only two windows of it are read, and what their outer edges cut through is hidden.
 */
import { unshowableMark } from './marks.ts';
import { Buffer } from 'node:buffer';
import { joinEnds, jsonBytes } from './cut-text.ts';
import { redactText } from './secrets/redact-text.ts';
import { edgeHidden, tailOpening } from './text-edges.ts';
import { visibleText } from './visible-text.ts';

/**
 * A window is six times what is shown of it, so a secret with its label has to be longer than 400 characters to reach
 * from outside a window into what is shown; such a one is a run without white space, a quoted value or a PEM body,
 * which the edges look for (text-edges.ts).
 */
export const windowLength = 512;
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
  /** Characters that were read, for the work budget. */
  readonly work: number;
}

export interface ShownText {
  readonly text: string;
  readonly hidden: number;
  readonly cut_bytes: number;
}

export function seeText(text: string, name?: string): SeenText {
  if (text.length <= 2 * windowLength) {
    const whole = redactText(text, { name });
    const visible = visibleText(whole.text, inLines);
    return { head: visible, head_bytes: jsonBytes(visible), tail: undefined, unseen_bytes: 0, exact: true, hidden: whole.hidden, work: text.length };
  }
  const headEnd = wholePoint(text, windowLength);
  const tailStart = wholePoint(text, text.length - windowLength);
  const head = edgeHidden(redactText(text.slice(0, headEnd), { name, cut_after: true }), 'after');
  const tail = edgeHidden(tailOpening(text, tailStart, redactText(text.slice(tailStart), { name, cut_before: true })), 'before');
  const exact = text.length <= countedExactly;
  return {
    head: visibleText(head.text, inLines),
    head_bytes: windowLength,
    tail: visibleText(tail.text, inLines),
    unseen_bytes: exact ? Buffer.byteLength(text.slice(headEnd, tailStart)) : tailStart - headEnd,
    exact, hidden: head.hidden + tail.hidden, work: 2 * windowLength,
  };
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

