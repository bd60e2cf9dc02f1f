// Which tools run unattended without any rule of ours, and because of what: the named lists, against the facts of the
// workspaces that this scope is about.
import { AUTO_APPROVAL, preconditionOf, type AutoApproval, type Precondition } from '../domain/policy/auto-approval.ts';
import type { ScopedPolicy } from '../domain/policy/evaluate-policy.ts';
import type { Workspace } from '../domain/registry.ts';
import { html, type Markup } from './html.ts';
import { outsideText, separated } from './outside-text.ts';

const FACTS: Readonly<Record<Precondition, readonly [yes: string, no: string]>> = {
  sandbox: ['the workspace has a sandbox', 'the workspace has no sandbox'],
  network_access: ['the workspace has network access', 'the workspace has no network access'],
  search_backend: ['the workspace has a search backend', 'the workspace has no search backend'],
  browser_backend: ['the workspace has a browser backend', 'the workspace has no browser backend'],
};

export function unattendedCard(policies: readonly ScopedPolicy[], workspaces: readonly Workspace[]): Markup {
  const strict = policies.some(({ document }) => document.agent_mode === 'strict');
  const tools = policies.some(({ document }) => document.approval_mode === 'tools');
  return html`<section class="card" aria-labelledby="unattended"><h2 id="unattended">Unattended without a rule <span class="from">Named lists, each where the workspace has what makes its tools harmless</span></h2>
${strict ? html`<p>None: the agent is <code>strict</code>.</p>` : workspaces.map((workspace) => workspaceView(workspace, workspaces.length > 1))}
${strict || workspaces.length > 0 ? undefined : html`<p>That depends on the workspace: choose one.</p>`}
${tools && !strict ? html`<p>The approval mode <code>tools</code> asks for them all the same.</p>` : undefined}
<p class="soft">A rule that asks or denies beats them. What neither a rule nor a list speaks of asks. The tool <code>request_approval</code> always asks.</p></section>`;
}

function workspaceView(workspace: Workspace, named: boolean): Markup {
  return html`${named ? html`<h3>workspace:${outsideText(workspace.id)}</h3>` : undefined}
<ul class="rules">${AUTO_APPROVAL.map((list) => listView(list, preconditionOf(workspace, list.needs)))}</ul>`;
}

function listView({ policy_id, tools, needs }: AutoApproval, holds: boolean): Markup {
  return html`<li><p class="rule">${holds ? html`<span class="effect allow">allow</span>` : html`<span class="effect">off</span>`} <strong>${policy_id}</strong> <code>${separated(tools, ', ')}</code></p>
<p class="soft">${holds ? 'Holds' : 'Does not hold'}: ${FACTS[needs][holds ? 0 : 1]}.</p></li>`;
}
