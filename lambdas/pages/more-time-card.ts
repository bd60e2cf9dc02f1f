// Where an approver gives an operation more time: a few deadlines to choose from, as far as policy goes. No script
// computes them, so the server does.
import { LIMITS } from '../domain/limits.ts';
import type { Pending } from '../domain/operation.ts';
import { plusSeconds, type Instant } from '../domain/times.ts';
import { html, type Markup } from './html.ts';
import { timeElement } from './times-shown.ts';

const STEPS = [3600, 24 * 3600];

/** Deadlines that may be chosen, the last one as far as policy goes; none where there is nothing to choose. */
export function laterDeadlines({ expires_at, extendable_until, extensions }: Pending): readonly Instant[] {
  if (extendable_until === undefined || extendable_until <= expires_at || extensions >= LIMITS.extensions) return [];
  return [...STEPS.map((step) => plusSeconds(expires_at, step)).filter((each) => each < extendable_until), extendable_until];
}

export function moreTimeCard(operation: Pending, form_token: string, now: Instant): Markup | undefined {
  const deadlines = laterDeadlines(operation);
  if (deadlines.length === 0) return undefined;
  const { operation_id, opening } = operation;
  return html`<section class="card" aria-labelledby="more-time"><h2 id="more-time">More time</h2>
<form method="post" action="/review/${operation_id}/extend" autocomplete="off">
<input type="hidden" name="arguments_hash" value="${opening.operation.arguments_hash}">
<input type="hidden" name="form_token" value="${form_token}">
<p class="soft">Everybody who may decide then has until</p>
<div class="buttons">${deadlines.map((each) => html`<button class="plain" name="expires_at" value="${each}">${timeElement(each, now)}</button>`)}</div>
</form></section>`;
}
