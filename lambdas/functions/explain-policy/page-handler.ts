// GET and POST /policies: what a scope says, and what policy would say of a call. Nothing is changed by either.
import * as z from 'zod';
import { readJsonText } from '../../domain/json/strict-reader.ts';
import type { JsonValue } from '../../domain/json/json-value.ts';
import { LIMITS } from '../../domain/limits.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import { checked, readFormBody } from '../../middleware/body.ts';
import { httpFunction, type HttpEvent, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import type { HttpReply } from '../../middleware/reply.ts';
import { isCrossSite } from '../../pages/cross-site.ts';
import { namesOf, type ExplainFields } from '../../pages/explain-form.ts';
import { mintFormToken, verifyFormToken } from '../../pages/form-token.ts';
import { policiesPage, type PolicyView } from '../../pages/policies-page.ts';
import type { PolicyAnswer } from '../../pages/policy-answer.ts';
import { faultPage, refusalPage, TO_INBOX, TO_POLICIES } from '../../pages/refusal-page.ts';
import { STYLE_SOURCES } from '../../pages/style.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import type { Clock, FormKeys, Log } from '../../ports/system.ts';
import { explainSchema } from './handler.ts';
import { explainPolicy, type ExplainPorts } from './explain-policy.ts';
import { showPolicies, type ShowPoliciesPorts } from './show-policies.ts';

/** Whatever was typed comes back with what is wrong about it, so that the fields themselves are read as any text. */
const typed = z.string().default('');
const formSchema = z.strictObject({ scope: z.string(), tool: typed, arguments: typed, workspace_id: typed, agent_id: typed, on_behalf_of: typed, owner: typed, form_token: z.string() });

const ELSEWHERE = refusal('cross_site_request', 'It came from another site. Ask on the page of the policies itself.');
const NO_TOKEN = refusal('cross_site_request', 'It was not made by this page for you, or is older than two hours. Open the policies again and ask there.');

export type PolicyPagePorts = ExplainPorts & ShowPoliciesPorts & { readonly callers: CallerRegistry; readonly formKeys: FormKeys; readonly clock: Clock; readonly log: Log };

export function buildPageHandler(ports: PolicyPagePorts): HttpHandler {
  return httpFunction({ log: ports.log, styleSources: STYLE_SOURCES, onFault: faultPage }, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return refusalPage(identified.refusal, TO_INBOX);
    const { subject, kind } = identified.caller;
    if (kind !== 'user') return refusalPage(refusal('unauthenticated', 'Pages are for people.'), TO_INBOX, subject);
    if (event.routeKey.startsWith('POST ')) return explained(ports, subject, event);
    const view = await showPolicies(ports, event.queryStringParameters?.['scope']);
    return 'code' in view ? refusalPage(view, TO_POLICIES, subject) : shown(ports, subject, view, emptyFields(view));
  });
}

async function explained(ports: PolicyPagePorts, subject: string, event: HttpEvent): Promise<HttpReply> {
  const no = (refused: Refusal): HttpReply => refusalPage(refused, TO_POLICIES, subject);
  if (isCrossSite(event.headers)) return no(ELSEWHERE);
  const read = readFormBody(event, formSchema, LIMITS.body_bytes);
  if (!read.ok) return no(read.refusal);
  const { scope, form_token, ...fields } = read.body;
  if (!verifyFormToken(await ports.formKeys.formKey(), { use: 'explain', subject }, form_token, ports.clock.now())) return no(NO_TOKEN);
  const view = await showPolicies(ports, scope);
  if ('code' in view) return no(view);
  return shown(ports, subject, view, fields, await answerTo(ports, fields));
}

async function answerTo(ports: ExplainPorts, { tool, arguments: text, workspace_id, agent_id, on_behalf_of, owner }: ExplainFields): Promise<PolicyAnswer | Refusal> {
  const reading = readJsonText(text, { max_bytes: LIMITS.arguments_bytes });
  if (!reading.ok) {
    const { pointer, reason, detail, hint } = reading.refusal;
    return refusal('arguments_not_canonical', detail, { pointer, reason, ...(hint === undefined ? {} : { hint }) });
  }
  const requester = { subject: `agent:${agent_id}`, ...(on_behalf_of === '' ? {} : { on_behalf_of }), ...(owner === '' ? {} : { owner }) };
  const asked: JsonValue = { tool, arguments: reading.value, scope: { workspace_id, agent_id }, requester };
  const whole = checked(asked, explainSchema);
  return whole.ok ? explainPolicy(ports, { ...whole.body, arguments: reading.value }) : whole.refusal;
}

async function shown(ports: PolicyPagePorts, subject: string, view: PolicyView, fields: ExplainFields, answer?: PolicyAnswer | Refusal): Promise<HttpReply> {
  const form_token = mintFormToken(await ports.formKeys.formKey(), { use: 'explain', subject }, ports.clock.now());
  return policiesPage({ ...view, subject, fields, form_token, ...(answer === undefined ? {} : { answer }) });
}

/** The scope that is shown says where a call would most likely be made. */
function emptyFields({ scope, scopes, workspaces }: PolicyView): ExplainFields {
  const workspace_id = workspaces[0]?.id ?? namesOf(scopes, 'workspace:')[0] ?? '';
  const agent_id = namesOf([scope], 'agent:')[0] ?? namesOf(scopes, 'agent:')[0] ?? '';
  return { tool: '', arguments: '{}', workspace_id, agent_id, on_behalf_of: '', owner: '' };
}
