// GET {/agent,/api}/operations/{id} and …/events, GET /agent/runs/{run_id}.
import { httpFunction, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { absent, absentRun, operationIdOf, runIdOf, waitSeconds } from '../../middleware/query.ts';
import { json, problem } from '../../middleware/reply.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import type { Log } from '../../ports/system.ts';
import { readEvents, readOperation, type ReadPorts } from './read-operation.ts';
import { readRun, type ReadRunPorts } from './read-run.ts';

export function buildHandler(ports: ReadPorts & ReadRunPorts & { readonly callers: CallerRegistry; readonly log: Log }): HttpHandler {
  return httpFunction(ports, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return problem(identified.refusal);
    if (event.routeKey.endsWith('/runs/{run_id}')) {
      const run_id = runIdOf(event);
      const run = run_id === undefined ? undefined : await readRun(ports, identified.caller, run_id);
      return run === undefined ? problem(absentRun()) : json(200, run);
    }
    const operation_id = operationIdOf(event);
    if (operation_id === undefined) return problem(absent());
    if (event.routeKey.endsWith('/events')) {
      const events = await readEvents(ports, identified.caller, operation_id);
      // Joined, not parsed and printed again: subscribers and auditors get the stored text itself.
      return events === undefined ? problem(absent()) : { ...json(200, null), body: `{"events":[${events.join(',')}]}` };
    }
    const wait = waitSeconds(event);
    if (typeof wait !== 'number') return problem(wait);
    const operation = await readOperation(ports, identified.caller, operation_id, wait);
    return operation === undefined ? problem(absent()) : json(200, operation);
  });
}
