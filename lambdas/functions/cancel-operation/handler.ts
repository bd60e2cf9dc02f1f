// POST {/agent,/api}/operations/{id}/cancel.
import * as z from 'zod';
import { describeOperation } from '../../domain/describe-operation.ts';
import { LIMITS } from '../../domain/limits.ts';
import { readJsonBody } from '../../middleware/body.ts';
import { httpFunction, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { absent, operationIdOf } from '../../middleware/query.ts';
import { json, problem } from '../../middleware/reply.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import { cancelOperation, type CancelPorts } from './cancel-operation.ts';

const bodySchema = z.strictObject({
  reason: z.string().refine((text) => Buffer.byteLength(text) <= LIMITS.comment_bytes, `holds up to ${LIMITS.comment_bytes} bytes`).optional(),
});

export function buildHandler(ports: CancelPorts & { readonly callers: CallerRegistry }): HttpHandler {
  return httpFunction(ports, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return problem(identified.refusal);
    const operation_id = operationIdOf(event);
    if (operation_id === undefined) return problem(absent());
    const read = readJsonBody(event, bodySchema, LIMITS.decision_body_bytes);
    if (!read.ok) return problem(read.refusal);
    const { reason } = read.body;
    const command = { operation_id, ...(reason === undefined ? {} : { comment: reason }) };
    const cancelled = await cancelOperation(ports, identified.caller, command, event.requestContext.requestId);
    return cancelled.ok ? json(200, describeOperation(cancelled.operation)) : problem(cancelled.refusal);
  });
}
