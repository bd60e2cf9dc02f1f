// Breaking the glass on the page: where one of two asks for it or follows, what was done, and where a third looks at it
// afterwards. Nothing here is preselected, and each needs words.
import { LIMITS } from '../domain/limits.ts';
import type { Operation, Pending } from '../domain/operation.ts';
import { hasCome, type Instant } from '../domain/times.ts';
import { fact } from './fact.ts';
import { html, type Markup } from './html.ts';
import { outsideLines, outsideText } from './outside-text.ts';
import { timeElement } from './times-shown.ts';

/** For a member of the group; somebody else gets `glassAskedView` at most. */
export function breakGlassCard(operation: Pending, form_token: string, subject: string, now: Instant): Markup {
  const { operation_id, opening } = operation;
  const first = standingFirst(operation, now);
  if (first?.by.subject === subject) return html`<section class="card" aria-labelledby="glass"><h2 id="glass">Breaking the glass</h2><p>You have asked for it. It takes a second person of ${outsideText(opening.break_glass?.group ?? '')} until ${timeElement(first.second_person_until, now)}.</p></section>`;
  if (opening.redaction.full_view_required) return html`<section class="card" aria-labelledby="glass"><h2 id="glass">Breaking the glass</h2><p>A part that the decision rests on is not shown here. Read <a href="/review/${operation_id}/full">everything</a>, and break the glass through the API from there.</p></section>`;
  return html`<details class="card"${first === undefined ? undefined : html` open`}><summary>${first === undefined ? 'Break the glass' : 'Break the glass as the second person'}</summary>
<p>Two people of ${outsideText(opening.break_glass?.group ?? '')} may have it run without its approvers. Both are named in the record, and ${outsideText(opening.break_glass?.review_by ?? '')} will look at it.</p>
<form method="post" action="/review/${operation_id}/break-glass" autocomplete="off">
<input type="hidden" name="arguments_hash" value="${opening.operation.arguments_hash}">
<input type="hidden" name="form_token" value="${form_token}">
<label for="glass-reason">Why its approvers cannot be waited for</label>
<textarea id="glass-reason" name="reason" maxlength="${LIMITS.comment_bytes}" required></textarea>
<label for="glass-ticket">Ticket</label>
<input type="text" id="glass-ticket" name="ticket" maxlength="${LIMITS.name_length}" required>
<div class="buttons"><button class="go">${first === undefined ? 'Ask for it' : 'Break the glass'}</button></div>
</form></details>`;
}

/** That one of two has asked, for everybody who sees the operation. */
export function glassAskedView(operation: Pending, now: Instant): Markup | undefined {
  const first = standingFirst(operation, now);
  if (first === undefined) return undefined;
  return html`<section class="card" aria-labelledby="glass-asked"><h2 id="glass-asked">Somebody wants to break the glass</h2>
<dl class="facts">${fact('Who', outsideText(first.by.subject))}${fact('Ticket', outsideText(first.by.ticket))}${fact('A second person may follow until', timeElement(first.second_person_until, now))}
${fact('Why', html`<span class="lines">${outsideLines(first.by.reason)}</span>`, 'wide')}</dl></section>`;
}

/** What was done, and what came of the look at it. */
export function brokenGlassView({ operation_id, opening, broken_glass }: Operation, review_token: string | undefined, now: Instant): Markup | undefined {
  if (broken_glass === undefined) return undefined;
  const { by, review_by, reviewed } = broken_glass;
  return html`<section class="card end no" aria-labelledby="broken"><h2 id="broken">The glass was broken</h2>
<ul class="plain">${by.map(({ subject, ticket, reason, acted_at }) => html`<li><strong>${outsideText(subject)}</strong>, ${timeElement(acted_at, now)}, ticket ${outsideText(ticket)}<div class="lines soft">${outsideLines(reason)}</div></li>`)}</ul>
${reviewed === undefined ? html`<p>It waits to be looked at by ${outsideText(review_by)}.</p>` : html`<p>Looked at by ${outsideText(reviewed.by)}, ${timeElement(reviewed.reviewed_at, now)}.</p><div class="lines soft">${outsideLines(reviewed.comment)}</div>`}
${review_token === undefined ? undefined : html`<form method="post" action="/review/${operation_id}/break-glass/review" autocomplete="off">
<input type="hidden" name="arguments_hash" value="${opening.operation.arguments_hash}">
<input type="hidden" name="form_token" value="${review_token}">
<label for="glass-review">What came of it</label>
<textarea id="glass-review" name="comment" maxlength="${LIMITS.comment_bytes}" required></textarea>
<div class="buttons"><button class="go">Close the review</button></div>
</form>`}</section>`;
}

function standingFirst({ glass }: Pending, now: Instant): Pending['glass'] {
  return glass === undefined || hasCome(glass.second_person_until, now) ? undefined : glass;
}
