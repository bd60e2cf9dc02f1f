// What policy says in one scope, widest first, and a form that asks what it would say of a call. It changes nothing.
import type { ScopedPolicy } from '../domain/policy/evaluate-policy.ts';
import type { PolicyScope } from '../domain/policy/policy-document.ts';
import { REFUSAL_STATUS, type Refusal } from '../domain/refusals.ts';
import type { Workspace } from '../domain/registry.ts';
import type { HttpReply } from '../middleware/reply.ts';
import { explainForm, type ExplainFields } from './explain-form.ts';
import { choiceField } from './fields.ts';
import { html, type Markup } from './html.ts';
import { pageReply } from './layout.ts';
import { outsideText } from './outside-text.ts';
import { answerCard, type PolicyAnswer } from './policy-answer.ts';
import { scopeCards } from './policy-rules.ts';
import { unattendedCard } from './unattended-view.ts';

export interface PolicyView {
  /** Every scope that can be chosen. */
  readonly scopes: readonly PolicyScope[];
  readonly scope: PolicyScope;
  /** The documents of this scope and of those around it, widest first. */
  readonly policies: readonly ScopedPolicy[];
  /** The workspaces whose lists of unattended tools count in this scope. */
  readonly workspaces: readonly Workspace[];
}

export interface PoliciesPage extends PolicyView {
  readonly subject: string;
  readonly form_token: string;
  readonly fields: ExplainFields;
  /** What came of the form, where it was sent. */
  readonly answer?: PolicyAnswer | Refusal;
}

export function policiesPage(view: PoliciesPage): HttpReply {
  const { scope, scopes, policies, workspaces, subject, answer } = view;
  const refused = answer !== undefined && 'code' in answer ? answer : undefined;
  const main = html`<div class="lead"><h1>Policy of ${outsideText(scope)}</h1>
<p class="soft">Deny beats ask, ask beats allow; each matching ask adds its approvers; a narrower scope can only tighten. <a href="#explain">Explain a call</a></p>
${scopeForm(scopes, scope)}</div>
${refused === undefined ? undefined : refusalCard(refused)}
${answer === undefined || 'code' in answer ? undefined : answerCard(answer)}
<div class="two"><div>
${scopeCards(policies)}
${unattendedCard(policies, workspaces)}
</div><div>
${explainForm(view)}
</div></div>`;
  return pageReply(refused === undefined ? 200 : REFUSAL_STATUS[refused.code], { title: 'Policy', main, subject });
}

function scopeForm(scopes: readonly PolicyScope[], chosen: PolicyScope): Markup {
  return html`<form class="choose" method="get" action="/policies">
${choiceField({ id: 'scope', label: 'Scope', value: chosen }, scopes)}
<button class="plain">Show</button></form>`;
}

function refusalCard({ code, detail, more }: Refusal): Markup {
  const told = (name: string, words: string): Markup | undefined => (more?.[name] === undefined || more[name] === '' ? undefined : html`<p>${words} <code>${outsideText(String(more[name]), 512)}</code></p>`);
  return html`<section class="card end no" aria-labelledby="refused"><h2 id="refused">This could not be explained</h2>
<p>${outsideText(detail, 1024)}</p>
${told('pointer', 'At')}
${told('hint', 'Hint:')}
<p class="soft"><code>${code}</code>, status ${REFUSAL_STATUS[code]}</p></section>`;
}
