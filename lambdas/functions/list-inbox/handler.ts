// GET /api/inbox.
import { LIMITS } from '../../domain/limits.ts';
import { refusal } from '../../domain/refusals.ts';
import { httpFunction, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { inboxCursor, waitSeconds, wholeNumber } from '../../middleware/query.ts';
import { json, problem } from '../../middleware/reply.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import type { Log } from '../../ports/system.ts';
import { listInbox, type InboxPorts } from './list-inbox.ts';

export function buildHandler(ports: InboxPorts & { readonly callers: CallerRegistry; readonly log: Log }): HttpHandler {
  return httpFunction(ports, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return problem(identified.refusal);
    const limit = wholeNumber(event, 'limit', { fallback: LIMITS.page_size, max: LIMITS.page_size });
    if (typeof limit !== 'number') return problem(limit);
    if (limit === 0) return problem(refusal('invalid_request', 'limit is at least 1.', { field: 'limit' }));
    const wait_seconds = waitSeconds(event);
    if (typeof wait_seconds !== 'number') return problem(wait_seconds);
    const from = inboxCursor(event);
    if ('code' in from) return problem(from);
    return json(200, await listInbox(ports, identified.caller, { limit, wait_seconds, ...from }));
  });
}
