// On which revision somebody writes: `If-Match` names the one that was read, `"0"` where there was none.
import { refusal, type Refusal } from '../domain/refusals.ts';
import type { HttpEvent } from './http-function.ts';

export function revisionOf(event: HttpEvent): number | Refusal {
  const given = /^"?(\d{1,9})"?$/.exec(event.headers['if-match'] ?? '');
  if (given !== null) return Number(given[1]);
  return refusal('revision_required', 'Name the revision that you read in If-Match; "0" where there was nothing.', { field: 'if-match' });
}
