// POST /api/operations/{id}/decisions, and what else people's programs do to a waiting operation: many decisions in one
// request, more time, breaking the glass.
import * as z from 'zod';
import { refusal } from '../../domain/refusals.ts';
import type { HttpHandler } from '../../middleware/http-function.ts';
import { operationRequest, type RequestPorts } from '../../middleware/operation-request.ts';
import { buildBatchHandler } from './batch-handler.ts';
import { buildBreakGlassHandler, buildGlassReviewHandler } from './break-glass-handler.ts';
import { decideOperation, type DecidePorts } from './decide-operation.ts';
import { replyTo } from './decided.ts';
import { buildExtendHandler } from './extend-handler.ts';
import { voteFields } from './vote-fields.ts';

const bodySchema = z.strictObject({ ...voteFields, actor_id: z.string().optional() });

export function buildHandler(ports: DecidePorts & RequestPorts): HttpHandler {
  const one = buildSingleHandler(ports);
  const others: Readonly<Record<string, HttpHandler>> = {
    'POST /api/decisions': buildBatchHandler(ports),
    'POST /api/operations/{id}/extend': buildExtendHandler(ports),
    'POST /api/operations/{id}/break-glass': buildBreakGlassHandler(ports),
    'POST /api/operations/{id}/break-glass/review': buildGlassReviewHandler(ports),
  };
  return (event) => (others[event.routeKey] ?? one)(event);
}

function buildSingleHandler(ports: DecidePorts & RequestPorts): HttpHandler {
  return operationRequest(ports, bodySchema, async ({ caller, operation_id, request_id, body: { actor_id, ...vote } }) => {
    if (actor_id !== undefined && actor_id !== caller.subject) return refusal('invalid_request', 'actor_id: the credential says who acts.', { field: 'actor_id' });
    return replyTo(await decideOperation(ports, caller, { ...vote, operation_id, channel: 'api' }, request_id));
  });
}
