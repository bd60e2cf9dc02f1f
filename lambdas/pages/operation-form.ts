// The frame around every form that is about one operation: only one that our own page made for this person, use,
// operation and hash, on this site and not long ago, gets as far as the act. The act decides all of it again.
import * as z from 'zod';
import type { Caller } from '../domain/caller.ts';
import { shownHashSchema } from '../domain/hash-forms.ts';
import { refusal, type Refusal } from '../domain/refusals.ts';
import { readFormBody } from '../middleware/body.ts';
import { httpFunction, type HttpHandler } from '../middleware/http-function.ts';
import { identify } from '../middleware/identity.ts';
import { absent, operationIdOf } from '../middleware/query.ts';
import type { HttpReply } from '../middleware/reply.ts';
import type { CallerRegistry } from '../ports/registry.ts';
import type { Clock, FormKeys, Log } from '../ports/system.ts';
import { isCrossSite } from './cross-site.ts';
import { verifyFormToken, type FormUse } from './form-token.ts';
import { faultPage, refusalPage, TO_INBOX, toFullView, toReview } from './refusal-page.ts';
import { STYLE_SOURCES } from './style.ts';

export interface FormPorts {
  readonly callers: CallerRegistry;
  readonly formKeys: FormKeys;
  readonly clock: Clock;
  readonly log: Log;
}

/** What every such form carries beside its own fields. */
export const formFields = { arguments_hash: shownHashSchema, form_token: z.string() } as const;
interface Fields {
  readonly arguments_hash: string;
  readonly form_token: string;
}

export interface OperationForm<F extends Fields> {
  readonly schema: z.ZodType<F>;
  readonly use: (fields: F) => FormUse;
  /** What is written to the log when a form is not taken. */
  readonly refused_as: 'CS2002' | 'CS2005';
  readonly act: (sent: { readonly caller: Caller; readonly operation_id: string; readonly fields: F; readonly request_id: string }) => Promise<HttpReply | Refusal>;
}

const ELSEWHERE = refusal('cross_site_request', 'It came from another site. Use the page of the operation itself.');
const NO_TOKEN = refusal('cross_site_request', 'It was not made by this page for you, or is older than two hours. Open the operation again and use its own form.');

export function operationForm<F extends Fields>({ callers, formKeys, clock, log }: FormPorts, { schema, use, refused_as, act }: OperationForm<F>): HttpHandler {
  return httpFunction({ log, styleSources: STYLE_SOURCES, onFault: faultPage }, async (event) => {
    const identified = await identify(callers, event);
    if (!identified.ok) return refusalPage(identified.refusal, TO_INBOX);
    const { caller } = identified;
    const { subject } = caller;
    const request_id = event.requestContext.requestId;
    const operation_id = operationIdOf(event);
    if (operation_id === undefined) return refusalPage(absent(), TO_INBOX, subject);
    const no = (refused: Refusal): HttpReply => refusalPage(refused, refused.code === 'full_view_required' ? toFullView(operation_id) : toReview(operation_id), subject);
    const forged = (refused: Refusal): HttpReply => {
      log.write(refused_as, { operation_id, request_id, code: refused.code });
      return no(refused);
    };
    if (isCrossSite(event.headers)) return forged(ELSEWHERE);
    const read = readFormBody(event, schema);
    if (!read.ok) return no(read.refusal);
    const fields = read.body;
    const form = { use: use(fields), subject, operation_id, arguments_hash: fields.arguments_hash };
    if (!verifyFormToken(await formKeys.formKey(), form, fields.form_token, clock.now())) return forged(NO_TOKEN);
    const done = await act({ caller, operation_id, fields, request_id });
    return 'code' in done ? no(done) : done;
  });
}
