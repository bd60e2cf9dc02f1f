// Said to whoever approves from a view that had to leave out what the decision rests on. Denying is always possible:
// nobody has to read everything in order to say no.
import { refusal, type Refusal } from '../refusals.ts';

export function fullViewRequired(operation_id: string): Refusal {
  const where = `/review/${operation_id}/full, or for programs /api/operations/${operation_id}/full`;
  return refusal('full_view_required', `A part that the decision rests on is not in the short view. Read everything at ${where}, and approve from there with view "full".`, { full_view: `/review/${operation_id}/full` });
}
