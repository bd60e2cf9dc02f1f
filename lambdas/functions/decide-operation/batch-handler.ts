// POST /api/decisions: up to fifty votes, each with the hash that was shown for it. A body that cannot be read as a whole decides
// nothing; after that each is decided as if it had come alone, and answered under its operation.
import * as z from 'zod';
import type { Caller } from '../../domain/caller.ts';
import { describeOperation } from '../../domain/describe-operation.ts';
import { isFault } from '../../domain/faults.ts';
import { LIMITS } from '../../domain/limits.ts';
import { REFUSAL_STATUS } from '../../domain/refusals.ts';
import { readJsonBody } from '../../middleware/body.ts';
import { httpFunction, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { isOperationId } from '../../middleware/query.ts';
import { faultProblem, json, problem, problemOf } from '../../middleware/reply.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import { decideOperation, type DecidePorts } from './decide-operation.ts';
import { voteFields } from './vote-fields.ts';

/** So many at a time: fifty in a row would outlast a patient gateway, fifty at once would be throttled. */
const AT_ONCE = 5;

const voteSchema = z.strictObject({ operation_id: z.string().refine(isOperationId, 'is the id of no operation'), ...voteFields });
const bodySchema = z.strictObject({
  decisions: z.array(voteSchema).min(1).max(LIMITS.decisions).superRefine((votes, context) => {
    const again = votes.findIndex(({ operation_id }, index) => votes.slice(0, index).some((earlier) => earlier.operation_id === operation_id));
    if (again >= 0) context.addIssue({ code: 'custom', path: [again, 'operation_id'], message: 'stands twice; each operation is decided once' });
  }),
});
type Vote = z.output<typeof voteSchema>;

interface Answer {
  readonly operation_id: string;
  readonly http_status: number;
  readonly operation?: unknown;
  readonly problem?: unknown;
}

export function buildBatchHandler(ports: DecidePorts & { readonly callers: CallerRegistry }): HttpHandler {
  return httpFunction(ports, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return problem(identified.refusal);
    const read = readJsonBody(event, bodySchema, LIMITS.decisions_body_bytes);
    if (!read.ok) return problem(read.refusal);
    const votes = read.body.decisions;
    const decisions: Answer[] = [];
    for (let next = 0; next < votes.length; next += AT_ONCE) {
      const some = votes.slice(next, next + AT_ONCE).map((vote) => decideAlone(ports, identified.caller, vote, event.requestContext.requestId));
      decisions.push(...(await Promise.all(some)));
    }
    return json(200, { decisions });
  });
}

/** What breaks for one operation is told for that one: the votes beside it are none the worse for it. */
async function decideAlone(ports: DecidePorts, caller: Caller, vote: Vote, request_id: string): Promise<Answer> {
  const { operation_id } = vote;
  try {
    const decided = await decideOperation(ports, caller, { ...vote, channel: 'api' }, request_id);
    if (decided.ok) return { operation_id, http_status: 200, operation: describeOperation(decided.operation) };
    return { operation_id, http_status: REFUSAL_STATUS[decided.refusal.code], problem: problemOf(decided.refusal) };
  } catch (thrown) {
    ports.log.write('CS9002', { operation_id, request_id, fault: isFault(thrown) ? thrown.name : 'unexpected' });
    const retryable = isFault(thrown) && thrown.retryable;
    const told = faultProblem(retryable, request_id);
    return { operation_id, http_status: told.status, problem: { ...told, retryable } };
  }
}
