// Bodies: the received bytes, read strictly, then checked against a schema that refuses unknown fields. The refusal
// names the field. Nothing is decoded leniently, and size is judged before anything is read.
import * as z from 'zod';
import { boundedText } from '../domain/display/visible-text.ts';
import { readJson } from '../domain/json/strict-reader.ts';
import type { JsonValue } from '../domain/json/json-value.ts';
import { LIMITS } from '../domain/limits.ts';
import { refusal, type Refusal } from '../domain/refusals.ts';
import type { HttpEvent } from './http-function.ts';

const FIELD_BYTES = 128;

export type Read<T> = { readonly ok: true; readonly body: T; readonly raw: JsonValue } | { readonly ok: false; readonly refusal: Refusal };

/** Reads a JSON body. `raw` is the strict reader's own value, untouched by the schema. */
export function readJsonBody<S extends z.ZodType>(event: HttpEvent, schema: S, max_bytes: number = LIMITS.body_bytes): Read<z.output<S>> {
  const bytes = bodyBytes(event, /^application\/(?:[\w.-]+\+)?json$/, max_bytes);
  if (!(bytes instanceof Uint8Array)) return { ok: false, refusal: bytes };
  const reading = readJson(bytes, { max_bytes });
  if (!reading.ok) {
    const { pointer, reason, detail, hint } = reading.refusal;
    const told = hint === undefined ? detail : `${detail} ${hint}`;
    const inArguments = pointer === '/arguments' || pointer.startsWith('/arguments/');
    return { ok: false, refusal: refusal(inArguments ? 'arguments_not_canonical' : 'invalid_request', told, { pointer, reason, ...(hint === undefined ? {} : { hint }) }) };
  }
  return checked(reading.value, schema);
}

/** Reads an HTML form. A field that stands twice is refused, as a duplicate key of JSON would be. */
export function readFormBody<S extends z.ZodType>(event: HttpEvent, schema: S, max_bytes: number = LIMITS.decision_body_bytes): Read<z.output<S>> {
  const bytes = bodyBytes(event, /^application\/x-www-form-urlencoded$/, max_bytes);
  if (!(bytes instanceof Uint8Array)) return { ok: false, refusal: bytes };
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(Buffer.from(bytes).toString('utf8'))) {
    if (fields.has(name)) return { ok: false, refusal: refusal('invalid_request', `The field ${name} stands twice.`, { field: name }) };
    fields.set(name, value);
  }
  return checked(Object.fromEntries(fields), schema);
}

export function checked<S extends z.ZodType>(value: JsonValue, schema: S): Read<z.output<S>> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, body: parsed.data, raw: value };
  const issue = parsed.error.issues[0];
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  // A name that came from outside is made visible and short before it is said back.
  const field = boundedText([...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].join('.'), FIELD_BYTES);
  const why = unknown === undefined ? (issue?.message ?? 'not as expected') : 'is not a field that is read here';
  return { ok: false, refusal: refusal('invalid_request', `${field === '' ? 'The body' : field}: ${boundedText(why, 4 * FIELD_BYTES)}`, { field }) };
}

function bodyBytes(event: HttpEvent, accepted: RegExp, max_bytes: number): Uint8Array | Refusal {
  const header = (name: string): string => event.headers[name] ?? '';
  const mediaType = (header('content-type').split(';')[0] ?? '').trim().toLowerCase();
  if (!accepted.test(mediaType)) return refusal('unsupported_media_type', `This route does not read ${mediaType === '' ? 'a body without content type' : 'this content type'}.`, { field: 'content-type' });
  if (header('content-encoding') !== '') return refusal('unsupported_media_type', 'Encoded bodies are not read.', { field: 'content-encoding' });
  const body = event.body ?? '';
  // Before decoding: no text of this many characters, and no base64 of that many, decodes to fewer bytes.
  if (!body.isWellFormed()) return refusal('invalid_request', 'The body holds half a character.', { reason: 'not_utf8' });
  const flagged: unknown = event.isBase64Encoded;
  if (body.length > (flagged === true ? Math.ceil(max_bytes / 3) * 4 + 4 : max_bytes)) return tooLarge(max_bytes);
  if (flagged !== true && flagged !== false && flagged !== undefined) return refusal('invalid_request', 'The base64 flag is neither true nor false.', { field: 'isBase64Encoded' });
  if (flagged !== true) return sized(Buffer.from(body, 'utf8'), max_bytes);
  const bytes = Buffer.from(body, 'base64');
  // Buffer.from drops what is not base64 without a word; only an exact round trip was base64.
  if (bytes.toString('base64') !== body) return refusal('invalid_request', 'The body is flagged as base64 and is not.', { field: 'isBase64Encoded' });
  return sized(bytes, max_bytes);
}

function sized(bytes: Uint8Array, max_bytes: number): Uint8Array | Refusal {
  return bytes.byteLength > max_bytes ? tooLarge(max_bytes) : bytes;
}

function tooLarge(max_bytes: number): Refusal {
  return refusal('arguments_too_large', `A body may hold ${max_bytes} bytes.`, { max_bytes });
}
