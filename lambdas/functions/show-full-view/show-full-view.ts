// All the arguments of one operation, for the people who decide about it and nobody else. Looking changes nothing.
import { claimsAt, type Eligible } from '../../domain/approvers.ts';
import type { Caller } from '../../domain/caller.ts';
import { mayReveal } from '../../domain/decide/reveal-arguments.ts';
import { fullPages, type FullPage } from '../../domain/display/full-pages.ts';
import { fullView } from '../../domain/display/full-view.ts';
import { Fault } from '../../domain/faults.ts';
import { parseJson } from '../../domain/json/parse-json.ts';
import { LIMITS } from '../../domain/limits.ts';
import { isClosed, type Operation } from '../../domain/operation.ts';
import { approversOf, isAmong } from '../../domain/standing.ts';
import { hasCome, type Instant } from '../../domain/times.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Directory, ToolRegistry } from '../../ports/registry.ts';
import type { Clock } from '../../ports/system.ts';
import type { ArgumentsVault } from '../../ports/vault.ts';
import { loadOperation } from '../../record/load-operation.ts';
import { readIntactArguments } from '../../record/read-arguments.ts';

export interface FullViewPorts {
  readonly eventLog: EventLog;
  readonly vault: Pick<ArgumentsVault, 'readArguments'>;
  readonly tools: ToolRegistry;
  readonly directory: Directory;
  readonly clock: Clock;
}

export interface FullViewOf {
  readonly operation: Operation;
  readonly eligible: readonly Eligible[];
  readonly pages: readonly FullPage[];
  readonly hidden_values: number;
  readonly may_reveal: boolean;
  readonly now: Instant;
}

/** Undefined for everybody who is not among the approvers, whatever else they may see, and when nothing is kept any more. */
export async function showFullView(ports: FullViewPorts, caller: Caller, operation_id: string): Promise<FullViewOf | undefined> {
  const operation = await loadOperation(ports.eventLog, operation_id);
  if (operation === undefined || caller.kind !== 'user') return undefined;
  const asked_at = ports.clock.now();
  const eligible = await approversOf(operation, { entryOf: (reference) => ports.directory.approverEntry(reference), now: asked_at, claimed: claimsAt(asked_at, [], caller) });
  if (!isAmong(caller.subject, eligible)) return undefined;
  const canonical = await readIntactArguments(ports.vault, operation);
  if (canonical === undefined) {
    if (isClosed(operation)) return undefined;
    throw new Fault('CorruptRecord', 'the arguments of an open operation are gone');
  }
  const tool = await ports.tools.tool(operation.opening.operation.tool);
  // Nobody can say any more what a tool that is gone wanted hidden: then all of it is.
  const { rows, hidden_values } = fullView(parseJson(canonical), tool === undefined ? { allow_only: [] } : tool.display);
  const now = ports.clock.now();
  const may_reveal = operation.status === 'pending' && !hasCome(operation.expires_at, now) && mayReveal(operation, tool);
  return { operation, eligible, pages: fullPages(rows, LIMITS.full_view_page_bytes), hidden_values, may_reveal, now };
}
