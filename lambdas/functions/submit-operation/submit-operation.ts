// An agent proposes a call. The order of writing is keys, places, arguments, event 1, each repeatable, so that a retry
// after a crash between any two finishes the same operation.
import { argumentsHash } from '../../domain/binding.ts';
import { resolveApprovers } from '../../domain/approvers.ts';
import type { Caller } from '../../domain/caller.ts';
import { decideOpen } from '../../domain/decide/open-operation.ts';
import type { Ruling } from '../../domain/decide/ruling.ts';
import type { Requester, Scope } from '../../domain/events.ts';
import { Fault } from '../../domain/faults.ts';
import { canonicalJson } from '../../domain/json/canonical-json.ts';
import { sha256Hex, type Sha256Digest } from '../../domain/json/digest.ts';
import { LIMITS } from '../../domain/limits.ts';
import { callName, runName } from '../../domain/open-lists.ts';
import { openingFacts } from '../../domain/opening-facts.ts';
import type { Operation } from '../../domain/operation.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import { plusSeconds, type Instant } from '../../domain/times.ts';
import { judgeCall, type JudgingPorts } from '../../judging/judge-call.ts';
import { tryToStart } from '../../execution/start-execution.ts';
import type { ExecutionStarter } from '../../ports/executions.ts';
import type { KeyedHashes } from '../../ports/keyed-hashes.ts';
import type { OpenOperations, Runs, SameCalls } from '../../ports/open-operations.ts';
import type { CallKeys, Directory } from '../../ports/registry.ts';
import type { Log } from '../../ports/system.ts';
import type { ArgumentsVault } from '../../ports/vault.ts';
import { cancelWithRun } from '../../record/cancel-with-run.ts';
import { openOperation, type RecordPorts } from '../../record/change-operation.ts';
import { loadOperation } from '../../record/load-operation.ts';
import { deniedTooOften } from './denied-variants.ts';
import { requesterOf, scopeOf, type Proposal } from './proposal.ts';
import { sameCall } from './same-call.ts';
import { takePlace } from './take-place.ts';

export interface SubmitPorts extends RecordPorts, JudgingPorts {
  readonly vault: ArgumentsVault;
  readonly directory: Directory;
  readonly callKeys: CallKeys;
  readonly keyedHashes: KeyedHashes;
  readonly starter: ExecutionStarter;
  readonly log: Log;
  readonly openOperations: OpenOperations;
  readonly sameCalls: SameCalls;
  readonly runs: Runs;
}

export interface SubmitSettings {
  readonly max_pending_per_agent: number;
}

interface Called {
  /** Plain: what the vault's bytes have. */
  readonly arguments_hash: Sha256Digest;
  readonly scope: Scope;
  readonly requester: Requester;
}

interface Placed extends Called {
  readonly operation_id: string;
  readonly canonical: string;
  readonly keep_until: Instant;
}

export type Submitted = { readonly ok: true; readonly operation: Operation } | { readonly ok: false; readonly refusal: Refusal };

export async function submitOperation(ports: SubmitPorts, caller: Caller, proposal: Proposal, settings: SubmitSettings, request_id: string): Promise<Submitted> {
  const scope = await scopeOf(ports.directory, caller, proposal);
  if ('code' in scope) return { ok: false, refusal: scope };
  const canonical = canonicalJson(proposal.arguments);
  if (Buffer.byteLength(canonical) > LIMITS.arguments_bytes) {
    return { ok: false, refusal: refusal('arguments_too_large', `Arguments may hold ${LIMITS.arguments_bytes} bytes.`, { field: 'arguments' }) };
  }
  const keep_until = plusSeconds(ports.clock.now(), LIMITS.vault_keep_seconds);
  const call = { arguments_hash: argumentsHash(canonical), scope, requester: requesterOf(caller, proposal) };
  const which = await operationFor(ports, proposal, call, keep_until);
  if ('code' in which) return { ok: false, refusal: which };
  if (which.known !== undefined) return answer(ports, which.known, request_id, 'CS1003');
  return open(ports, proposal, { ...call, operation_id: which.operation_id, canonical, keep_until }, settings, request_id);
}

