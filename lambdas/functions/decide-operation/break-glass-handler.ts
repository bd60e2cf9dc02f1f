// POST /api/operations/{id}/break-glass, by two people each, and POST …/break-glass/review, by a third afterwards.
import * as z from 'zod';
import { LIMITS } from '../../domain/limits.ts';
import type { HttpHandler } from '../../middleware/http-function.ts';
import { operationRequest, type RequestPorts } from '../../middleware/operation-request.ts';
import { breakGlass, reviewBrokenGlass } from './break-glass.ts';
import type { DecidePorts } from './decide-operation.ts';
import { replyTo } from './decided.ts';
import type { ExtendPorts } from './extend-operation.ts';
import { voteFields } from './vote-fields.ts';

const said = z.string().refine((text) => text.trim() !== '', 'says something').refine((text) => Buffer.byteLength(text) <= LIMITS.comment_bytes, `holds up to ${LIMITS.comment_bytes} bytes`);
const breakSchema = z.strictObject({
  arguments_hash: voteFields.arguments_hash,
  view: voteFields.view,
  reason: said,
  ticket: z.string().max(LIMITS.name_length).refine((text) => text.trim() !== '', 'names a ticket'),
});

export function buildBreakGlassHandler(ports: DecidePorts & RequestPorts): HttpHandler {
  return operationRequest(ports, breakSchema, async ({ caller, operation_id, request_id, body: { view, ...wish } }) =>
    replyTo(await breakGlass(ports, caller, { ...wish, operation_id, channel: 'api', ...(view === undefined ? {} : { view }) }, request_id)),
  );
}

export function buildGlassReviewHandler(ports: ExtendPorts & RequestPorts): HttpHandler {
  return operationRequest(ports, z.strictObject({ comment: said }), async ({ caller, operation_id, request_id, body }) =>
    replyTo(await reviewBrokenGlass(ports, caller, { ...body, operation_id, channel: 'api' }, request_id)),
  );
}
