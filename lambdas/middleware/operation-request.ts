// The frame around every request of a program about one operation: who asks, about which, with what body. The act
// answers with a reply or a refusal.
import * as z from 'zod';
import type { Caller } from '../domain/caller.ts';
import { LIMITS } from '../domain/limits.ts';
import type { Refusal } from '../domain/refusals.ts';
import type { CallerRegistry } from '../ports/registry.ts';
import type { Log } from '../ports/system.ts';
import { readJsonBody } from './body.ts';
import { httpFunction, type HttpHandler } from './http-function.ts';
import { identify } from './identity.ts';
import { absent, operationIdOf } from './query.ts';
import { problem, type HttpReply } from './reply.ts';

export interface RequestPorts {
  readonly callers: CallerRegistry;
  readonly log: Log;
}

export interface OperationRequest<B> {
  readonly caller: Caller;
  readonly operation_id: string;
  readonly body: B;
  readonly request_id: string;
}

export function operationRequest<S extends z.ZodType>({ callers, log }: RequestPorts, schema: S, act: (request: OperationRequest<z.output<S>>) => Promise<HttpReply | Refusal>): HttpHandler {
  return httpFunction({ log }, async (event) => {
    const identified = await identify(callers, event);
    if (!identified.ok) return problem(identified.refusal);
    const operation_id = operationIdOf(event);
    if (operation_id === undefined) return problem(absent());
    const read = readJsonBody(event, schema, LIMITS.decision_body_bytes);
    if (!read.ok) return problem(read.refusal);
    const done = await act({ caller: identified.caller, operation_id, body: read.body, request_id: event.requestContext.requestId });
    return 'code' in done ? problem(done) : done;
  });
}
