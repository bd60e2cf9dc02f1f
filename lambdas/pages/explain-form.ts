// The form that asks what policy would say of a call. Posted, because arguments belong in no address. What was typed
// comes back, so that the next question is a small change of the last.
import { LIMITS } from '../domain/limits.ts';
import type { PolicyScope } from '../domain/policy/policy-document.ts';
import { choiceField, lineField, textField } from './fields.ts';
import { html, type Markup } from './html.ts';

/** As typed. */
export interface ExplainFields {
  readonly tool: string;
  readonly arguments: string;
  readonly workspace_id: string;
  readonly agent_id: string;
  readonly on_behalf_of: string;
  readonly owner: string;
}

export interface ExplainForm {
  readonly scopes: readonly PolicyScope[];
  readonly scope: PolicyScope;
  readonly fields: ExplainFields;
  readonly form_token: string;
}

export function explainForm({ scopes, scope, fields, form_token }: ExplainForm): Markup {
  const never = 'Never counts as an approver of this call.';
  return html`<section class="card" aria-labelledby="explain"><h2 id="explain">Explain a call <span class="from">Asks policy as it is now; nothing is stored and nothing runs</span></h2>
<form method="post" action="/policies" autocomplete="off">
<input type="hidden" name="scope" value="${scope}">
<input type="hidden" name="form_token" value="${form_token}">
${lineField({ id: 'tool', label: 'Tool', value: fields.tool, required: true, hint: 'Exactly as the model calls it; an MCP tool as server/tool.' }, LIMITS.name_length)}
${textField({ id: 'arguments', label: 'Arguments, as JSON', value: fields.arguments, required: true, hint: 'Read as strictly as those of a real call.' })}
${choiceField({ id: 'workspace_id', label: 'Workspace', value: fields.workspace_id }, namesOf(scopes, 'workspace:'))}
${lineField({ id: 'agent_id', label: 'Agent', value: fields.agent_id, required: true, suggestions: namesOf(scopes, 'agent:') }, LIMITS.name_length)}
${lineField({ id: 'owner', label: 'Owner of the agent, if any', value: fields.owner, hint: never }, LIMITS.name_length)}
${lineField({ id: 'on_behalf_of', label: 'On behalf of, if anybody', value: fields.on_behalf_of, hint: never }, LIMITS.name_length)}
<div class="buttons"><button class="plain">Explain</button></div>
</form></section>`;
}

export function namesOf(scopes: readonly PolicyScope[], kind: 'workspace:' | 'agent:'): readonly string[] {
  return scopes.filter((scope) => scope.startsWith(kind)).map((scope) => scope.slice(kind.length));
}
