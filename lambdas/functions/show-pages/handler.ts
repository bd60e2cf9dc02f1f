// GET /review/{id} and /inbox, for browsers. Query values change what is listed, never what is decided.
import type { Caller } from '../../domain/caller.ts';
import { LIMITS } from '../../domain/limits.ts';
import { httpFunction, type HttpEvent, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { absent, inboxFilter, listCursor, operationIdOf } from '../../middleware/query.ts';
import type { HttpReply } from '../../middleware/reply.ts';
import { inboxPage } from '../../pages/inbox-page.ts';
import { faultPage, refusalPage, TO_INBOX } from '../../pages/refusal-page.ts';
import { reviewPage } from '../../pages/review-page.ts';
import { STYLE_SOURCES } from '../../pages/style.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import type { Log } from '../../ports/system.ts';
import { showInbox, showReview, type ShowPorts } from './show-pages.ts';

export function buildHandler(ports: ShowPorts & { readonly callers: CallerRegistry; readonly log: Log }): HttpHandler {
  return httpFunction({ log: ports.log, styleSources: STYLE_SOURCES, onFault: faultPage }, async (event) => {
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
  const from = listCursor(event);
  if ('code' in from) return refusalPage(from, TO_INBOX, caller.subject);
  // A form sends the fields that were left empty too: they ask for nothing.
  const asked = Object.entries(event.queryStringParameters ?? {}).filter(([, value]) => value !== '');
  const filter = inboxFilter(Object.fromEntries(asked));
  if ('code' in filter) return refusalPage(filter, TO_INBOX, caller.subject);
  const listed = await showInbox(ports, caller, { limit: LIMITS.page_size, filter, ...from });
  return inboxPage({ ...listed, filter, still: event.queryStringParameters?.['still'] === 'yes', ...(from.cursor === undefined ? {} : { from: from.cursor }) });
}
