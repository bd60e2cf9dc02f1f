// POST /agent/operations.
import * as z from 'zod';
import { nobodyText } from '../../domain/approvers.ts';
import { fingerprintOf } from '../../domain/binding.ts';
import type { JsonObject } from '../../domain/json/json-value.ts';
import { LIMITS } from '../../domain/limits.ts';
import type { Operation } from '../../domain/operation.ts';
import { refusal } from '../../domain/refusals.ts';
import { readJsonBody } from '../../middleware/body.ts';
import { httpFunction, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { json, problem, type HttpReply } from '../../middleware/reply.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import { submitOperation, type SubmitPorts, type SubmitSettings } from './submit-operation.ts';

const word = z.string().min(1).max(LIMITS.name_length);
const bodySchema = z.strictObject({
  tool: word,
  arguments: z.unknown().refine((value) => value !== undefined, 'is required'),
  type: z.enum(['tool_call', 'mcp_tool_call', 'workflow']).default('tool_call'),
  call_id: word.optional(),
  lease_seconds: z.int().min(LIMITS.lease_seconds.min).max(LIMITS.lease_seconds.max).optional(),
  scope: z.strictObject({ workspace_id: word, agent_id: word, run_id: word.optional(), frame_id: word.optional() }),
  on_behalf_of: word.optional(),
  reason: z.string().max(LIMITS.reason_bytes).optional(),
  actor_id: z.string().optional(),
});

export function buildHandler(ports: SubmitPorts & { readonly callers: CallerRegistry }, settings: SubmitSettings): HttpHandler {
  return httpFunction(ports, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return problem(identified.refusal);
    const read = readJsonBody(event, bodySchema);
    if (!read.ok) return problem(read.refusal);
    const { actor_id, ...proposal } = read.body;
    if (actor_id !== undefined && actor_id !== identified.caller.subject) {
      return problem(refusal('invalid_request', 'actor_id: the credential says who acts.', { field: 'actor_id' }));
    }
    // The reader's own value, so that no schema can have changed a member of it.
    const given = (read.raw as JsonObject)['arguments'] ?? null;
    const submitted = await submitOperation(ports, identified.caller, { ...proposal, arguments: given }, settings, event.requestContext.requestId);
    return submitted.ok ? replyTo(submitted.operation) : problem(submitted.refusal);
  });
}

function replyTo(operation: Operation): HttpReply {
  const { operation_id, opening, status } = operation;
  if (operation.status === 'refused') {
    const { reason = 'policy_denied', nobody } = operation.decision;
    const why = reason === 'nobody_can_approve' ? `Policy asks for this call, and nobody could approve it${nobody === undefined ? '' : `: ${nobodyText(nobody)}`}.` : 'Policy denies this call.';
    return problem(refusal('policy_denied', why, { operation_id, reason, retryable: false }));
  }
  const { arguments_hash, binding_hash } = opening.operation;
  return json(operation.status === 'pending' ? 202 : 200, {
    operation_id,
    status,
    arguments_hash,
    binding_hash,
    fingerprint: fingerprintOf(binding_hash),
    ...(operation.status === 'pending' && opening.lease_seconds !== undefined ? { lease_seconds: opening.lease_seconds } : {}),
    ...(opening.decide_by === undefined ? {} : { expires_at: opening.decide_by }),
    ...(operation.status === 'granted' ? { use_by: operation.use_by } : {}),
  });
}
