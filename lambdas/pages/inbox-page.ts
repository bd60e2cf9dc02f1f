// What waits for one person, oldest first. It looks again by itself, and can be told not to.
import { fingerprintOf } from '../domain/binding.ts';
import type { InboxEntry } from '../domain/operation-views.ts';
import type { Instant } from '../domain/times.ts';
import type { HttpReply } from '../middleware/reply.ts';
import { html, type Markup } from './html.ts';
import { pageReply } from './layout.ts';
import { outsideText } from './outside-text.ts';
import { timeElement, timeLeft } from './times-shown.ts';

export interface InboxView {
  readonly entries: readonly InboxEntry[];
  /** Where the next page begins, if there is one. */
  readonly cursor?: string;
  /** Where this page began, if it is not the first. */
  readonly from?: string;
  readonly still: boolean;
  readonly subject: string;
  readonly now: Instant;
}

const REFRESH_SECONDS = 5;

export function inboxPage(view: InboxView): HttpReply {
  const { entries, cursor, from, still, subject, now } = view;
  const main = html`<div class="lead row"><h1>Waiting for your decision</h1>
<p class="soft">${still ? 'As of' : `Looks again every ${REFRESH_SECONDS} seconds; last`} ${timeElement(now, now)}. <a href="${address(from, !still)}">${still ? 'Keep it fresh' : 'Hold still'}</a></p></div>
${entries.length === 0 ? emptyView(from) : html`<ol class="inbox">${entries.map((entry) => entryView(entry, now))}</ol>`}
${cursor === undefined ? undefined : html`<p><a class="button" href="${address(cursor, still)}">Next page</a></p>`}
${from === undefined ? undefined : html`<p><a href="${address(undefined, still)}">Back to the oldest</a></p>`}`;
  return pageReply(200, { title: 'Inbox', main, subject, ...(still ? {} : { refresh_seconds: REFRESH_SECONDS }) });
}

function entryView({ operation_id, summary, tool, risk, requester, workspace_id, requested_at, expires_at, binding_hash }: InboxEntry, now: Instant): Markup {
  return html`<li class="card"><h2><a href="/review/${operation_id}">${outsideText(summary)}</a></h2>
<ul class="chips"><li class="${risk.level}">${risk.level} risk</li><li>${timeLeft(expires_at, now)}</li><li>fingerprint <code>${fingerprintOf(binding_hash)}</code></li></ul>
<p class="soft">Tool ${outsideText(tool, 256)}, asked by ${outsideText(requester.subject)}${requester.on_behalf_of === undefined ? undefined : html` on behalf of ${outsideText(requester.on_behalf_of)}`} in ${outsideText(workspace_id)}, ${timeElement(requested_at, now)}</p></li>`;
}

function emptyView(from: string | undefined): Markup {
  return html`<section class="card"><h2>${from === undefined ? 'Nothing waits for you' : 'Nothing more waits for you'}</h2>
<p>When an agent proposes a call that you may decide, it appears here.</p></section>`;
}

function address(cursor: string | undefined, still: boolean): string {
  const query = new URLSearchParams({ ...(cursor === undefined ? {} : { cursor }), ...(still ? { still: 'yes' } : {}) }).toString();
  return query === '' ? '/inbox' : `/inbox?${query}`;
}
