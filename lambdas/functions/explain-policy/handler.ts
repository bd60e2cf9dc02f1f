// POST /api/policies/explain and POST /api/policies/simulate.
import * as z from 'zod';
import type { JsonObject } from '../../domain/json/json-value.ts';
import { LIMITS } from '../../domain/limits.ts';
import { isPolicyScope, parsePolicy, type PolicyScope } from '../../domain/policy/policy-document.ts';
import { refusal } from '../../domain/refusals.ts';
import { readJsonBody } from '../../middleware/body.ts';
import { httpFunction, type HttpEvent, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { json, problem, type HttpReply } from '../../middleware/reply.ts';
import type { ConditionLanguage } from '../../ports/conditions.ts';
import type { CallerRegistry, People, Workspaces } from '../../ports/registry.ts';
import type { Log } from '../../ports/system.ts';
import { faultOfDocument } from '../../judging/check-document.ts';
import { explainPolicy, simulatePolicy, type SimulatePorts } from './explain-policy.ts';

const word = z.string().min(1).max(LIMITS.name_length);
export const explainSchema = z.strictObject({
  tool: word,
  arguments: z.unknown(),
  scope: z.strictObject({ workspace_id: word, agent_id: word, run_id: word.optional(), frame_id: word.optional() }),
  requester: z.strictObject({ subject: word, on_behalf_of: word.optional(), owner: word.optional() }).optional(),
});
const simulateSchema = z.strictObject({ scope: z.string().refine(isPolicyScope, 'is org:<id>, workspace:<id> or agent:<id>'), document: z.record(z.string(), z.unknown()), last: z.int().min(1).max(200).default(50) });

export type ExplainHandlerPorts = SimulatePorts & { readonly callers: CallerRegistry; readonly people: People; readonly workspaces: Workspaces; readonly conditions: ConditionLanguage; readonly log: Log };

export function buildHandler(ports: ExplainHandlerPorts): HttpHandler {
  return httpFunction(ports, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return problem(identified.refusal);
    if (!event.routeKey.endsWith('/simulate')) return explain(ports, event);
    return identified.caller.administrator ? simulate(ports, event) : problem(refusal('not_an_administrator', 'Only administrators simulate: it reads the arguments of stored calls.'));
  });
}

async function explain(ports: ExplainHandlerPorts, event: HttpEvent): Promise<HttpReply> {
  const read = readJsonBody(event, explainSchema);
  if (!read.ok) return problem(read.refusal);
  const explained = await explainPolicy(ports, { ...read.body, arguments: (read.raw as JsonObject)['arguments'] ?? null });
  return 'code' in explained ? problem(explained) : json(200, explained);
}

async function simulate(ports: ExplainHandlerPorts, event: HttpEvent): Promise<HttpReply> {
  const read = readJsonBody(event, simulateSchema);
  if (!read.ok) return problem(read.refusal);
  const { scope } = read.body;
  const document = (read.raw as JsonObject)['document'] as JsonObject;
  const fault = await faultOfDocument(ports, scope, document);
  if (fault !== undefined) return problem(fault);
  const draft = { scope, revision: 0, document: parsePolicy(scope, document) };
  return json(200, await simulatePolicy(ports, draft, await workspacesIn(ports.workspaces, scope), read.body.last));
}

async function workspacesIn(workspaces: Workspaces, scope: PolicyScope): Promise<readonly string[]> {
  const id = scope.slice(scope.indexOf(':') + 1);
  if (scope.startsWith('workspace:')) return [id];
  if (scope.startsWith('org:')) return workspaces.workspacesOf(id);
  return (await workspaces.widerScopes(scope)).filter((wider) => wider.startsWith('workspace:')).map((wider) => wider.slice('workspace:'.length));
}
