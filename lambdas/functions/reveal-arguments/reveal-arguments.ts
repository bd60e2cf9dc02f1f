// An approver asks for the exact arguments. That they were shown is stored before they are; what cannot be shown is
// not recorded as shown.
import { actorOf, type Caller } from '../../domain/caller.ts';
import { claimsAt } from '../../domain/approvers.ts';
import { decideReveal } from '../../domain/decide/reveal-arguments.ts';
import { refuse } from '../../domain/decide/ruling.ts';
import { maySee } from '../../domain/describe-operation.ts';
import type { Channel } from '../../domain/events.ts';
import { Fault } from '../../domain/faults.ts';
import type { Operation } from '../../domain/operation.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import { approversOf, isAmong } from '../../domain/standing.ts';
import type { Directory, ToolRegistry } from '../../ports/registry.ts';
import type { Log } from '../../ports/system.ts';
import type { ArgumentsVault } from '../../ports/vault.ts';
import { changeOperation, type RecordPorts } from '../../record/change-operation.ts';
import { readIntactArguments } from '../../record/read-arguments.ts';

export interface RevealPorts extends RecordPorts {
  readonly vault: Pick<ArgumentsVault, 'readArguments'>;
  readonly tools: ToolRegistry;
  readonly directory: Directory;
  readonly log: Log;
}

export type Revealed = { readonly ok: true; readonly operation: Operation; readonly canonical: string } | { readonly ok: false; readonly refusal: Refusal };

export async function revealArguments(ports: RevealPorts, caller: Caller, command: { readonly operation_id: string; readonly channel: Channel }, request_id: string): Promise<Revealed> {
  const { operation_id, channel } = command;
  let canonical: string | undefined;
  const change = await changeOperation(ports, operation_id, `request:${request_id}`, async (operation, now) => {
    const eligible = await approversOf(operation, { entryOf: (reference) => ports.directory.approverEntry(reference), now, claimed: claimsAt(now, [], caller) });
    if (!maySee(operation, caller) && !isAmong(caller.subject, eligible)) return refuse(refusal('operation_not_found', 'There is no such operation, or it is not yours to see.'));
    const tool = await ports.tools.tool(operation.opening.operation.tool);
    const ruling = decideReveal(operation, { actor: actorOf(caller), channel, eligible, tool }, now);
    if (ruling.kind === 'append') canonical = await readIntactArguments(ports.vault, operation);
    if (ruling.kind === 'append' && canonical === undefined) throw new Fault('CorruptRecord', 'the arguments of an open operation are gone');
    return ruling;
  });
  if (change.kind === 'appended' && canonical !== undefined) {
    ports.log.write('CS2004', { operation_id, request_id });
    return { ok: true, operation: change.operation, canonical };
  }
  if (change.kind !== 'refused') throw new Fault('CorruptRecord', 'a reveal was neither recorded nor refused');
  ports.log.write('CS2005', { operation_id, request_id, code: change.refusal.code });
  return { ok: false, refusal: change.refusal };
}
