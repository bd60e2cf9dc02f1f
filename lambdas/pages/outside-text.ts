// Text that came from outside, on its way into a page: made visible, bounded, and isolated so that its letters
// cannot reorder what stands beside it. Marks of the display projection stand out from the text around them.
import { boundedText, visibleText } from '../domain/display/visible-text.ts';
import { html, type Markup } from './html.ts';

/** Far above what any field holds once it is stored: a second bound, not the first. */
const SHOWN_BYTES = 8192;

/** `⟨hidden⟩`, `⟨120 bytes cut⟩` and `\u{202e}`, as the display projection writes them. */
const marks = /(⟨[^⟨⟩]{1,264}⟩|\\u\{[0-9a-f]{1,6}\})/;

export function outsideText(text: string, max_bytes = SHOWN_BYTES): Markup {
  return html`<bdi>${withMarks(boundedText(text, max_bytes))}</bdi>`;
}

/** For what people wrote on several lines. Set it in an element that keeps white space. */
export function outsideLines(text: string): Markup {
  const lines = boundedText(text.replaceAll('\r\n', '\n'), SHOWN_BYTES, { keep_newlines: true });
  return html`<bdi>${withMarks(lines)}</bdi>`;
}

/** The full view's texts: bounded by their page, and not cut again. */
export function wholeText(text: string): Markup {
  return html`<bdi>${withMarks(visibleText(text, { keep_newlines: true }))}</bdi>`;
}

export function separated(texts: readonly string[], separator: string): readonly Markup[] {
  return texts.map((text, index) => html`${index === 0 ? '' : separator}${outsideText(text)}`);
}

/** True where a mark stands in place of the whole value, whose kind is then not known. */
export function isMark(text: string): boolean {
  return /^⟨[^⟨⟩]{1,264}⟩$/.test(text);
}

function withMarks(visible: string): readonly Markup[] {
  return visible.split(marks).map((part, index) => (index % 2 === 0 ? html`${part}` : html`<mark>${part}</mark>`));
}
