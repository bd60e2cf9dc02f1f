// POST /review/{id} and what else its page offers: the forms of the review page, each the same use case that the API
// calls. After one was taken the browser gets the page anew, and a reload repeats nothing.
import * as z from 'zod';
import { viewSchema } from '../../domain/events.ts';
import { LIMITS } from '../../domain/limits.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { HttpHandler } from '../../middleware/http-function.ts';
import { seeOther, type HttpReply } from '../../middleware/reply.ts';
import { formFields, operationForm, type FormPorts } from '../../pages/operation-form.ts';
import { breakGlass, reviewBrokenGlass } from './break-glass.ts';
import type { Decided } from './decided.ts';
import { decideOperation, type DecidePorts } from './decide-operation.ts';
import { extendOperation } from './extend-operation.ts';

// Browsers send line ends of forms as CR LF, whatever was typed.
const typed = z.string().transform((text) => text.replaceAll('\r\n', '\n').trim()).refine((text) => Buffer.byteLength(text) <= LIMITS.comment_bytes, `holds up to ${LIMITS.comment_bytes} bytes`);
const comment = typed.optional().transform((text) => (text === '' ? undefined : text));
const said = typed.refine((text) => text !== '', 'says something');

const decideSchema = z.strictObject({ ...formFields, view: viewSchema.default('short'), decision: z.enum(['approve', 'deny'], 'is approve or deny'), comment });
const extendSchema = z.strictObject({ ...formFields, expires_at: z.iso.datetime(), comment });
const glassSchema = z.strictObject({ ...formFields, reason: said, ticket: said.refine((text) => text.length <= LIMITS.name_length, `holds up to ${LIMITS.name_length} characters`) });
const reviewSchema = z.strictObject({ ...formFields, comment: said });

const CHANNEL = { channel: 'page' } as const;

export function buildFormHandler(ports: DecidePorts & FormPorts): HttpHandler {
  const forms: Readonly<Record<string, HttpHandler>> = {
    'POST /review/{id}': operationForm(ports, {
      schema: decideSchema,
      use: ({ view }) => `decide_${view}`,
      refused_as: 'CS2002',
      act: async ({ caller, operation_id, request_id, fields: { arguments_hash, view, decision, comment: words } }) => answered(await decideOperation(ports, caller, { arguments_hash, view, decision, ...wording(words), operation_id, ...CHANNEL }, request_id), operation_id),
    }),
    'POST /review/{id}/extend': operationForm(ports, {
      schema: extendSchema,
      use: () => 'extend',
      refused_as: 'CS2002',
      act: async ({ caller, operation_id, request_id, fields: { expires_at, comment: words } }) => answered(await extendOperation(ports, caller, { expires_at, ...wording(words), operation_id, ...CHANNEL }, request_id), operation_id),
    }),
    'POST /review/{id}/break-glass': operationForm(ports, {
      schema: glassSchema,
      use: () => 'break_glass',
      refused_as: 'CS2002',
      act: async ({ caller, operation_id, request_id, fields: { arguments_hash, reason, ticket } }) => answered(await breakGlass(ports, caller, { arguments_hash, reason, ticket, operation_id, ...CHANNEL }, request_id), operation_id),
    }),
    'POST /review/{id}/break-glass/review': operationForm(ports, {
      schema: reviewSchema,
      use: () => 'review_glass',
      refused_as: 'CS2002',
      act: async ({ caller, operation_id, request_id, fields }) => answered(await reviewBrokenGlass(ports, caller, { comment: fields.comment, operation_id, ...CHANNEL }, request_id), operation_id),
    }),
  };
  return async (event) => (forms[event.routeKey] ?? forms['POST /review/{id}'])?.(event) ?? Promise.reject(new Error('no form stands behind this route'));
}

function answered(decided: Decided, operation_id: string): HttpReply | Refusal {
  return decided.ok ? seeOther(`/review/${operation_id}`) : decided.refusal;
}

function wording(words: string | undefined): { readonly comment?: string } {
  return words === undefined ? {} : { comment: words };
}
