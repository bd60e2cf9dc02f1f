// What became of an operation that is no longer waiting: status, by whom, when, the comment and the reason.
import { nobodyText } from '../domain/approvers.ts';
import type { Vote } from '../domain/events.ts';
import type { Operation, Pending } from '../domain/operation.ts';
import type { Instant } from '../domain/times.ts';
import { fact } from './fact.ts';
import { html, type Child, type Markup } from './html.ts';
import { outcomeWords } from './outcome-words.ts';
import { outsideLines, outsideText } from './outside-text.ts';
import { timeElement } from './times-shown.ts';

export function outcomeView(operation: Exclude<Operation, Pending>, now: Instant): Markup {
  const { headline, sentence, tone } = outcomeWords(operation);
  const { decision } = operation;
  const [only, ...others] = decision.votes;
  const alone = others.length === 0 && only?.subject === decision.by ? only : undefined;
  return html`<section class="card end ${tone}" aria-labelledby="outcome"><h2 id="outcome">${headline}</h2>
<p>${sentence}</p>
<dl class="facts">
${fact('Status', html`<code>${operation.status}</code>`)}
${fact(decidedBy(operation), outsideText(decision.by))}
${fact('At', timeElement(decision.decided_at, now))}
${alone === undefined ? undefined : fact('How', wayOf(alone))}
${decision.comment === undefined ? undefined : fact('Comment', html`<span class="lines">${outsideLines(decision.comment)}</span>`, 'wide')}
${decision.reason === undefined || decision.reason === 'allowed_by_policy' ? undefined : fact('Reason', html`<code>${outsideText(decision.reason)}</code>`, 'wide')}
${decision.nobody === undefined ? undefined : fact('Because', outsideText(nobodyText(decision.nobody), 1024), 'wide')}
${runFacts(operation, now)}
</dl></section>
${alone !== undefined || decision.votes.length === 0 ? undefined : votesView(decision.votes, now)}`;
}

export function votesView(votes: readonly Vote[], now: Instant): Markup {
  return html`<section class="card" aria-labelledby="votes"><h2 id="votes">Votes</h2>
<ul class="plain votes">${votes.map((vote) => html`<li><strong>${vote.decision === 'approve' ? 'Approve' : 'Deny'}</strong>: ${outsideText(vote.subject)}, ${timeElement(vote.voted_at, now)}, ${wayOf(vote)}
${vote.comment === undefined ? undefined : html`<div class="lines soft">${outsideLines(vote.comment)}</div>`}</li>`)}</ul></section>`;
}

function wayOf({ subject, via, channel, view }: Vote): Markup {
  return html`${channel === 'page' ? 'on this page' : 'through the API'}${view === 'full' ? ', from the full view' : ''}${via === subject ? undefined : html`, as one of ${outsideText(via)}`}`;
}

function runFacts(operation: Operation, now: Instant): Child {
  const changed = fact('Last change', timeElement(operation.changed_at, now));
  switch (operation.status) {
    case 'granted':
      return fact('May start until', timeElement(operation.use_by, now));
    case 'running':
      return [fact('Started', timeElement(operation.run.started_at, now)), fact('Must end by', timeElement(operation.run.run_deadline, now))];
    case 'completed':
    case 'failed':
      return [
        operation.error === undefined ? undefined : fact('Error, as the tool names it', html`<code>${outsideText(operation.error, 512)}</code>`, 'wide'),
        fact('Started', timeElement(operation.run.started_at, now)),
        fact('Ended', timeElement(operation.changed_at, now)),
        fact('Hash of the result', html`<code class="hash">${outsideText(operation.result_hash)}</code>`, 'wide'),
      ];
    case 'unknown':
      return [
        fact('Unknown because', html`<code>${outsideText(operation.reason, 512)}</code>`, 'wide'),
        fact('Started', timeElement(operation.run.started_at, now)),
        ...operation.observations.map(({ observed }) => fact('Seen later', `the tool answered that it ${observed}`)),
        changed,
      ];
    case 'voided':
      return changed;
    case 'pending':
    case 'answered':
    case 'refused':
    case 'denied':
    case 'expired':
    case 'cancelled':
      return undefined;
  }
}

function decidedBy(operation: Exclude<Operation, Pending>): string {
  if (operation.status === 'refused') return 'Refused by';
  if (operation.decision.reason === 'allowed_by_policy') return 'Policy';
  if (operation.decision.reason === 'break_glass') return 'Granted by';
  return { denied: 'Denied by', cancelled: 'Cancelled by', expired: 'Closed by', voided: 'Stopped by' }[operation.status as string] ?? 'Approved by';
}
