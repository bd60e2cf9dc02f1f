// The token in a page's form: proof that this page was made by us, for this use, person, operation and hash, not long
// ago. It lets nobody decide; it only keeps other sites from deciding, or asking, with somebody's session.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../domain/json/canonical-json.ts';
import { epochSeconds, plusSeconds, type Instant } from '../domain/times.ts';

/** What the form of an operation may be posted for. A decision is bound to the view that the page gave. */
export type FormUse = 'decide_short' | 'decide_full' | 'reveal' | 'extend' | 'break_glass' | 'review_glass';

export type FormSubject = OperationForm | PolicyForm;

interface OperationForm {
  readonly use: FormUse;
  readonly subject: string;
  readonly operation_id: string;
  /** The hash that the page showed. */
  readonly arguments_hash: string;
}

/** Asking what policy would say is about no operation. */
interface PolicyForm {
  readonly use: 'explain';
  readonly subject: string;
}

const VALID_SECONDS = 2 * 3600;

/** `<expires, epoch seconds>.<base64url HMAC-SHA256>`. */
export function mintFormToken(key: Uint8Array, form: FormSubject, now: Instant): string {
  return tokenText(key, form, epochSeconds(plusSeconds(now, VALID_SECONDS)));
}

export function verifyFormToken(key: Uint8Array, form: FormSubject, token: string, now: Instant): boolean {
  const expires = /^([1-9]\d{0,11})\.[A-Za-z0-9_-]{43}$/.exec(token)?.[1];
  if (expires === undefined) return false;
  // Whole texts are compared, so that a second spelling of the same digits or bytes does not pass.
  const genuine = Buffer.from(tokenText(key, form, Number(expires)));
  const given = Buffer.from(token);
  return genuine.length === given.length && timingSafeEqual(genuine, given) && Number(expires) > epochSeconds(now);
}

function tokenText(key: Uint8Array, form: FormSubject, expires: number): string {
  const about = form.use === 'explain' ? [] : [form.operation_id, form.arguments_hash];
  const signed = canonicalJson([form.use, form.subject, ...about, expires]);
  return `${expires}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}
