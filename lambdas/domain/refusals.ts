// A refusal is a lawful "no": a value with a frozen code and an HTTP status. docs/errors.md explains each.

export const REFUSAL_STATUS = {
  invalid_request: 400,
  unauthenticated: 401,
  not_an_approver: 403,
  own_operation: 403,
  policy_denied: 403,
  scope_not_allowed: 403,
  not_an_administrator: 403,
  reveal_not_allowed: 403,
  extension_not_allowed: 403,
  break_glass_not_allowed: 403,
  cross_site_request: 403,
  operation_not_found: 404,
  policy_not_found: 404,
  run_not_found: 404,
  directory_entry_not_found: 404,
  already_decided: 409,
  operation_id_reused: 409,
  arguments_changed: 409,
  run_cancelled: 409,
  nothing_to_review: 409,
  full_view_required: 409,
  grant_already_claimed: 409,
  policy_loosens: 409,
  identity_taken: 409,
  last_administrator: 409,
  operation_expired: 410,
  grant_lapsed: 410,
  revision_conflict: 412,
  arguments_too_large: 413,
  unsupported_media_type: 415,
  arguments_not_canonical: 422,
  policy_invalid: 422,
  directory_invalid: 422,
  delegation_invalid: 422,
  revision_required: 428,
  too_many_pending: 429,
} as const;

export type RefusalCode = keyof typeof REFUSAL_STATUS;

export interface Refusal {
  readonly code: RefusalCode;
  readonly detail: string;
  /** Further members of the problem document: the field, a JSON Pointer, the operation. */
  readonly more?: Readonly<Record<string, string | number | boolean>>;
}

export function refusal(code: RefusalCode, detail: string, more?: Refusal['more']): Refusal {
  return more === undefined ? { code, detail } : { code, detail, more };
}

/** One shape for "absent" and "not yours". */
export function absentOperation(): Refusal {
  return refusal('operation_not_found', 'There is no such operation, or it is not yours to see.');
}
