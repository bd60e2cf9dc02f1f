// GET /api/inbox, and GET /api/operations beside it.
import { httpFunction, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { inboxFilter, listCursor, pageLimit, waitSeconds } from '../../middleware/query.ts';
import { json, problem } from '../../middleware/reply.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import type { Log } from '../../ports/system.ts';
import type { InboxPorts } from '../../record/inbox-of.ts';
import { listInbox } from './list-inbox.ts';
import type { OperationListPorts } from './list-operations.ts';
import { buildOperationsHandler } from './operations-handler.ts';

interface Common {
  readonly callers: CallerRegistry;
  readonly log: Log;
}

export function buildHandler(ports: InboxPorts & OperationListPorts & Common): HttpHandler {
  const [inbox, operations] = [buildInboxHandler(ports), buildOperationsHandler(ports)];
  return (event) => (event.routeKey === 'GET /api/operations' ? operations(event) : inbox(event));
}

function buildInboxHandler(ports: InboxPorts & Common): HttpHandler {
  return httpFunction(ports, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return problem(identified.refusal);
    const limit = pageLimit(event);
    if (typeof limit !== 'number') return problem(limit);
    const wait_seconds = waitSeconds(event);
    if (typeof wait_seconds !== 'number') return problem(wait_seconds);
    const from = listCursor(event);
    if ('code' in from) return problem(from);
    const filter = inboxFilter(event.queryStringParameters);
    if ('code' in filter) return problem(filter);
    return json(200, await listInbox(ports, identified.caller, { limit, wait_seconds, filter, ...from }));
  });
}
