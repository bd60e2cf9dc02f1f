// POST /api/operations/{id}/extend: a new deadline, as an instant.
import * as z from 'zod';
import { describeOperation } from '../../domain/describe-operation.ts';
import { LIMITS } from '../../domain/limits.ts';
import { readJsonBody } from '../../middleware/body.ts';
import { httpFunction, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { absent, operationIdOf } from '../../middleware/query.ts';
import { json, problem } from '../../middleware/reply.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import { extendOperation, type ExtendPorts } from './extend-operation.ts';
import { voteFields } from './vote-fields.ts';

const bodySchema = z.strictObject({
  expires_at: z.iso.datetime({ offset: true, error: 'is a time such as 2026-11-02T09:00:00Z' }).transform((text) => new Date(text).toISOString()),
  comment: voteFields.comment,
});

export function buildExtendHandler(ports: ExtendPorts & { readonly callers: CallerRegistry }): HttpHandler {
  return httpFunction(ports, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return problem(identified.refusal);
    const operation_id = operationIdOf(event);
    if (operation_id === undefined) return problem(absent());
    const read = readJsonBody(event, bodySchema, LIMITS.decision_body_bytes);
    if (!read.ok) return problem(read.refusal);
    const { expires_at, comment } = read.body;
    const wish = { operation_id, expires_at, channel: 'api' as const, ...(comment === undefined ? {} : { comment }) };
    const decided = await extendOperation(ports, identified.caller, wish, event.requestContext.requestId);
    return decided.ok ? json(200, describeOperation(decided.operation)) : problem(decided.refusal);
  });
}
