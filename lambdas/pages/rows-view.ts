// One page of the full view. Depth is shown by indentation, and beyond what a phone has room for by its number.
import type { FullPage } from '../domain/display/full-pages.ts';
import type { FullRow } from '../domain/display/full-row.ts';
import { html, type Child, type Markup } from './html.ts';
import { outsideText, separated, wholeText } from './outside-text.ts';

const DEEPEST_SHOWN = 8;
/** Shorter texts of one line stand beside their name. */
const SHORT_TEXT = 40;

export function rowsView({ within, rows }: FullPage): Markup {
  return html`${within.length === 0 ? undefined : html`<p class="soft">This page begins inside ${separated(within, ' › ')}.</p>`}
<dl class="rows">${rows.map(rowView)}</dl>`;
}

function rowView(row: FullRow): Markup {
  return html`<div class="d${Math.min(row.level, DEEPEST_SHOWN)} ${isShort(row) ? 'short' : 'long'}"><dt>${headOf(row)}${row.level > DEEPEST_SHOWN ? html` <span class="kind">level ${row.level}</span>` : undefined}</dt>
<dd>${valueOf(row)}</dd></div>`;
}

function isShort(row: FullRow): boolean {
  return !('text' in row) || (row.text.length <= SHORT_TEXT && !row.text.includes('\n'));
}

function headOf(row: FullRow): Child {
  if (row.kind === 'name') return html`<span class="soft">long name</span>`;
  if (row.item !== undefined) return html`<span class="soft">item ${row.item}</span>`;
  if (row.name === undefined) return row.level === 0 ? html`<span class="soft">arguments</span>` : html`<span class="soft">its value</span>`;
  return row.name === '' ? html`<span class="soft">empty name</span>` : outsideText(row.name);
}

function valueOf(row: FullRow): Markup {
  switch (row.kind) {
    case 'text':
    case 'name':
      if (row.text === '') return html`<span class="soft">empty text</span>`;
      return html`${row.continued === true ? html`<p class="soft">Goes on from the page before:</p>` : undefined}<code class="value">${wholeText(row.text)}</code>${row.kind === 'text' ? html` <span class="kind">text</span>` : undefined}${row.goes_on === true ? html`<p class="soft">Goes on on the next page.</p>` : undefined}`;
    case 'number':
      return html`<code class="value">${row.text}</code> <span class="kind">number</span>`;
    case 'boolean':
      return html`<code class="value">${row.text}</code> <span class="kind">true or false</span>`;
    case 'null':
      return html`<code class="value">null</code> <span class="kind">nothing</span>`;
    case 'hidden':
      return html`<mark>⟨hidden⟩</mark>`;
    case 'list':
      return html`<span class="soft">${row.size === 0 ? 'empty list' : `list of ${row.size}`}</span>`;
    case 'object':
      return html`<span class="soft">${row.size === 0 ? 'no members' : `object of ${row.size}`}</span>`;
  }
}
