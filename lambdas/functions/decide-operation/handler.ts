// POST /api/operations/{id}/decisions, and what else people's programs do to a waiting operation: many decisions in one
// request, more time, breaking the glass.
import * as z from 'zod';
import { describeOperation } from '../../domain/describe-operation.ts';
import { LIMITS } from '../../domain/limits.ts';
import { refusal } from '../../domain/refusals.ts';
import { readJsonBody } from '../../middleware/body.ts';
import { httpFunction, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { absent, operationIdOf } from '../../middleware/query.ts';
import { json, problem } from '../../middleware/reply.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import { buildBatchHandler } from './batch-handler.ts';
import { buildBreakGlassHandler } from './break-glass-handler.ts';
import { decideOperation, type DecidePorts } from './decide-operation.ts';
import { buildExtendHandler } from './extend-handler.ts';
import { voteFields } from './vote-fields.ts';

const bodySchema = z.strictObject({ ...voteFields, actor_id: z.string().optional() });

export function buildHandler(ports: DecidePorts & { readonly callers: CallerRegistry }): HttpHandler {
  const one = buildSingleHandler(ports);
  const others: Readonly<Record<string, HttpHandler>> = {
    'POST /api/decisions': buildBatchHandler(ports),
    'POST /api/operations/{id}/extend': buildExtendHandler(ports),
    'POST /api/operations/{id}/break-glass': buildBreakGlassHandler(ports),
    'POST /api/operations/{id}/break-glass/review': buildBreakGlassHandler(ports),
  };
  return (event) => (others[event.routeKey] ?? one)(event);
}

function buildSingleHandler(ports: DecidePorts & { readonly callers: CallerRegistry }): HttpHandler {
  return httpFunction(ports, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return problem(identified.refusal);
    const operation_id = operationIdOf(event);
    if (operation_id === undefined) return problem(absent());
    const read = readJsonBody(event, bodySchema, LIMITS.decision_body_bytes);
    if (!read.ok) return problem(read.refusal);
    const { actor_id, ...vote } = read.body;
    if (actor_id !== undefined && actor_id !== identified.caller.subject) {
      return problem(refusal('invalid_request', 'actor_id: the credential says who acts.', { field: 'actor_id' }));
    }
    const decided = await decideOperation(ports, identified.caller, { ...vote, operation_id, channel: 'api' }, event.requestContext.requestId);
    return decided.ok ? json(200, describeOperation(decided.operation)) : problem(decided.refusal);
  });
}
