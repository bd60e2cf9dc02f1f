// GET /api/operations/{id}/full.
import { fingerprintOf } from '../../domain/binding.ts';
import { httpFunction, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { absent, operationIdOf, pageNumber } from '../../middleware/query.ts';
import { json, problem } from '../../middleware/reply.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import type { Log } from '../../ports/system.ts';
import { showFullView, type FullViewPorts } from './show-full-view.ts';

export function buildHandler(ports: FullViewPorts & { readonly callers: CallerRegistry; readonly log: Log }): HttpHandler {
  return httpFunction(ports, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return problem(identified.refusal);
    const operation_id = operationIdOf(event);
    const full = operation_id === undefined ? undefined : await showFullView(ports, identified.caller, operation_id);
    if (full === undefined) return problem(absent());
    const page = pageNumber(event, full.pages.length);
    if (typeof page !== 'number') return problem(page);
    const { arguments_hash, binding_hash } = full.operation.opening.operation;
    const { hidden_values, may_reveal, pages } = full;
    const shown = pages[page - 1] ?? { within: [], rows: [] };
    return json(200, { operation_id, arguments_hash, binding_hash, fingerprint: fingerprintOf(binding_hash), page, pages: pages.length, hidden_values, may_reveal, ...shown });
  });
}
