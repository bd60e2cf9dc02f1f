// What an agent proposes, and whether it may: the registry says where it acts, for which agents and for whom. The body
// names all three and proves none of them.
import type { Caller } from '../../domain/caller.ts';
import type { OperationType, Requester, Scope } from '../../domain/events.ts';
import type { JsonValue } from '../../domain/json/json-value.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import type { Directory } from '../../ports/registry.ts';

export interface Proposal {
  readonly tool: string;
  readonly arguments: JsonValue;
  readonly type: OperationType;
  readonly call_id?: string;
  readonly lease_seconds?: number;
  readonly scope: Omit<Scope, 'org_id'>;
  readonly on_behalf_of?: string;
  readonly reason?: string;
}

export async function scopeOf(directory: Directory, caller: Caller, { scope, on_behalf_of }: Proposal): Promise<Scope | Refusal> {
  const agency = caller.agency;
  const org_id = await directory.organisationOf(scope.workspace_id);
  if (agency === undefined) return refusal('scope_not_allowed', 'Only registered agents and services propose calls.');
  if (org_id === undefined || !agency.workspaces.includes(scope.workspace_id)) {
    return refusal('scope_not_allowed', 'This caller does not act in that workspace.', { field: 'scope.workspace_id' });
  }
  if (!agency.agent_ids.includes(scope.agent_id)) return refusal('scope_not_allowed', 'This caller does not speak for that agent.', { field: 'scope.agent_id' });
  if (on_behalf_of !== undefined && !agency.may_act_for.includes(on_behalf_of)) {
    return refusal('scope_not_allowed', 'This caller may not act for that person.', { field: 'on_behalf_of' });
  }
  // Somebody who is not in the directory could not be told apart from an approver who is the same human.
  if (on_behalf_of !== undefined && (await directory.approverEntry(on_behalf_of))?.kind !== 'person') {
    return refusal('scope_not_allowed', 'That person is not in the directory.', { field: 'on_behalf_of' });
  }
  return { org_id, ...scope };
}

export function requesterOf({ subject, agency }: Caller, { on_behalf_of }: Proposal): Requester {
  return { subject, ...(on_behalf_of === undefined ? {} : { on_behalf_of }), ...(agency === undefined ? {} : { owner: agency.owner }) };
}
