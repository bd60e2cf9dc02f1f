// POST /agent/operations/{id}/renew.
import * as z from 'zod';
import { LIMITS } from '../../domain/limits.ts';
import { readJsonBody } from '../../middleware/body.ts';
import { httpFunction, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { absent, operationIdOf } from '../../middleware/query.ts';
import { json, problem } from '../../middleware/reply.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import type { Log } from '../../ports/system.ts';
import { renewLease, type RenewPorts } from './renew-lease.ts';

const bodySchema = z.strictObject({});

export function buildHandler(ports: RenewPorts & { readonly callers: CallerRegistry; readonly log: Log }): HttpHandler {
  return httpFunction(ports, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return problem(identified.refusal);
    const operation_id = operationIdOf(event);
    if (operation_id === undefined) return problem(absent());
    const read = readJsonBody(event, bodySchema, LIMITS.decision_body_bytes);
    if (!read.ok) return problem(read.refusal);
    const renewed = await renewLease(ports, identified.caller, operation_id);
    return renewed.ok ? json(200, { operation_id, lease_until: renewed.lease_until }) : problem(renewed.refusal);
  });
}
