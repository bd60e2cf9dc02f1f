/**
 * A span is a piece of text to hide; detectors only collect spans, and one place replaces them.
 * So no detector sees another's replacement, and the result does not depend on their order.
 */
import { hiddenMark, marksIn } from '../marks.ts';

export interface Span {
  readonly start: number;
  readonly end: number;
  /** What stands there instead of the hidden mark, when a part of the span may be shown. */
  readonly replacement?: string;
  /** How many values the replacement hides. */
  readonly hides?: number;
}

export interface Replaced {
  readonly text: string;
  readonly hidden: number;
}

export function replaceSpans(text: string, spans: readonly Span[]): Replaced {
  if (spans.length === 0) return { text, hidden: 0 };
  let shown = '';
  let hidden = 0;
  let from = 0;
  for (const span of joined(aroundMarks(text, spans))) {
    shown += text.slice(from, span.start) + (span.replacement ?? hiddenMark);
    hidden += span.hides ?? 1;
    from = span.end;
  }
  return { text: shown + text.slice(from), hidden };
}

/** A mark that stands inside a span is not hidden again, or a cut that was said would be said no more. */
function aroundMarks(text: string, spans: readonly Span[]): readonly Span[] {
  const marks = marksIn(text);
  if (marks.length === 0) return spans;
  return spans.flatMap((span) => (span.replacement === undefined ? withoutMarks(text, span, marks) : [span]));
}

function withoutMarks(text: string, span: Span, marks: readonly (readonly [number, number])[]): readonly Span[] {
  const pieces: Span[] = [];
  let from = span.start;
  for (const [start, end] of [...marks, [span.end, span.end] as const]) {
    if (end <= span.start || start > span.end) continue;
    if (text.slice(from, Math.min(start, span.end)).trim() !== '') pieces.push({ start: from, end: Math.min(start, span.end) });
    from = Math.max(from, end);
  }
  return pieces;
}

/** In order, with overlapping spans made one. A span with its own replacement gives way to a plain one that reaches into it. */
function joined(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((left, right) => left.start - right.start || right.end - left.end)) {
    const last = result.at(-1);
    if (span.end <= span.start) continue;
    if (last === undefined || span.start >= last.end) result.push(span);
    else if (span.end > last.end || last.replacement !== undefined) result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return result;
}
