// POST {/agent,/api}/operations/{id}/cancel, POST /agent/runs/{run_id}/cancel.
import * as z from 'zod';
import { describeOperation } from '../../domain/describe-operation.ts';
import { LIMITS } from '../../domain/limits.ts';
import { readJsonBody } from '../../middleware/body.ts';
import { httpFunction, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { absent, absentRun, operationIdOf, runIdOf } from '../../middleware/query.ts';
import { json, problem } from '../../middleware/reply.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import { cancelOperation } from './cancel-operation.ts';
import { cancelRun, type CancelRunPorts } from './cancel-run.ts';

const bodySchema = z.strictObject({
  reason: z.string().refine((text) => Buffer.byteLength(text) <= LIMITS.comment_bytes, `holds up to ${LIMITS.comment_bytes} bytes`).optional(),
});

export function buildHandler(ports: CancelRunPorts & { readonly callers: CallerRegistry }): HttpHandler {
  return httpFunction(ports, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return problem(identified.refusal);
    const { caller } = identified;
    const { requestId } = event.requestContext;
    const ofRun = event.routeKey.includes('/runs/');
    const id = ofRun ? runIdOf(event) : operationIdOf(event);
    if (id === undefined) return problem(ofRun ? absentRun() : absent());
    const read = readJsonBody(event, bodySchema, LIMITS.decision_body_bytes);
    if (!read.ok) return problem(read.refusal);
    const { reason } = read.body;
    const said = reason === undefined ? {} : { comment: reason };
    if (ofRun) return json(200, await cancelRun(ports, caller, { run_id: id, ...said }, requestId));
    const cancelled = await cancelOperation(ports, caller, { operation_id: id, ...said }, requestId);
    return cancelled.ok ? json(200, describeOperation(cancelled.operation)) : problem(cancelled.refusal);
  });
}
