// The documents of the scopes around a call, as they are written: modes, lists, default approvers, rules in their order.
import type { ScopedPolicy } from '../domain/policy/evaluate-policy.ts';
import type { DefaultApprovers, PolicyDocument, Rule } from '../domain/policy/policy-document.ts';
import { fact } from './fact.ts';
import { html, type Child, type Markup } from './html.ts';
import { outsideLines, outsideText, separated } from './outside-text.ts';
import { durationText } from './times-shown.ts';

/** Over all scopes of one page; what is left out is said, with where it can be read. */
const RULES_SHOWN = 500;

export function scopeCards(policies: readonly ScopedPolicy[]): readonly Markup[] {
  let room = RULES_SHOWN;
  return policies.map((policy, index) => {
    const shown = policy.document.rules.slice(0, room);
    room -= shown.length;
    return scopeCard(policy, shown, `scope-${index}`);
  });
}

function scopeCard({ scope, revision, document }: ScopedPolicy, shown: readonly Rule[], id: string): Markup {
  const left_out = document.rules.length - shown.length;
  const facts = factsOf(document);
  return html`<section class="card" aria-labelledby="${id}"><h2 id="${id}">${outsideText(scope)} <span class="from">${revision === 0 ? 'Nothing was ever written here' : `Revision ${revision}`}</span></h2>
${facts.length === 0 ? undefined : html`<dl class="facts">${facts}</dl>`}
${document.rules.length === 0 ? html`<p class="soft">No rules.</p>` : html`<ol class="rules">${shown.map(ruleView)}</ol>`}
${left_out === 0 ? undefined : html`<p>${left_out} more rules are not shown here: read them at <code>/api/policies/${outsideText(scope)}</code>.</p>`}</section>`;
}

function factsOf({ approval_mode, agent_mode, mcp_servers, default_approvers }: PolicyDocument): readonly Markup[] {
  return [
    ...(approval_mode === 'tools' ? [fact('Approval mode', html`<code>tools</code>: every tool that does not only read asks`, 'wide')] : []),
    ...(agent_mode === 'strict' ? [fact('Agent mode', html`<code>strict</code>: every tool that does not only read asks, and nothing runs unattended by a list`, 'wide')] : []),
    ...(agent_mode === 'monitored' ? [fact('Agent mode', html`<code>monitored</code>: each run is to be looked at afterwards`, 'wide')] : []),
    ...(default_approvers === undefined ? [] : [fact('Where an ask names nobody', askedText(default_approvers), 'wide')]),
    ...Object.entries(mcp_servers).map(([server, { approval_tools }]) => fact('An MCP server asks for', html`${outsideText(server)}: <code>${approval_tools.length === 0 ? 'nothing' : separated(approval_tools, ', ')}</code>`, 'wide')),
  ];
}

function ruleView(rule: Rule): Markup {
  const { id, target, effect, when, risk } = rule;
  return html`<li><p class="rule">${effectView(effect)} <strong>${outsideText(id)}</strong> <code>${outsideText(target)}</code></p>
${when === undefined ? undefined : html`<p class="soft">when</p><p><code class="value">${outsideLines(when)}</code></p>`}
${rule.effect === 'ask' ? html`<p>${askedText(rule)}</p>` : undefined}
${risk === undefined ? undefined : html`<p>${risk.level} risk${risk.reasons.length === 0 ? undefined : html`: ${separated(risk.reasons, '; ')}`}</p>`}</li>`;
}

export function effectView(effect: Rule['effect']): Markup {
  return html`<span class="effect ${effect}">${effect}</span>`;
}

export function approvalsText(quorum: number): string {
  return `${quorum} ${quorum === 1 ? 'approval' : 'approvals'}`;
}

function askedText({ approvers, quorum, timeout_seconds }: NonNullable<DefaultApprovers>): Child {
  return html`${approvalsText(quorum)} from ${separated(approvers, ', ')}${timeout_seconds === undefined ? undefined : html`, within ${durationText(timeout_seconds)}`}`;
}
