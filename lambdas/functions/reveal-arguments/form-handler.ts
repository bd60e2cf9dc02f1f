// POST /review/{id}/reveal: the form of the full view. Answered with the page itself, since there is no address under
// which the exact arguments could be had again without asking.
import * as z from 'zod';
import { shownHashSchema } from '../../domain/hash-forms.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import { readFormBody } from '../../middleware/body.ts';
import { httpFunction, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { absent, operationIdOf } from '../../middleware/query.ts';
import type { HttpReply } from '../../middleware/reply.ts';
import { isCrossSite } from '../../pages/cross-site.ts';
import { verifyFormToken } from '../../pages/form-token.ts';
import { faultPage, refusalPage, TO_INBOX, toReview } from '../../pages/refusal-page.ts';
import { revealPage } from '../../pages/reveal-page.ts';
import { STYLE_SOURCES } from '../../pages/style.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import type { FormKeys } from '../../ports/system.ts';
import { revealArguments, type RevealPorts } from './reveal-arguments.ts';

const formSchema = z.strictObject({ arguments_hash: shownHashSchema, form_token: z.string() });

const ELSEWHERE = refusal('cross_site_request', 'It came from another site. Ask on the full view of the operation itself.');
const NO_TOKEN = refusal('cross_site_request', 'It was not made by the full view for you, or is older than two hours. Open the full view again and ask there.');

export function buildFormHandler(ports: RevealPorts & { readonly callers: CallerRegistry; readonly formKeys: FormKeys }): HttpHandler {
  return httpFunction({ log: ports.log, styleSources: STYLE_SOURCES, onFault: faultPage }, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return refusalPage(identified.refusal, TO_INBOX);
    const { caller } = identified;
    const { subject } = caller;
    const request_id = event.requestContext.requestId;
    const operation_id = operationIdOf(event);
    if (operation_id === undefined) return refusalPage(absent(), TO_INBOX, subject);
    const no = (refused: Refusal): HttpReply => refusalPage(refused, toReview(operation_id), subject);
    const forged = (refused: Refusal): HttpReply => {
      ports.log.write('CS2005', { operation_id, request_id, code: refused.code });
      return no(refused);
    };
    if (isCrossSite(event.headers)) return forged(ELSEWHERE);
    const read = readFormBody(event, formSchema);
    if (!read.ok) return no(read.refusal);
    const { arguments_hash, form_token } = read.body;
    const form = { use: 'reveal', subject, operation_id, arguments_hash } as const;
    if (!verifyFormToken(await ports.formKeys.formKey(), form, form_token, ports.clock.now())) return forged(NO_TOKEN);
    const revealed = await revealArguments(ports, caller, { operation_id, channel: 'page' }, request_id);
    if (!revealed.ok) return no(revealed.refusal);
    return revealPage({ operation: revealed.operation, canonical: revealed.canonical, subject, now: ports.clock.now() });
  });
}
