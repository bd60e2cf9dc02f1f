// Why a text was not read: where (RFC 6901), a stable word, a sentence, and what to do instead.
// Apart from the reader so that pages, errors and the vector file can name every reason.
// No sentence repeats a value of the text: refusals reach logs, and arguments may be secret.

export interface JsonRefusal {
  /** RFC 6901; names the nearest enclosing value when the exact one cannot be named or is too long to show. */
  readonly pointer: string;
  readonly reason: JsonRefusalReason;
  readonly detail: string;
  readonly hint?: string;
}

interface Explanation {
  readonly detail: string;
  readonly hint?: string;
}

export const JSON_REFUSALS = {
  too_large: { detail: 'The text has more bytes than the limit allows.' },
  too_deep: { detail: 'Arrays and objects are nested more deeply than the limit allows.' },
  too_many_members: { detail: 'The text has more members and elements than the limit allows.' },
  not_utf8: { detail: 'The bytes are not valid UTF-8.', hint: 'send UTF-8; send binary data as a base64 string' },
  byte_order_mark: { detail: 'The text begins with a byte order mark.', hint: 'send UTF-8 without a byte order mark' },
  unexpected_end: { detail: 'The text ends inside a value.' },
  unexpected_character: { detail: 'A character stands where JSON (RFC 8259) does not allow it.' },
  trailing_text: { detail: 'Something follows the JSON value.', hint: 'send exactly one JSON value' },
  control_character: { detail: 'A string holds an unescaped control character.', hint: 'escape it, for instance as \\n or \\u0000' },
  bad_escape: { detail: 'A string holds an escape that JSON does not know.' },
  lone_surrogate: { detail: 'A string holds half of a surrogate pair.', hint: 'send whole characters; send binary data as a base64 string' },
  bad_number: { detail: 'A number is not written as JSON writes numbers.', hint: 'no leading zero or plus sign, and digits on both sides of the point' },
  number_not_finite: { detail: 'A number is too large for a double.', hint: 'send it as a string' },
  integer_out_of_range: { detail: 'An integer lies beyond ±(2^53−1), where doubles no longer tell neighbours apart.', hint: 'send integers beyond 2^53−1 as strings' },
  duplicate_key: { detail: 'An object has the same key twice, perhaps spelled with different escapes.', hint: 'send each key once' },
} as const satisfies Record<string, Explanation>;

export type JsonRefusalReason = keyof typeof JSON_REFUSALS;

export function refuseJson(reason: JsonRefusalReason, path: readonly (string | number)[]): JsonRefusal {
  return { pointer: pointerTo(path), reason, ...JSON_REFUSALS[reason] };
}

/** A longer pointer would make the refusal itself unbounded; an ancestor's pointer is still a true one. */
const MAX_POINTER_LENGTH = 512;

export function pointerTo(path: readonly (string | number)[]): string {
  let pointer = '';
  for (const step of path) {
    const next = `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (next.length > MAX_POINTER_LENGTH) break;
    pointer = next;
  }
  return pointer;
}
