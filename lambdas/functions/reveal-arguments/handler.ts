// POST /api/operations/{id}/reveal. The answer is the canonical text itself, byte for byte: what it hashes to can be checked.
import * as z from 'zod';
import { LIMITS } from '../../domain/limits.ts';
import { readJsonBody } from '../../middleware/body.ts';
import { httpFunction, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { absent, operationIdOf } from '../../middleware/query.ts';
import { json, problem } from '../../middleware/reply.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import { revealArguments, type RevealPorts } from './reveal-arguments.ts';

const bodySchema = z.strictObject({});

export function buildHandler(ports: RevealPorts & { readonly callers: CallerRegistry }): HttpHandler {
  return httpFunction(ports, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return problem(identified.refusal);
    const operation_id = operationIdOf(event);
    if (operation_id === undefined) return problem(absent());
    const read = readJsonBody(event, bodySchema, LIMITS.decision_body_bytes);
    if (!read.ok) return problem(read.refusal);
    const revealed = await revealArguments(ports, identified.caller, { operation_id, channel: 'api' }, event.requestContext.requestId);
    return revealed.ok ? { ...json(200, null), body: revealed.canonical } : problem(revealed.refusal);
  });
}