/** The operation that this proposal is, with its record where there is one already. */
async function operationFor(ports: SubmitPorts, proposal: Proposal, call: Called, keep_until: Instant): Promise<{ readonly operation_id: string; readonly known?: Operation } | Refusal> {
  const { scope, requester, arguments_hash } = call;
  const { call_id, tool } = proposal;
  const mine = { operation_id: ports.ids.operationId(), tool, arguments_hash };
  const claimed = call_id === undefined ? mine : await ports.callKeys.claimCall(callKey(requester, scope, call_id), mine, keep_until);
  const { operation_id } = claimed;
  if (claimed.arguments_hash !== arguments_hash || claimed.tool !== tool) return refusal('operation_id_reused', 'This call_id was used for another call.', { field: 'call_id', operation_id });
  const known = call_id === undefined ? undefined : await loadOperation(ports.eventLog, operation_id);
  if (known !== undefined) return { operation_id, known };
  return sameCall(ports, callName({ ...call, type: proposal.type, tool }), { operation_id, named: call_id !== undefined, in_run: scope.run_id !== undefined }, keep_until);
}

async function open(ports: SubmitPorts, proposal: Proposal, placed: Placed, settings: SubmitSettings, request_id: string): Promise<Submitted> {
  const { operation_id, scope, requester } = placed;
  if (scope.run_id !== undefined && (await beginRun(ports.runs, runName(requester.subject, scope.run_id), placed.keep_until)) === 'cancelled') return { ok: false, refusal: runCancelled() };
  const { verdict, definition, workspace } = await judgeCall(ports, { ...proposal, ...placed });
  const eligible = await resolveApprovers(verdict.requirements, requester, { entryOf: (reference) => ports.directory.approverEntry(reference), now: ports.clock.now() });
  // From here on events, people and the state machine see the form that the tool's definition wants.
  const arguments_hash = definition?.confidential === true ? await ports.keyedHashes.keyedHash(placed.arguments_hash) : placed.arguments_hash;
  const facts = openingFacts({ ...proposal, ...placed, arguments_hash }, { definition, workspace, policy_revision: verdict.policy_revision });
  const rule = (operation: Operation | undefined, now: Instant): Ruling => decideOpen(operation, { facts, verdict, eligible }, now);
  const ruling = rule(undefined, ports.clock.now());
  if (ruling.kind !== 'append') throw new Fault('CorruptRecord', 'a new operation begins with an event');
  const denied = ruling.event.type === 'approval.requested' ? await deniedTooOften(ports, { ...placed, tool: proposal.tool }) : undefined;
  if (denied !== undefined) return { ok: false, refusal: denied };
  const place = await takePlace(ports, placed, ruling.event.type, settings.max_pending_per_agent);
  if ('code' in place) return { ok: false, refusal: place };
  await ports.vault.putArguments(operation_id, placed.canonical, placed.keep_until);
  const change = await openOperation(ports, operation_id, `request:${request_id}`, scope, rule);
  if (change.kind !== 'appended') await place.leave();
  if (change.kind === 'refused') return { ok: false, refusal: change.refusal };
  return answer(ports, change.operation, request_id, change.kind === 'appended' ? 'CS1001' : 'CS1003');
}

/** An operation of a run that was cancelled meanwhile is ended here, and told so. */
async function answer(ports: SubmitPorts, operation: Operation, request_id: string, log_code: 'CS1001' | 'CS1003'): Promise<Submitted> {
  const { operation_id, status } = operation;
  ports.log.write(log_code, { operation_id, request_id, status });
  const ended = await cancelWithRun(ports, operation, `request:${request_id}`);
  if (ended !== undefined) return { ok: false, refusal: runCancelled({ operation_id, operation_status: ended.status }) };
  await tryToStart(ports, operation);
  return { ok: true, operation };
}

async function beginRun(runs: Runs, run: string, keep_until: Instant): Promise<'cancelled' | 'goes on'> {
  await runs.beginRun(run, keep_until);
  return (await runs.run(run))?.cancelled === undefined ? 'goes on' : 'cancelled';
}

function runCancelled(more: Refusal['more'] = {}): Refusal {
  return refusal('run_cancelled', 'This run was cancelled: nothing new begins in it.', { ...more, retryable: false });
}

/** A canonical array, not joined text: no two calls share a key. */
function callKey(requester: Requester, scope: Scope, call_id: string): string {
  return sha256Hex(canonicalJson([requester.subject, scope.workspace_id, scope.run_id ?? null, call_id]));
}
