// All the arguments of one operation, page by page, redacted but not cut; and the decision, bound to having had them.
import type { FullPage } from '../domain/display/full-pages.ts';
import type { Operation } from '../domain/operation.ts';
import type { Progress } from '../domain/standing.ts';
import type { Instant } from '../domain/times.ts';
import type { HttpReply } from '../middleware/reply.ts';
import { decisionCard, progressCard, type Standing } from './decision-card.ts';
import { html, type Markup } from './html.ts';
import { pageReply } from './layout.ts';
import { fingerprintCard, leadView } from './operation-facts.ts';
import { outcomeWords } from './outcome-words.ts';
import { revealsView } from './reveals-view.ts';
import { rowsView } from './rows-view.ts';
import { timeLeft } from './times-shown.ts';

export interface FullReview {
  readonly operation: Operation;
  /** The reader, who is among the approvers. */
  readonly subject: string;
  readonly page: number;
  readonly pages: number;
  readonly shown: FullPage;
  readonly hidden_values: number;
  /** Of a pending operation only. */
  readonly waiting?: { readonly standing: Standing; readonly progress: readonly Progress[] };
  /** Present where the reader may ask for the exact values. */
  readonly reveal_token?: string;
  readonly now: Instant;
}

export function fullViewPage(view: FullReview): HttpReply {
  const { operation, subject, page, pages, waiting, now } = view;
  const { opening } = operation;
  const main = html`${leadView(opening, operation.status === 'pending' ? timeLeft(operation.expires_at, now) : html`${outcomeWords(operation).headline}`)}
<div class="two"><div>
<section class="card" aria-labelledby="arguments"><h2 id="arguments">All the arguments, page ${page} of ${pages} <span class="from">What the tool is called with, read from the vault; nothing is cut</span></h2>
<p class="soft">${hiddenSentence(view.hidden_values)}</p>
${rowsView(view.shown)}
${pager(operation.operation_id, page, pages)}</section>
</div><div>
${fingerprintCard(opening)}
${operation.status !== 'pending' || waiting === undefined ? undefined : html`${progressCard(waiting.progress, operation.expires_at, now)}
${decisionCard(operation, waiting.standing, pages)}`}
${view.reveal_token === undefined ? undefined : revealCard(operation, view.reveal_token)}
${revealsView(operation.reveals, now)}
<p><a href="/review/${operation.operation_id}">Back to the operation</a></p>
</div></div>`;
  return pageReply(200, { title: 'All arguments', main, subject });
}

function hiddenSentence(count: number): string {
  if (count === 0) return 'Nothing is hidden.';
  return `${count === 1 ? '1 value is' : `${count} values are`} hidden here too, because a secret may stand there. The tool gets all of them.`;
}

function pager(operation_id: string, page: number, pages: number): Markup | undefined {
  if (pages === 1) return undefined;
  const link = (to: number, text: string): Markup => html`<a class="button" href="/review/${operation_id}/full?page=${to}">${text}</a>`;
  return html`<nav class="pager" aria-label="Pages of the arguments">${page > 1 ? link(page - 1, 'Page before') : undefined}
<span>Page ${page} of ${pages}</span>
${page < pages ? link(page + 1, 'Next page') : undefined}</nav>`;
}

function revealCard({ operation_id, opening }: Operation, token: string): Markup {
  return html`<section class="card" aria-labelledby="reveal"><h2 id="reveal">Hidden values</h2>
<p>This tool lets its approvers see the exact arguments. That you looked is recorded with your name, before they are shown.</p>
<form method="post" action="/review/${operation_id}/reveal" autocomplete="off">
<input type="hidden" name="arguments_hash" value="${opening.operation.arguments_hash}">
<input type="hidden" name="form_token" value="${token}">
<div class="buttons"><button class="button">Show the exact arguments</button></div>
</form></section>`;
}
