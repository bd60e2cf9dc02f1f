// GET /review/{id} and /inbox, for browsers. Query values change what is listed, never what is decided.
import type { Caller } from '../../domain/caller.ts';
import { LIMITS } from '../../domain/limits.ts';
import { refusal } from '../../domain/refusals.ts';
import { httpFunction, type HttpEvent, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { absent, operationIdOf } from '../../middleware/query.ts';
import type { HttpReply } from '../../middleware/reply.ts';
import { inboxPage } from '../../pages/inbox-page.ts';
import { refusalPage, TO_INBOX } from '../../pages/refusal-page.ts';
import { reviewPage } from '../../pages/review-page.ts';
import { STYLE_SOURCES } from '../../pages/style.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import type { Log } from '../../ports/system.ts';
import { showInbox, showReview, type ShowPorts } from './show-pages.ts';

const CURSOR = /^\d{4}-\d\d-\d\dT[\d:.]+Z#op_[0-9a-f]{32}$/;

export function buildHandler(ports: ShowPorts & { readonly callers: CallerRegistry; readonly log: Log }): HttpHandler {
  return httpFunction({ log: ports.log, styleSources: STYLE_SOURCES }, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return refusalPage(identified.refusal, TO_INBOX);
    switch (event.routeKey) {
      case 'GET /inbox':
        return inbox(ports, identified.caller, event);
      case 'GET /review/{id}':
        return review(ports, identified.caller, event);
      default:
        return refusalPage(absent(), TO_INBOX, identified.caller.subject);
    }
  });
}

async function review(ports: ShowPorts, caller: Caller, event: HttpEvent): Promise<HttpReply> {
  const operation_id = operationIdOf(event);
  const shown = operation_id === undefined ? undefined : await showReview(ports, caller, operation_id);
  return shown === undefined ? refusalPage(absent(), TO_INBOX, caller.subject) : reviewPage(shown);
}

async function inbox(ports: ShowPorts, caller: Caller, event: HttpEvent): Promise<HttpReply> {
  const { cursor, still } = event.queryStringParameters ?? {};
  if (cursor !== undefined && !CURSOR.test(cursor)) return refusalPage(refusal('invalid_request', 'cursor: not one of ours.'), TO_INBOX, caller.subject);
  const listed = await showInbox(ports, caller, { limit: LIMITS.page_size, ...(cursor === undefined ? {} : { cursor }) });
  return inboxPage({ ...listed, still: still === 'yes', ...(cursor === undefined ? {} : { from: cursor }) });
}
