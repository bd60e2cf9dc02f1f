// The form that narrows the inbox. It stands on the page that holds still only: a page that looks again by itself
// would take away what is being typed. There what narrows it is said, with a way to change it and a way out.
import { RISK_LEVELS, isNarrowed, type InboxFilter } from '../domain/inbox-filter.ts';
import { LIMITS } from '../domain/limits.ts';
import { lineField } from './fields.ts';
import { html, type Markup } from './html.ts';
import { outsideText } from './outside-text.ts';

/** Sends a plain GET of names and a level, so that the address holds what is shown and nothing is changed. */
export function filterForm({ workspace = '', tool = '', risk }: InboxFilter): Markup {
  return html`<form class="card" id="filter" method="get" action="/inbox" autocomplete="off" aria-label="Show only some">
<div class="choose">
${lineField({ id: 'workspace', label: 'Workspace', value: workspace }, LIMITS.name_length)}
${lineField({ id: 'tool', label: 'Tool', value: tool }, LIMITS.name_length)}
<p class="field"><label for="risk">Risk</label>
<select id="risk" name="risk"><option value="">any</option>${RISK_LEVELS.map((level) => html`<option value="${level}"${level === risk ? ' selected' : undefined}>${level}</option>`)}</select></p>
<button class="plain">Show</button>
</div></form>`;
}

export function filterSaid(filter: InboxFilter, to: { readonly change: string; readonly all: string }): Markup {
  if (!isNarrowed(filter)) return html`<p><a href="${to.change}">Show only some</a></p>`;
  const { workspace, tool, risk } = filter;
  const parts = [
    workspace === undefined ? undefined : html` in workspace ${outsideText(workspace)}`,
    tool === undefined ? undefined : html` for tool ${outsideText(tool, 256)}`,
    risk === undefined ? undefined : html` at ${risk} risk`,
  ];
  return html`<p>Only what waits${parts}. <a href="${to.change}">Change</a> · <a href="${to.all}">Show all</a></p>`;
}
