// GET, PUT and DELETE /api/directory/{subject}; GET /api/directory; GET, PUT and DELETE /api/delegations.
import * as z from 'zod';
import type { Caller } from '../../domain/caller.ts';
import type { DirectoryEvent } from '../../domain/directory/directory-log.ts';
import { DIRECTORY_KINDS, kindOf } from '../../domain/directory/entries.ts';
import type { JsonObject } from '../../domain/json/json-value.ts';
import { LIMITS } from '../../domain/limits.ts';
import { refusal } from '../../domain/refusals.ts';
import { readJsonBody } from '../../middleware/body.ts';
import { httpFunction, type HttpEvent, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { wholeNumber } from '../../middleware/query.ts';
import { json, problem, type HttpReply } from '../../middleware/reply.ts';
import { revisionOf } from '../../middleware/revision.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import { listDelegations, nameStandIn, type DelegationPorts } from './delegations.ts';
import { absentEntry, withoutKind, writeEntry, type ManagePorts } from './manage-directory.ts';

const entrySchema = z.record(z.string(), z.unknown());
const instant = z.iso.datetime({ offset: true, error: 'is a time such as 2026-12-24T00:00:00Z' }).transform((text) => new Date(text).toISOString());
const delegationSchema = z.strictObject({ to: z.string(), from: instant, until: instant });

type Ports = ManagePorts & DelegationPorts;

export function buildHandler(ports: Ports & { readonly callers: CallerRegistry }): HttpHandler {
  return httpFunction(ports, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return problem(identified.refusal);
    const { caller } = identified;
    if (event.routeKey.endsWith('/api/delegations')) return delegations(ports, caller, event);
    if (!caller.administrator) return problem(refusal('not_an_administrator', 'Only administrators read and change the directory.'));
    return event.routeKey.endsWith('/api/directory') ? list(ports, event) : entry(ports, caller, event);
  });
}

async function entry(ports: Ports, caller: Caller, event: HttpEvent): Promise<HttpReply> {
  const subject = event.pathParameters?.['subject'] ?? '';
  if (event.routeKey.startsWith('GET ')) return show(await ports.directoryEditor.newest(subject));
  const revision = revisionOf(event);
  if (typeof revision !== 'number') return problem(revision);
  const read = event.routeKey.startsWith('DELETE ') ? undefined : readJsonBody(event, entrySchema, LIMITS.policy_bytes);
  if (read?.ok === false) return problem(read.refusal);
  const change = { subject, entry: read === undefined ? null : (read.raw as JsonObject), revision };
  const written = await writeEntry(ports, caller, change, event.requestContext.requestId);
  return written.ok ? reply(written.event) : problem(written.refusal);
}

async function list({ directoryEditor }: Ports, event: HttpEvent): Promise<HttpReply> {
  const { kind: asked, cursor } = event.queryStringParameters ?? {};
  const kind = DIRECTORY_KINDS.find((each) => each === asked);
  if (kind === undefined) return problem(refusal('invalid_request', `kind: one of ${DIRECTORY_KINDS.join(', ')}.`, { field: 'kind' }));
  if (cursor !== undefined && kindOf(cursor) !== kind) return problem(refusal('invalid_request', 'cursor: not one of ours.', { field: 'cursor' }));
  const limit = wholeNumber(event, 'limit', { fallback: LIMITS.page_size, max: LIMITS.page_size });
  if (typeof limit !== 'number') return problem(limit);
  if (limit === 0) return problem(refusal('invalid_request', 'limit is at least 1.', { field: 'limit' }));
  const page = await directoryEditor.list(kind, { limit, ...(cursor === undefined ? {} : { cursor }) });
  const entries = page.entries.map(({ subject, revision, entry, stand_in }) => ({ subject, revision, entry: withoutKind(entry), ...(stand_in === undefined ? {} : { stand_in }) }));
  return json(200, { entries, ...(page.cursor === undefined ? {} : { cursor: page.cursor }) });
}

async function delegations(ports: Ports, caller: Caller, event: HttpEvent): Promise<HttpReply> {
  const read = event.routeKey.startsWith('PUT ') ? readJsonBody(event, delegationSchema) : undefined;
  if (read?.ok === false) return problem(read.refusal);
  const refused = event.routeKey.startsWith('GET ') ? undefined : await nameStandIn(ports, caller, read?.body, event.requestContext.requestId);
  return refused === undefined ? json(200, await listDelegations(ports, caller)) : problem(refused);
}

function show(event: DirectoryEvent | undefined): HttpReply {
  return event === undefined || event.data.entry === null ? problem(absentEntry(event?.data.revision ?? 0)) : reply(event);
}

/** After a removal `entry` is null. */
function reply({ data, time }: DirectoryEvent): HttpReply {
  const { directory_subject: subject, revision, entry: standing, stand_in, actor } = data;
  const answer = json(200, { subject, revision, entry: standing, ...(stand_in === undefined ? {} : { stand_in }), changed_at: time, changed_by: actor.subject });
  return { ...answer, headers: { ...answer.headers, etag: `"${revision}"` } };
}
