// Who was shown the exact arguments: part of what happened to an operation, for everybody who may see it.
import type { Reveal } from '../domain/operation.ts';
import type { Instant } from '../domain/times.ts';
import { html, type Markup } from './html.ts';
import { outsideText } from './outside-text.ts';
import { timeElement } from './times-shown.ts';

export function revealsView(reveals: readonly Reveal[] | undefined, now: Instant): Markup | undefined {
  if (reveals === undefined) return undefined;
  return html`<section class="card" aria-labelledby="reveals"><h2 id="reveals">Exact arguments were shown</h2>
<ul class="plain">${reveals.map(({ subject, channel, revealed_at }) => html`<li>To ${outsideText(subject)}, ${timeElement(revealed_at, now)}, ${channel === 'page' ? 'on a page' : 'through the API'}</li>`)}</ul></section>`;
}
