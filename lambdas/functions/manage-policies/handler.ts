// GET, PUT and DELETE /api/policies/{scope}; GET and PUT /api/agents/{id}/tools/{tool}.
import * as z from 'zod';
import type { Caller } from '../../domain/caller.ts';
import type { JsonObject } from '../../domain/json/json-value.ts';
import { LIMITS } from '../../domain/limits.ts';
import { isPolicyScope, type PolicyScope } from '../../domain/policy/policy-document.ts';
import type { PolicyEvent } from '../../domain/policy/policy-log.ts';
import { refusal } from '../../domain/refusals.ts';
import { readJsonBody } from '../../middleware/body.ts';
import { httpFunction, type HttpEvent, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { json, problem, type HttpReply } from '../../middleware/reply.ts';
import { revisionOf } from '../../middleware/revision.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import { writePolicy, type ManagePorts, type PolicyWrite } from './manage-policies.ts';
import { readCheckbox, tickCheckbox } from './tool-checkbox.ts';

const documentSchema = z.record(z.string(), z.unknown());
/** One tool under its exact name: a glob would tick others along, and a target holds no more than this. */
const TOOL_NAME = /^[^\s*?]{1,123}$/;
const checkboxSchema = z.strictObject({ requires_approval: z.boolean() });

export function buildHandler(ports: ManagePorts & { readonly callers: CallerRegistry }): HttpHandler {
  return httpFunction(ports, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return problem(identified.refusal);
    const { caller } = identified;
    // The page /policies shows everybody what holds; the documents themselves are for those who write them.
    if (!caller.administrator) return problem(refusal('not_an_administrator', 'Only administrators read and change policy documents.'));
    if (event.routeKey.includes('/api/agents/')) return checkbox(ports, caller, event);
    const scope = event.pathParameters?.['scope'] ?? '';
    if (!isPolicyScope(scope)) return problem(refusal('policy_not_found', 'A policy scope is org:<id>, workspace:<id> or agent:<id>.'));
    if (event.routeKey.startsWith('GET ')) return show(await ports.policies.newest(scope));
    const revision = revisionOf(event);
    if (typeof revision !== 'number') return problem(revision);
    if (event.routeKey.startsWith('DELETE ')) return write(ports, caller, { scope, document: null, revision }, event);
    const read = readJsonBody(event, documentSchema, LIMITS.policy_bytes);
    return read.ok ? write(ports, caller, { scope, document: read.raw as JsonObject, revision }, event) : problem(read.refusal);
  });
}

async function write(ports: ManagePorts, caller: Caller, change: PolicyWrite, event: HttpEvent): Promise<HttpReply> {
  const written = await writePolicy(ports, caller, change, event.requestContext.requestId);
  return written.ok ? reply(written.event) : problem(written.refusal);
}

function show(event: PolicyEvent | undefined): HttpReply {
  if (event === undefined || event.data.document === null) return problem(refusal('policy_not_found', 'Nothing is written for this scope.', { revision: event?.data.revision ?? 0 }));
  return reply(event);
}

/** After a deletion `document` is null. */
function reply({ data, time }: PolicyEvent): HttpReply {
  const { policy_scope, revision, document, actor } = data;
  const answer = json(200, { scope: policy_scope, revision, document, changed_at: time, changed_by: actor.subject });
  return { ...answer, headers: { ...answer.headers, etag: `"${revision}"` } };
}

async function checkbox(ports: ManagePorts, caller: Caller, event: HttpEvent): Promise<HttpReply> {
  const agent: PolicyScope = `agent:${event.pathParameters?.['id'] ?? ''}`;
  const tool = event.pathParameters?.['tool'] ?? '';
  if (!isPolicyScope(agent) || !TOOL_NAME.test(tool)) return problem(refusal('policy_not_found', 'There is no such agent or tool.'));
  if (event.routeKey.startsWith('GET ')) return json(200, await readCheckbox(ports, agent, tool));
  const read = readJsonBody(event, checkboxSchema);
  if (!read.ok) return problem(read.refusal);
  const ticked = await tickCheckbox(ports, caller, { agent, tool, requires_approval: read.body.requires_approval }, event.requestContext.requestId);
  return ticked.ok ? json(200, ticked.state) : problem(ticked.refusal);
}
