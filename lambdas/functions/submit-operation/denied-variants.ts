// The limit on variants: an agent that changes a word after every no is not asked about for ever. The relay lists what
// was denied, so that at worst one prompt more gets through; each is looked up in the log before it counts.
import type { Requester, Scope } from '../../domain/events.ts';
import { LIMITS } from '../../domain/limits.ts';
import { deniedList } from '../../domain/open-lists.ts';
import { wasDenied } from '../../domain/operation.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { OpenOperations } from '../../ports/open-operations.ts';
import { loadOperation } from '../../record/load-operation.ts';

export interface DeniedPorts {
  readonly eventLog: EventLog;
  readonly openOperations: Pick<OpenOperations, 'listed'>;
}

/** Why nobody is asked about another variant; undefined where somebody may be. Without a run nothing is remembered. */
export async function deniedTooOften({ eventLog, openOperations }: DeniedPorts, { requester, scope, tool }: { readonly requester: Requester; readonly scope: Scope; readonly tool: string }): Promise<Refusal | undefined> {
  if (scope.run_id === undefined) return undefined;
  const listed = await openOperations.listed(deniedList(requester.subject, scope.run_id, tool), LIMITS.denied_variants);
  const ids = [...new Set(listed.map(({ operation_id }) => operation_id))].slice(0, LIMITS.denied_variants);
  if (ids.length < LIMITS.denied_variants) return undefined;
  const denied = (await Promise.all(ids.map((each) => loadOperation(eventLog, each)))).filter(wasDenied);
  if (denied.length < LIMITS.denied_variants) return undefined;
  return refusal('already_decided', `${LIMITS.denied_variants} calls of this tool were denied in this run. Nobody is asked about it again here.`, { denied: LIMITS.denied_variants, retryable: false });
}
