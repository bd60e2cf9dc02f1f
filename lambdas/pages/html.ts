// The one door to the template library. Children are text, numbers and finished markup only: an object, a promise
// or a forgotten value does not compile, and every text is escaped.
import { html as escapingHtml } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

export type Markup = HtmlEscapedString;
export type Child = string | number | Markup | undefined | readonly Child[];

export function html(strings: TemplateStringsArray, ...children: readonly Child[]): Markup {
  const made = escapingHtml(strings, ...children);
  // Only promised children make a promise, and Child has none.
  if (made instanceof Promise) throw new TypeError('a template was given a promise');
  return made;
}
