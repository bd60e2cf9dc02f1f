// GET /api/operations.
import { httpFunction, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { listCursor, operationFilter, pageLimit } from '../../middleware/query.ts';
import { json, problem } from '../../middleware/reply.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import type { Log } from '../../ports/system.ts';
import { listOperations, type OperationListPorts } from './list-operations.ts';

export function buildOperationsHandler(ports: OperationListPorts & { readonly callers: CallerRegistry; readonly log: Log }): HttpHandler {
  return httpFunction(ports, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return problem(identified.refusal);
    const limit = pageLimit(event);
    if (typeof limit !== 'number') return problem(limit);
    const from = listCursor(event);
    if ('code' in from) return problem(from);
    const filter = operationFilter(event.queryStringParameters);
    if ('code' in filter) return problem(filter);
    const listed = await listOperations(ports, identified.caller, { limit, ...filter, ...from });
    return listed.ok ? json(200, listed.page) : problem(listed.refusal);
  });
}
