// GET /review/{id}/full: the full view as pages, each with the form that may approve from it.
import type { Caller } from '../../domain/caller.ts';
import { progressOf, whyNotDecide } from '../../domain/standing.ts';
import { httpFunction, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { absent, operationIdOf, pageNumber } from '../../middleware/query.ts';
import type { Standing } from '../../pages/decision-card.ts';
import { mintFormToken, type FormUse } from '../../pages/form-token.ts';
import { fullViewPage, type FullReview } from '../../pages/full-view-page.ts';
import { faultPage, refusalPage, TO_INBOX, toFullView } from '../../pages/refusal-page.ts';
import { STYLE_SOURCES } from '../../pages/style.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import type { FormKeys, Log } from '../../ports/system.ts';
import { showFullView, type FullViewOf, type FullViewPorts } from './show-full-view.ts';

export interface FullViewPagePorts extends FullViewPorts {
  readonly callers: CallerRegistry;
  readonly formKeys: FormKeys;
  readonly log: Log;
}

export function buildPageHandler(ports: FullViewPagePorts): HttpHandler {
  return httpFunction({ log: ports.log, styleSources: STYLE_SOURCES, onFault: faultPage }, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return refusalPage(identified.refusal, TO_INBOX);
    const { caller } = identified;
    const operation_id = operationIdOf(event);
    const full = operation_id === undefined ? undefined : await showFullView(ports, caller, operation_id);
    if (full === undefined) return refusalPage(absent(), TO_INBOX, caller.subject);
    const page = pageNumber(event, full.pages.length);
    if (typeof page !== 'number') return refusalPage(page, toFullView(full.operation.operation_id), caller.subject);
    return fullViewPage(reviewOf(await ports.formKeys.formKey(), caller, full, page));
  });
}

function reviewOf(key: Uint8Array, caller: Caller, full: FullViewOf, page: number): FullReview {
  const { operation, eligible, pages, hidden_values, now } = full;
  const { subject } = caller;
  const seen = { operation, subject, page, pages: pages.length, shown: pages[page - 1] ?? { within: [], rows: [] }, hidden_values, now };
  if (operation.status !== 'pending') return seen;
  const { operation_id, opening } = operation;
  const tokenFor = (use: FormUse): string => mintFormToken(key, { use, subject, operation_id, arguments_hash: opening.operation.arguments_hash }, now);
  const because = whyNotDecide(operation, caller, eligible, now);
  const standing: Standing = because === undefined ? { may: 'decide', form_token: tokenFor('decide_full') } : { may: 'only_look', because };
  return { ...seen, waiting: { standing, progress: progressOf(operation, eligible) }, ...(full.may_reveal ? { reveal_token: tokenFor('reveal') } : {}) };
}
