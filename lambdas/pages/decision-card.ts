// Where a person decides, or reads why this person cannot now. The form sends exactly the hash that the page showed,
// and has no field whose default decides.
import type { Pending } from '../domain/operation.ts';
import { LIMITS } from '../domain/limits.ts';
import type { Instant } from '../domain/times.ts';
import { html, type Markup } from './html.ts';
import { separated } from './outside-text.ts';
import { timeElement } from './times-shown.ts';

/** What the reader of a waiting operation may do now. */
export type Standing =
  | { readonly may: 'decide'; readonly form_token: string }
  | { readonly may: 'only_look'; readonly because: 'time_over' | 'own_operation' | 'voted_already' | 'not_an_approver' };

export interface Progress {
  readonly approvers: readonly string[];
  readonly approvals: number;
  readonly quorum: number;
}

const WHY_NOT = {
  time_over: 'The time to decide has ended. Nothing will be run.',
  own_operation: 'You asked for this operation, or it was asked for you, or its agent is yours. Somebody else must decide.',
  voted_already: 'You have voted, and votes are final. It waits for others.',
  not_an_approver: 'You are not among its approvers now. You may look, and others decide.',
} as const;

export function decisionCard(operation: Pending, standing: Standing): Markup {
  if (standing.may === 'only_look') return html`<section class="card" aria-labelledby="decide"><h2 id="decide">You cannot decide this</h2><p>${WHY_NOT[standing.because]}</p></section>`;
  const { arguments_hash } = operation.opening.operation;
  const whole = !operation.opening.redaction.full_view_required;
  return html`<section class="card decide" aria-labelledby="decide"><h2 id="decide">Your decision</h2>
${whole ? undefined : html`<p>It cannot be approved from this page, because a part that the decision rests on is not shown. It can be denied.</p>`}
<form method="post" action="/review/${operation.operation_id}" autocomplete="off">
<input type="hidden" name="arguments_hash" value="${arguments_hash}">
<input type="hidden" name="form_token" value="${standing.form_token}">
<label for="comment">Comment, if you like</label>
<textarea id="comment" name="comment" maxlength="${LIMITS.comment_bytes}" aria-describedby="comment-goes"></textarea>
<p class="soft" id="comment-goes">It is kept with your vote, and the agent reads it.</p>
<div class="buttons">${whole ? html`<button class="go" name="decision" value="approve">Approve</button>` : undefined}
<button name="decision" value="deny">Deny</button></div>
</form></section>`;
}

export function progressCard(progress: readonly Progress[], expires_at: Instant, now: Instant): Markup {
  return html`<section class="card" aria-labelledby="needs"><h2 id="needs">What it needs</h2>
<ul class="plain">${progress.map(({ approvers, approvals, quorum }) => html`<li><strong>${approvals} of ${quorum}</strong> ${quorum === 1 ? 'approval' : 'approvals'} from ${separated(approvers, ', ')}</li>`)}</ul>
<p class="soft">One denial ends it. Without a decision by ${timeElement(expires_at, now)} it expires.</p></section>`;
}
