// POST /review/{id}: the form of the review page. Only a form that our own page made for this person, operation and
// hash gets as far as the decision; what it decides is the same use case that the API calls.
import * as z from 'zod';
import { viewSchema } from '../../domain/events.ts';
import { shownHashSchema } from '../../domain/hash-forms.ts';
import { LIMITS } from '../../domain/limits.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import { readFormBody } from '../../middleware/body.ts';
import { httpFunction, type HttpHandler } from '../../middleware/http-function.ts';
import { identify } from '../../middleware/identity.ts';
import { absent, operationIdOf } from '../../middleware/query.ts';
import { seeOther, type HttpReply } from '../../middleware/reply.ts';
import { isCrossSite } from '../../pages/cross-site.ts';
import { verifyFormToken } from '../../pages/form-token.ts';
import { faultPage, refusalPage, TO_INBOX, toFullView, toReview } from '../../pages/refusal-page.ts';
import { STYLE_SOURCES } from '../../pages/style.ts';
import type { CallerRegistry } from '../../ports/registry.ts';
import type { FormKeys } from '../../ports/system.ts';
import { decideOperation, type DecidePorts } from './decide-operation.ts';

const formSchema = z.strictObject({
  arguments_hash: shownHashSchema,
  view: viewSchema.default('short'),
  decision: z.enum(['approve', 'deny'], 'is approve or deny'),
  // Browsers send line ends of forms as CR LF, whatever was typed.
  comment: z.string().optional().transform((text) => (text?.trim() === '' ? undefined : text?.replaceAll('\r\n', '\n')))
    .refine((text) => Buffer.byteLength(text ?? '') <= LIMITS.comment_bytes, `holds up to ${LIMITS.comment_bytes} bytes`),
  form_token: z.string(),
});

const ELSEWHERE = refusal('cross_site_request', 'It came from another site. Decide on the page of the operation itself.');
const NO_TOKEN = refusal('cross_site_request', 'It was not made by this page for you, or is older than two hours. Open the operation again and decide there.');

export function buildFormHandler(ports: DecidePorts & { readonly callers: CallerRegistry; readonly formKeys: FormKeys }): HttpHandler {
  return httpFunction({ log: ports.log, styleSources: STYLE_SOURCES, onFault: faultPage }, async (event) => {
    const identified = await identify(ports.callers, event);
    if (!identified.ok) return refusalPage(identified.refusal, TO_INBOX);
    const { caller } = identified;
    const { subject } = caller;
    const request_id = event.requestContext.requestId;
    const operation_id = operationIdOf(event);
    if (operation_id === undefined) return refusalPage(absent(), TO_INBOX, subject);
    const no = (refused: Refusal): HttpReply => refusalPage(refused, refused.code === 'full_view_required' ? toFullView(operation_id) : toReview(operation_id), subject);
    const forged = (refused: Refusal): HttpReply => {
      ports.log.write('CS2002', { operation_id, request_id, code: refused.code });
      return no(refused);
    };
    if (isCrossSite(event.headers)) return forged(ELSEWHERE);
    const read = readFormBody(event, formSchema);
    if (!read.ok) return no(read.refusal);
    const { arguments_hash, decision, view, comment, form_token } = read.body;
    const form = { use: `decide_${view}`, subject, operation_id, arguments_hash } as const;
    const genuine = verifyFormToken(await ports.formKeys.formKey(), form, form_token, ports.clock.now());
    if (!genuine) return forged(NO_TOKEN);
    const command = { operation_id, arguments_hash, decision, view, channel: 'page' as const, ...(comment === undefined ? {} : { comment }) };
    const decided = await decideOperation(ports, caller, command, request_id);
    return decided.ok ? seeOther(`/review/${operation_id}`) : no(decided.refusal);
  });
}
