// Query and path values, checked before any look-up.
import * as z from 'zod';
import { RISK_LEVELS, type InboxFilter } from '../domain/inbox-filter.ts';
import { LIMITS } from '../domain/limits.ts';
import { STATUSES } from '../domain/operation-views.ts';
import { refusal, type Refusal } from '../domain/refusals.ts';
import type { HttpEvent } from './http-function.ts';

const OPERATION_ID = /^op_[0-9a-f]{32}$/;
/** A list goes on after `<requested_at>#<operation_id>`. */
const LIST_CURSOR = /^\d{4}-\d\d-\d\dT[\d:.]+Z#op_[0-9a-f]{32}$/;

const name = z.string().min(1, 'is not empty').max(LIMITS.name_length, `is at most ${LIMITS.name_length} characters long`);
const inboxSchema = z.object({ workspace: name, tool: name, risk: z.enum(RISK_LEVELS, `is one of ${RISK_LEVELS.join(', ')}`) }).partial();
const since = z.iso.datetime({ offset: true, error: 'is a time such as 2026-11-02T09:00:00Z' }).transform((text) => new Date(text).toISOString());
const operationSchema = z.object({ workspace: name, status: z.enum(STATUSES, `is one of ${STATUSES.join(', ')}`), since }).partial();

/** The `{id}` of the path; undefined where no operation can have such an id. */
export function operationIdOf(event: HttpEvent): string | undefined {
  const id = event.pathParameters?.['id'] ?? '';
  return isOperationId(id) ? id : undefined;
}

export function isOperationId(text: string): boolean {
  return OPERATION_ID.test(text);
}

/** The `{run_id}` of the path: any name that a proposal's scope may carry. */
export function runIdOf(event: HttpEvent): string | undefined {
  const run_id = event.pathParameters?.['run_id'] ?? '';
  return run_id !== '' && run_id.length <= LIMITS.name_length ? run_id : undefined;
}

export function absentRun(): Refusal {
  return refusal('run_not_found', 'There is no such run of yours.');
}

export function absent(): Refusal {
  return refusal('operation_not_found', 'There is no such operation, or it is not yours to see.');
}

/** A whole number in a query parameter, `fallback` where it is absent, a refusal where it is anything else. */
export function wholeNumber(event: HttpEvent, name: string, range: { readonly fallback: number; readonly max: number }): number | Refusal {
  const text = event.queryStringParameters?.[name];
  if (text === undefined) return range.fallback;
  if (!/^\d{1,6}$/.test(text) || Number(text) > range.max) return refusal('invalid_request', `${name} is a whole number up to ${range.max}.`, { field: name });
  return Number(text);
}

export function waitSeconds(event: HttpEvent): number | Refusal {
  return wholeNumber(event, 'wait_seconds', { fallback: 0, max: LIMITS.wait_seconds });
}

/** How many entries a page may hold. */
export function pageLimit(event: HttpEvent): number | Refusal {
  const limit = wholeNumber(event, 'limit', { fallback: LIMITS.page_size, max: LIMITS.page_size });
  return limit === 0 ? refusal('invalid_request', 'limit is at least 1.', { field: 'limit' }) : limit;
}

/** Where a page of a list begins: empty for the first one, a refusal for a cursor that is not ours. */
export function listCursor(event: HttpEvent): { readonly cursor?: string } | Refusal {
  const cursor = event.queryStringParameters?.['cursor'];
  if (cursor === undefined) return {};
  return LIST_CURSOR.test(cursor) ? { cursor } : refusal('invalid_request', 'cursor: not one of ours.', { field: 'cursor' });
}

/** `?workspace=&tool=&risk=`. A name that nothing has lists nothing; one that nothing can have is refused. */
export function inboxFilter(query: HttpEvent['queryStringParameters']): InboxFilter | Refusal {
  return parsedQuery(query, inboxSchema);
}

/** `?workspace=&status=&since=`, the time with milliseconds and in UTC, as all instants are. */
export function operationFilter(query: HttpEvent['queryStringParameters']): z.output<typeof operationSchema> | Refusal {
  return parsedQuery(query, operationSchema);
}

function parsedQuery<S extends z.ZodType>(query: HttpEvent['queryStringParameters'], schema: S): z.output<S> | Refusal {
  const parsed = schema.safeParse(query ?? {});
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'not as expected' };
  const field = String(path[0] ?? '');
  return refusal('invalid_request', `${field} ${message}.`, { field });
}

/** `?page=n`, from 1 to as many as there are. */
export function pageNumber(event: HttpEvent, pages: number): number | Refusal {
  const text = event.queryStringParameters?.['page'] ?? '1';
  if (/^[1-9]\d{0,5}$/.test(text) && Number(text) <= pages) return Number(text);
  return refusal('invalid_request', `page is a whole number from 1 to ${pages}.`, { field: 'page' });
}
