// What waits for one person, oldest first. It looks again by itself, and can be told not to.
import { fingerprintOf } from '../domain/binding.ts';
import { isNarrowed, type InboxFilter } from '../domain/inbox-filter.ts';
import type { InboxItem } from '../domain/operation-views.ts';
import type { Instant } from '../domain/times.ts';
import type { HttpReply } from '../middleware/reply.ts';

import { html, type Markup } from './html.ts';
import { filterForm, filterSaid } from './inbox-filter-form.ts';
import { pageReply } from './layout.ts';
import { outsideText } from './outside-text.ts';
import { timeElement, timeLeft } from './times-shown.ts';

export interface InboxView {
  readonly entries: readonly InboxItem[];
  /** Where the next page begins, if there is one. */
  readonly cursor?: string;
  /** Where this page began, if it is not the first. */
  readonly from?: string;
  readonly still: boolean;
  readonly filter: InboxFilter;
  readonly subject: string;
  readonly now: Instant;
}

const REFRESH_SECONDS = 5;

export function inboxPage(view: InboxView): HttpReply {
  const { entries, cursor, from, still, filter, subject, now } = view;
  const here = { cursor: from, still, filter };
  const main = html`<div class="lead row"><h1>Waiting for your decision</h1>
<p class="soft">${still ? 'As of' : `Looks again every ${REFRESH_SECONDS} seconds; last`} ${timeElement(now, now)}. <a href="${address({ ...here, still: !still })}">${still ? 'Keep it fresh' : 'Hold still'}</a></p></div>
${still ? filterForm(filter) : filterSaid(filter, { change: `${address({ ...here, cursor: undefined, still: true })}#filter`, all: address({ still, filter: {} }) })}
${entries.length === 0 ? emptyView(view) : html`<ol class="inbox">${entries.map((entry) => entryView(entry, now))}</ol>`}
${cursor === undefined ? undefined : html`<p><a class="button" href="${address({ ...here, cursor })}">Next page</a></p>`}
${from === undefined ? undefined : html`<p><a href="${address({ ...here, cursor: undefined })}">Back to the oldest</a></p>`}`;
  return pageReply(200, { title: 'Inbox', main, subject, ...(still ? {} : { refresh_seconds: REFRESH_SECONDS }) });
}

function entryView({ operation_id, summary, tool, risk, requester, workspace_id, requested_at, expires_at, review, binding_hash, stands_in_for }: InboxItem, now: Instant): Markup {
  return html`<li class="card"><h2><a href="/review/${operation_id}">${outsideText(summary)}</a></h2>
<ul class="chips"><li class="${risk.level}">${risk.level} risk</li><li>${review === undefined ? timeLeft(expires_at, now) : 'the glass was broken: to be reviewed'}</li><li>fingerprint <code>${fingerprintOf(binding_hash)}</code></li>${stands_in_for === undefined ? undefined : html`<li>in place of ${outsideText(stands_in_for)}</li>`}</ul>
<p class="soft">Tool ${outsideText(tool, 256)}, asked by ${outsideText(requester.subject)}${requester.on_behalf_of === undefined ? undefined : html` on behalf of ${outsideText(requester.on_behalf_of)}`} in ${outsideText(workspace_id)}, ${timeElement(requested_at, now)}</p></li>`;
}

function emptyView({ cursor, from, filter }: InboxView): Markup {
  // A page looks through a bounded number of entries, and a filter may have let all of them go.
  if (cursor !== undefined) return html`<section class="card"><h2>Nothing on this page</h2><p>What you look for may stand on the next.</p></section>`;
  const more = from === undefined ? '' : ' more';
  return html`<section class="card"><h2>Nothing${more} ${isNarrowed(filter) ? 'of this kind ' : ''}waits for you</h2>
<p>When an agent proposes a call that you may decide, it appears here.</p></section>`;
}

function address({ cursor, still, filter }: { readonly cursor?: string | undefined; readonly still: boolean; readonly filter: InboxFilter }): string {
  const query = new URLSearchParams({ ...filter, ...(cursor === undefined ? {} : { cursor }), ...(still ? { still: 'yes' } : {}) }).toString();
  return query === '' ? '/inbox' : `/inbox?${query}`;
}
