// POST /api/operations/{id}/reveal. The answer is the canonical text itself, byte for byte: what it hashes to can be checked.
import * as z from 'zod';
import type { HttpHandler } from '../../middleware/http-function.ts';
import { operationRequest, type RequestPorts } from '../../middleware/operation-request.ts';
import { json } from '../../middleware/reply.ts';
import { revealArguments, type RevealPorts } from './reveal-arguments.ts';

export function buildHandler(ports: RevealPorts & RequestPorts): HttpHandler {
  return operationRequest(ports, z.strictObject({}), async ({ caller, operation_id, request_id }) => {
    const revealed = await revealArguments(ports, caller, { operation_id, channel: 'api' }, request_id);
    return revealed.ok ? { ...json(200, null), body: revealed.canonical } : revealed.refusal;
  });
}
