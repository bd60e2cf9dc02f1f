// POST /agent/operations/{id}/renew.
import * as z from 'zod';
import type { HttpHandler } from '../../middleware/http-function.ts';
import { operationRequest, type RequestPorts } from '../../middleware/operation-request.ts';
import { json } from '../../middleware/reply.ts';
import { renewLease, type RenewPorts } from './renew-lease.ts';

export function buildHandler(ports: RenewPorts & RequestPorts): HttpHandler {
  return operationRequest(ports, z.strictObject({}), async ({ caller, operation_id }) => {
    const renewed = await renewLease(ports, caller, operation_id);
    return renewed.ok ? json(200, { operation_id, lease_until: renewed.lease_until }) : renewed.refusal;
  });
}
