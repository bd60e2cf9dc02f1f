// One named fact of a `<dl class="facts">`.
import { html, type Child, type Markup } from './html.ts';

/** `wide` gives it a row of its own: for hashes and texts. */
export function fact(name: string, value: Child, width: 'wide' | 'narrow' = 'narrow'): Markup {
  return html`<div class="${width}"><dt>${name}</dt><dd>${value}</dd></div>`;
}
