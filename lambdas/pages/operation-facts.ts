// The fixed parts of what a person decides about. Computed and claimed never share a box: what we derived says so,
// and what the agent wrote stands in a box that says who wrote it.
import { fingerprintOf } from '../domain/binding.ts';
import type { OpeningFacts } from '../domain/operation.ts';
import type { Instant } from '../domain/times.ts';
import { argumentsView } from './arguments-view.ts';
import { fact } from './fact.ts';
import { html, type Markup } from './html.ts';
import { outsideText, separated } from './outside-text.ts';
import { redactionNote } from './redaction-note.ts';
import { timeElement } from './times-shown.ts';

const EFFECTS: Readonly<Record<string, string>> = { observation: 'only reads', change: 'changes something', irreversible: 'cannot be undone' };

export function leadView({ operation, risk, details }: OpeningFacts, state: Markup): Markup {
  return html`<div class="lead"><p class="from">Computed by Countersign from the arguments</p>
<h1>${outsideText(operation.summary)}</h1>
<ul class="chips">
<li class="${risk.level}">${risk.level} risk</li>
<li>${outsideText(EFFECTS[details.consequence] ?? 'effect not known')}</li>
<li>tool <code>${outsideText(operation.tool, 256)}</code>, version ${outsideText(operation.tool_version, 256)}</li>
<li>${state}</li>
</ul>
${risk.reasons.length === 0 ? undefined : html`<p>Why ${risk.level} risk: ${separated(risk.reasons, '; ')}.</p>`}</div>`;
}

/** @param offers_all whether the reader may open the full view. */
export function argumentsCard({ operation, redaction }: OpeningFacts, offers_all: boolean): Markup {
  return html`<section class="card" aria-labelledby="arguments"><h2 id="arguments">Arguments <span class="from">What the tool is called with, read from the hashed arguments</span></h2>
${redactionNote(redaction)}
${argumentsView(operation.arguments)}
${offers_all ? html`<p><a href="/review/${operation.id}/full">Read all the arguments, with nothing cut</a></p>` : undefined}</section>`;
}

export function claimedCard({ reason_claimed, scope, call_id }: OpeningFacts): Markup {
  const ids = [...claimedId('Run', scope.run_id), ...claimedId('Frame', scope.frame_id), ...claimedId('Call', call_id)];
  return html`<section class="card said" aria-labelledby="claimed"><h2 id="claimed">The agent says <span class="from">Claimed: written by the agent, checked by nobody</span></h2>
${reason_claimed === undefined ? html`<p>The agent gave no reason.</p>` : html`<blockquote>${outsideText(reason_claimed)}</blockquote>`}
${ids.length === 0 ? undefined : html`<dl class="facts">${ids}</dl>`}</section>`;
}

export function whoAsksCard({ scope, requester, requested_at }: OpeningFacts, now: Instant): Markup {
  return html`<section class="card" aria-labelledby="who"><h2 id="who">Who asks <span class="from">Proven by the credential and the registry</span></h2>
<dl class="facts">
${fact('Agent', outsideText(scope.agent_id))}
${fact('Caller', outsideText(requester.subject))}
${fact('Owner of the agent', requester.owner === undefined ? 'none registered' : outsideText(requester.owner))}
${fact('On behalf of', requester.on_behalf_of === undefined ? 'nobody named' : html`${outsideText(requester.on_behalf_of)} <span class="from">named by the caller, allowed by the registry</span>`)}
${fact('Workspace', html`${outsideText(scope.workspace_id)} of ${outsideText(scope.org_id)}`)}
${fact('Asked', timeElement(requested_at, now))}
</dl></section>`;
}

/** What nobody needs in order to decide, and everybody needs in order to ask about it later. */
export function recordCard({ policy, operation }: OpeningFacts): Markup {
  return html`<section class="card" aria-labelledby="record"><h2 id="record">For the record</h2>
<dl class="facts">
${fact('Policy', outsideText(policy.policy_id), 'wide')}
${fact('Policy revision', html`<code class="hash">${outsideText(policy.policy_revision)}</code>`, 'wide')}
${fact('Operation', html`<code class="hash">${operation.id}</code>`, 'wide')}
</dl></section>`;
}

export function fingerprintCard({ operation }: OpeningFacts): Markup {
  return html`<section class="card" aria-labelledby="print"><h2 id="print">Fingerprint</h2>
<p class="print mono">${fingerprintOf(operation.binding_hash)}</p>
<p class="soft">The same wherever this operation is shown.</p>
<h3 class="from">Hash of the arguments</h3>
<p class="hash mono">${operation.arguments_hash}</p></section>`;
}

function claimedId(name: string, id: string | undefined): readonly Markup[] {
  return id === undefined ? [] : [fact(name, outsideText(id, 256))];
}
