// POST /api/operations/{id}/break-glass, by two people each, and POST …/break-glass/review, by a third afterwards.
import * as z from 'zod';
import { describeOperation } from '../../domain/describe-operation.ts';
import { LIMITS } from '../../domain/limits.ts';
import { readJsonBody } from '../../middleware/body.ts';
import { httpFunction, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { absent, operationIdOf } from '../../middleware/query.ts';
import { json, problem } from '../../middleware/reply.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import { breakGlass, reviewBrokenGlass } from './break-glass.ts';
import type { DecidePorts } from './decide-operation.ts';
import { voteFields } from './vote-fields.ts';

const said = z.string().refine((text) => text.trim() !== '', 'says something').refine((text) => Buffer.byteLength(text) <= LIMITS.comment_bytes, `holds up to ${LIMITS.comment_bytes} bytes`);
const breakSchema = z.strictObject({
  arguments_hash: voteFields.arguments_hash,
  view: voteFields.view,
  reason: said,
  ticket: z.string().max(LIMITS.name_length).refine((text) => text.trim() !== '', 'names a ticket'),
});
const reviewSchema = z.strictObject({ comment: said });

export function buildBreakGlassHandler(ports: DecidePorts & { readonly callers: CallerRegistry }): HttpHandler {
  return httpFunction(ports, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return problem(identified.refusal);
    const { caller } = identified;
    const { requestId } = event.requestContext;
    const operation_id = operationIdOf(event);
    if (operation_id === undefined) return problem(absent());
    if (event.routeKey.endsWith('/review')) {
      const read = readJsonBody(event, reviewSchema, LIMITS.decision_body_bytes);
      if (!read.ok) return problem(read.refusal);
      const reviewed = await reviewBrokenGlass(ports, caller, { ...read.body, operation_id, channel: 'api' }, requestId);
      return reviewed.ok ? json(200, describeOperation(reviewed.operation)) : problem(reviewed.refusal);
    }
    const read = readJsonBody(event, breakSchema, LIMITS.decision_body_bytes);
    if (!read.ok) return problem(read.refusal);
    const { view, ...wish } = read.body;
    const decided = await breakGlass(ports, caller, { ...wish, operation_id, channel: 'api', ...(view === undefined ? {} : { view }) }, requestId);
    return decided.ok ? json(200, describeOperation(decided.operation)) : problem(decided.refusal);
  });
}
