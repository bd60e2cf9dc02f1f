// The exact arguments, once it is recorded that they were asked for. Deceiving characters are spelled out here too:
// exact means that nothing is hidden or cut, not that a page may be deceived.
import type { Operation } from '../domain/operation.ts';
import type { Instant } from '../domain/times.ts';
import type { HttpReply } from '../middleware/reply.ts';
import { html } from './html.ts';
import { pageReply } from './layout.ts';
import { fingerprintCard, leadView } from './operation-facts.ts';
import { wholeText } from './outside-text.ts';
import { revealsView } from './reveals-view.ts';
import { timeElement } from './times-shown.ts';

export interface Revealed {
  readonly operation: Operation;
  /** The canonical arguments, as the vault holds them. */
  readonly canonical: string;
  readonly subject: string;
  readonly now: Instant;
}

export function revealPage({ operation, canonical, subject, now }: Revealed): HttpReply {
  const { operation_id, opening } = operation;
  const main = html`${leadView(opening, html`as of ${timeElement(now, now)}`)}
<div class="two"><div>
<section class="card" aria-labelledby="exact"><h2 id="exact">The exact arguments <span class="from">The canonical text that is hashed and that the tool is called with</span></h2>
<p class="exact"><code class="value">${wholeText(canonical)}</code></p></section>
</div><div>
${fingerprintCard(opening)}
${revealsView(operation.reveals, now)}
<p><a class="button" href="/review/${operation_id}/full">Back to the full view</a></p>
</div></div>`;
  return pageReply(200, { title: 'Exact arguments', main, subject });
}
