// Where a person decides, or reads why this person cannot now. The form sends exactly the hash that the page showed,
// and has no field whose default decides.
import { LIMITS } from '../domain/limits.ts';
import type { Pending } from '../domain/operation.ts';
import type { Progress, WhyNot } from '../domain/standing.ts';
import type { Instant } from '../domain/times.ts';
import { html, type Markup } from './html.ts';
import { separated } from './outside-text.ts';
import { timeElement } from './times-shown.ts';

/** What the reader of a waiting operation may do now. */
export type Standing =
  | { readonly may: 'decide' | 'deny'; readonly form_token: string }
  | { readonly may: 'only_look'; readonly because: WhyNot };

const WHY_NOT: Readonly<Record<WhyNot, string>> = {
  time_over: 'The time to decide has ended. Nothing will be run.',
  own_operation: 'You asked for this operation, or it was asked for you, or its agent is yours. Somebody else must decide.',
  voted_already: 'You have voted, and votes are final. It waits for others.',
  not_an_approver: 'You are not among its approvers now. You may look, and others decide.',
};

/** @param full_pages of the full view, from which everything may be approved; absent on the short page. */
export function decisionCard(operation: Pending, standing: Standing, full_pages?: number): Markup {
  if (standing.may === 'only_look') return html`<section class="card" aria-labelledby="decide"><h2 id="decide">You cannot decide this</h2><p>${WHY_NOT[standing.because]}</p></section>`;
  const { operation_id, opening } = operation;
  const own = standing.may === 'deny';
  const whole = full_pages !== undefined || !opening.redaction.full_view_required;
  return html`<section class="card decide" aria-labelledby="decide"><h2 id="decide">Your decision</h2>
${own ? html`<p>You asked for this operation, or it was asked for you, or its agent is yours: somebody else must approve it. You may deny it.</p>` : undefined}
${whole || own ? undefined : html`<p>It cannot be approved from this page, because a part that the decision rests on is not shown. It can be denied here.</p>
<p><a class="button" href="/review/${operation_id}/full">Read everything, and decide there</a></p>`}
${full_pages === undefined || full_pages === 1 ? undefined : html`<p>You decide about all ${full_pages} pages of the arguments, not only about this one.</p>`}
<form method="post" action="/review/${operation_id}" autocomplete="off">
<input type="hidden" name="arguments_hash" value="${opening.operation.arguments_hash}">
${full_pages === undefined ? undefined : html`<input type="hidden" name="view" value="full">`}
<input type="hidden" name="form_token" value="${standing.form_token}">
<label for="comment">Comment, if you like</label>
<textarea id="comment" name="comment" maxlength="${LIMITS.comment_bytes}" aria-describedby="comment-goes"></textarea>
<p class="soft" id="comment-goes">It is kept with your vote, and the agent reads it.</p>
<div class="buttons">${whole && !own ? html`<button class="go" name="decision" value="approve">Approve</button>` : undefined}
<button name="decision" value="deny">Deny</button></div>
</form></section>`;
}

export function progressCard(progress: readonly Progress[], expires_at: Instant, now: Instant): Markup {
  return html`<section class="card" aria-labelledby="needs"><h2 id="needs">What it needs</h2>
<ul class="plain">${progress.map(requirementItem)}</ul>
<p class="soft">${progress.every(({ requirement }) => requirement.veto === undefined) ? 'One denial ends it. ' : undefined}Without a decision by ${timeElement(expires_at, now)} it expires.</p></section>`;
}

function requirementItem({ requirement, approvals, quorum, waiting_for }: Progress): Markup {
  const { approvers, min_per_group, veto, separation_of_duties } = requirement;
  return html`<li><strong>${approvals} of ${quorum}</strong> ${quorum === 1 ? 'approval' : 'approvals'} from ${separated(approvers, ', ')}${min_per_group === undefined ? undefined : html`, at least ${min_per_group} of each group`}.
${approvals === 0 || waiting_for.length === 0 ? undefined : html`Waiting for ${separated(waiting_for, ' or ')}.`}
${veto === undefined ? undefined : html`${veto} denials end it.`}
${separation_of_duties === false ? html`<strong>Whoever asked may approve it too.</strong>` : undefined}</li>`;
}
