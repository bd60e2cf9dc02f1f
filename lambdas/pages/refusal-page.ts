// A refusal or a fault as a page, with the status that the API would have given. A refusal shows its frozen code; of
// a fault the outside learns only that it happened, and the id to ask about.
import { REFUSAL_STATUS, type Refusal, type RefusalCode } from '../domain/refusals.ts';
import type { HttpReply } from '../middleware/reply.ts';
import { html, type Markup } from './html.ts';
import { pageReply, type Page } from './layout.ts';
import { outsideText } from './outside-text.ts';

export interface WayOn {
  readonly href: string;
  readonly text: string;
}

export const TO_INBOX: WayOn = { href: '/inbox', text: 'To the inbox' };

export const TO_POLICIES: WayOn = { href: '/policies', text: 'To the policies' };

export function toReview(operation_id: string): WayOn {
  return { href: `/review/${operation_id}`, text: 'Back to the operation' };
}

export function toFullView(operation_id: string): WayOn {
  return { href: `/review/${operation_id}/full`, text: 'To the full view' };
}

const HEADINGS: Partial<Readonly<Record<RefusalCode, string>>> = {
  unauthenticated: 'You are not signed in',
  operation_not_found: 'There is no such operation for you',
  policy_not_found: 'There is no such policy',
  cross_site_request: 'This form was not taken',
  already_decided: 'It was decided already',
  operation_expired: 'The time to decide has ended',
  arguments_changed: 'The arguments are not those that were shown',
  full_view_required: 'Read everything first',
  reveal_not_allowed: 'The exact arguments are not shown',
  not_an_approver: 'You cannot decide this',
  own_operation: 'You cannot decide this',
};
const TITLES: Partial<Readonly<Record<RefusalCode, Page['title']>>> = { unauthenticated: 'Sign-in needed', operation_not_found: 'Not found', policy_not_found: 'Not found' };

export function refusalPage({ code, detail }: Refusal, way: WayOn, subject?: string): HttpReply {
  const main = html`<section class="card end no"><h1>${HEADINGS[code] ?? 'This was not done'}</h1>
<p>${outsideText(detail, 1024)}</p>
${code === 'unauthenticated' ? SIGN_IN : html`<p><a class="button" href="${way.href}">${way.text}</a></p>`}
<p class="soft"><code>${code}</code>, status ${REFUSAL_STATUS[code]}</p></section>`;
  return pageReply(REFUSAL_STATUS[code], { title: TITLES[code] ?? 'Not done', main, ...(subject === undefined ? {} : { subject }) });
}

const SIGN_IN: Markup = html`<p>A sign-in or a personal link is needed to see or decide anything here, and this deployment may not offer either to browsers yet. With a credential for its API you can decide at <code>/api/operations</code> meanwhile.</p>`;

export function faultPage(retryable: boolean, request_id: string): HttpReply {
  const main = html`<section class="card end no"><h1>${retryable ? 'Not now' : 'Something broke'}</h1>
<p>${retryable ? 'It could not be read or recorded at this moment. Try again.' : 'Nothing here claims success. Look at the operation again before you repeat anything.'}</p>
<p class="soft">Request <code>${outsideText(request_id, 128)}</code></p></section>`;
  const { headers, ...reply } = pageReply(retryable ? 503 : 500, { title: 'Something broke', main });
  return { ...reply, headers: { ...headers, ...(retryable ? { 'retry-after': '1' } : {}) } };
}
