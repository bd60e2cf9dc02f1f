// The page of one operation: what is asked, by whom, and either the form or what it came to.
import type { Operation } from '../domain/operation.ts';
import type { Progress } from '../domain/standing.ts';
import type { Instant } from '../domain/times.ts';
import type { HttpReply } from '../middleware/reply.ts';
import { decisionCard, progressCard, type Standing } from './decision-card.ts';
import { breakGlassCard, brokenGlassView, glassAskedView } from './glass-cards.ts';
import { html, type Markup } from './html.ts';
import { pageReply } from './layout.ts';
import { moreTimeCard } from './more-time-card.ts';
import { argumentsCard, claimedCard, fingerprintCard, leadView, recordCard, whoAsksCard } from './operation-facts.ts';
import { outcomeView, votesView } from './outcome-view.ts';
import { outcomeWords } from './outcome-words.ts';
import { revealsView } from './reveals-view.ts';
import { timeLeft } from './times-shown.ts';

export interface Review {
  readonly operation: Operation;
  /** The reader. */
  readonly subject: string;
  /** Of a pending operation only. */
  readonly waiting?: {
    readonly standing: Standing;
    readonly progress: readonly Progress[];
    /** Tokens of the forms that the reader may use beside the decision. */
    readonly extend_token?: string;
    readonly glass_token?: string;
  };
  /** Of one whose glass was broken, for whoever may close its review. */
  readonly review_token?: string;
  readonly now: Instant;
}

/** A page without a form may look again by itself while the tool is about to run. */
const REFRESH_SECONDS = 5;

export function reviewPage({ operation, subject, waiting, review_token, now }: Review): HttpReply {
  const { opening } = operation;
  const main = html`${leadView(opening, stateOf(operation, now))}
<div class="two"><div>
${operation.status === 'pending' ? glassAskedView(operation, now) : outcomeView(operation, now)}
${brokenGlassView(operation, review_token, now)}
${argumentsCard(opening, waiting?.standing.may === 'decide')}
${claimedCard(opening)}
${whoAsksCard(opening, now)}
</div><div>
${fingerprintCard(opening)}
${operation.status !== 'pending' || waiting === undefined ? undefined : html`${progressCard(waiting.progress, operation.expires_at, now)}
${operation.votes.length === 0 ? undefined : votesView(operation.votes, now)}
${decisionCard(operation, waiting.standing)}
${waiting.extend_token === undefined ? undefined : moreTimeCard(operation, waiting.extend_token, now)}
${waiting.glass_token === undefined ? undefined : breakGlassCard(operation, waiting.glass_token, subject, now)}`}
${revealsView(operation.reveals, now)}
${recordCard(opening)}
</div></div>`;
  const moving = review_token === undefined && (operation.status === 'granted' || operation.status === 'running');
  return pageReply(200, { title: operation.status === 'pending' ? 'Review' : 'Decided', main, subject, ...(moving ? { refresh_seconds: REFRESH_SECONDS } : {}) });
}

function stateOf(operation: Operation, now: Instant): Markup {
  if (operation.status !== 'pending') return html`${outcomeWords(operation).headline}`;
  return timeLeft(operation.expires_at, now);
}
