// What there is, for those who operate it: summaries, newest first, closed operations among them. A page costs the page
// and one look a workspace, however many operations there are.
import type { Caller } from '../../domain/caller.ts';
import { LIMITS } from '../../domain/limits.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import type { WorkspaceCatalogue } from '../../ports/registry.ts';
import type { OperationList, OperationPage, OperationQuery } from '../../ports/views.ts';

export interface OperationListPorts {
  readonly operationList: OperationList;
  readonly workspaceCatalogue: WorkspaceCatalogue;
}

/** Without `workspace`: all that the registry knows. One that it no longer knows can still be named. */
export type OperationWish = OperationQuery & { readonly workspace?: string };

export async function listOperations(
  { operationList, workspaceCatalogue }: OperationListPorts,
  { administrator }: Caller,
  { workspace, ...query }: OperationWish,
): Promise<{ readonly ok: true; readonly page: OperationPage } | { readonly ok: false; readonly refusal: Refusal }> {
  if (!administrator) return { ok: false, refusal: refusal('not_an_administrator', 'Only administrators list all operations.') };
  const workspaces = workspace === undefined ? await workspaceCatalogue.workspaceIds() : [workspace];
  if (workspaces.length > LIMITS.listed_workspaces) {
    return { ok: false, refusal: refusal('invalid_request', `workspace: there are more than ${LIMITS.listed_workspaces}; name one.`, { field: 'workspace' }) };
  }
  return { ok: true, page: await operationList.listOperations(workspaces, query) };
}
