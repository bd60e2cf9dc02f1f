// What the reader does not see, in words and with counts: a decision about half a call must know that it is half.
import type { OpeningFacts } from '../domain/operation.ts';
import { html, type Markup } from './html.ts';

type Redaction = OpeningFacts['redaction'];

/** One sentence for each thing that was hidden or cut; empty when everything is shown. */
export function redactionSentences({ hidden_values, hidden_members, cut_bytes, full_view_required, redacted, truncated }: Redaction): readonly string[] {
  const sentences = [
    ...(hidden_values > 0 ? [`${counted(hidden_values, 'value is', 'values are')} hidden, because a secret may stand there.`] : []),
    ...(hidden_members > 0 ? [`${counted(hidden_members, 'member is', 'members are')} left out, because the arguments are long.`] : []),
    ...(cut_bytes > 0 ? [`${counted(cut_bytes, 'byte is', 'bytes are')} cut from the middle of long texts.`] : []),
    ...(full_view_required ? ['A part that the decision rests on does not fit on this page.'] : []),
  ];
  return sentences.length === 0 && (redacted || truncated) ? ['Something is hidden or cut.'] : sentences;
}

export function redactionNote(redaction: Redaction): Markup {
  const sentences = redactionSentences(redaction);
  if (sentences.length === 0) return html`<p class="soft">Nothing is hidden or cut: these are all the arguments.</p>`;
  return html`<div class="card note"><h3>Not everything is shown</h3><ul class="plain">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>
<p>The tool gets the whole arguments, and the hash on this page stands for all of them.</p></div>`;
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
