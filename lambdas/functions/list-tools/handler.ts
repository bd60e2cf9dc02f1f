// GET /agent/tools.
import { httpFunction, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { json, problem } from '../../middleware/reply.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import type { Log } from '../../ports/system.ts';
import { listTools, type ListToolsPorts } from './list-tools.ts';

export function buildHandler(ports: ListToolsPorts & { readonly callers: CallerRegistry; readonly log: Log }): HttpHandler {
  return httpFunction(ports, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return problem(identified.refusal);
    const { workspace_id = '', agent_id = '' } = event.queryStringParameters ?? {};
    const tools = await listTools(ports, identified.caller, workspace_id, agent_id);
    return 'code' in tools ? problem(tools) : json(200, { tools });
  });
}
