// POST /api/operations/{id}/extend: a new deadline, as an instant.
import * as z from 'zod';
import type { HttpHandler } from '../../middleware/http-function.ts';
import { operationRequest, type RequestPorts } from '../../middleware/operation-request.ts';
import { replyTo } from './decided.ts';
import { extendOperation, type ExtendPorts } from './extend-operation.ts';
import { voteFields } from './vote-fields.ts';

const bodySchema = z.strictObject({
  expires_at: z.iso.datetime({ offset: true, error: 'is a time such as 2026-11-02T09:00:00Z' }).transform((text) => new Date(text).toISOString()),
  comment: voteFields.comment,
});

export function buildExtendHandler(ports: ExtendPorts & RequestPorts): HttpHandler {
  return operationRequest(ports, bodySchema, async ({ caller, operation_id, request_id, body: { expires_at, comment } }) => {
    const wish = { operation_id, expires_at, channel: 'api' as const, ...(comment === undefined ? {} : { comment }) };
    return replyTo(await extendOperation(ports, caller, wish, request_id));
  });
}
