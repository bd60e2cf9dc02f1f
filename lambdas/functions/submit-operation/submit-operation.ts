// An agent proposes a call. The order of writing is call key, arguments, event 1, each repeatable, so that a retry
// after a crash between any two finishes the same operation.
import { argumentsHash } from '../../domain/binding.ts';
import { resolveApprovers, type MembersOf } from '../../domain/approvers.ts';
import type { Caller } from '../../domain/caller.ts';
import { decideOpen } from '../../domain/decide/open-operation.ts';
import type { OperationType, Requester, Scope } from '../../domain/events.ts';
import { canonicalJson } from '../../domain/json/canonical-json.ts';
import { sha256Hex, type Sha256Digest } from '../../domain/json/digest.ts';
import type { JsonValue } from '../../domain/json/json-value.ts';
import { LIMITS } from '../../domain/limits.ts';
import { openingFacts } from '../../domain/opening-facts.ts';
import type { Operation } from '../../domain/operation.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import { plusSeconds } from '../../domain/times.ts';
import { judgeCall, type JudgingPorts } from '../../judging/judge-call.ts';
import { tryToStart } from '../../execution/start-execution.ts';
import type { ExecutionStarter } from '../../ports/executions.ts';
import type { KeyedHashes } from '../../ports/keyed-hashes.ts';
import type { CallKeys, Directory } from '../../ports/registry.ts';
import type { Log } from '../../ports/system.ts';
import type { ArgumentsVault } from '../../ports/vault.ts';
import { openOperation, type RecordPorts } from '../../record/change-operation.ts';

export interface SubmitPorts extends RecordPorts, JudgingPorts {
  readonly vault: ArgumentsVault;
  readonly directory: Directory;
  readonly callKeys: CallKeys;
  readonly keyedHashes: KeyedHashes;
  readonly starter: ExecutionStarter;
  readonly log: Log;
}

export interface Proposal {
  readonly tool: string;
  readonly arguments: JsonValue;
  readonly type: OperationType;
  readonly call_id?: string;
  readonly scope: Omit<Scope, 'org_id'>;
  readonly on_behalf_of?: string;
  readonly reason?: string;
}

export type Submitted = { readonly ok: true; readonly operation: Operation } | { readonly ok: false; readonly refusal: Refusal };

export async function submitOperation(ports: SubmitPorts, caller: Caller, proposal: Proposal, request_id: string): Promise<Submitted> {
  const scope = await scopeOf(ports.directory, caller, proposal);
  if ('code' in scope) return { ok: false, refusal: scope };
  const canonical = canonicalJson(proposal.arguments);
  if (Buffer.byteLength(canonical) > LIMITS.arguments_bytes) {
    return { ok: false, refusal: refusal('arguments_too_large', `Arguments may hold ${LIMITS.arguments_bytes} bytes.`, { field: 'arguments' }) };
  }
  const arguments_hash = argumentsHash(canonical);
  const keep_until = plusSeconds(ports.clock.now(), LIMITS.vault_keep_seconds);
  const mine = { operation_id: ports.ids.operationId(), tool: proposal.tool, arguments_hash };
  const claimed = proposal.call_id === undefined ? mine : await ports.callKeys.claimCall(callKey(caller, scope, proposal.call_id), mine, keep_until);
  if (claimed.arguments_hash !== arguments_hash || claimed.tool !== proposal.tool) {
    return { ok: false, refusal: refusal('operation_id_reused', 'This call_id was used for another call.', { field: 'call_id', operation_id: claimed.operation_id }) };
  }
  const { operation_id } = claimed;
  await ports.vault.putArguments(operation_id, canonical, keep_until);
  return open(ports, proposal, { operation_id, arguments_hash, scope, requester: requesterOf(caller, proposal) }, request_id);
}

interface Placed {
  readonly operation_id: string;
  /** Plain: what the vault's bytes have. */
  readonly arguments_hash: Sha256Digest;
  readonly scope: Scope;
  readonly requester: Requester;
}

async function open(ports: SubmitPorts, proposal: Proposal, placed: Placed, request_id: string): Promise<Submitted> {
  const { verdict, definition, workspace } = await judgeCall(ports, { ...proposal, ...placed });
  const membersOf: MembersOf = (group) => ports.directory.membersOf(group);
  const eligible = await resolveApprovers(verdict.requirements, placed.requester, membersOf);
  // From here on events, people and the state machine see the form that the tool's definition wants.
  const arguments_hash = definition?.confidential === true ? await ports.keyedHashes.keyedHash(placed.arguments_hash) : placed.arguments_hash;
  const facts = openingFacts({ ...proposal, ...placed, arguments_hash }, { definition, workspace, policy_revision: verdict.policy_revision });
  const { operation_id } = placed;
  const change = await openOperation(ports, operation_id, `request:${request_id}`, placed.scope, (operation, now) => decideOpen(operation, { facts, verdict, eligible }, now));
  if (change.kind === 'refused') return { ok: false, refusal: change.refusal };
  ports.log.write(change.kind === 'appended' ? 'CS1001' : 'CS1003', { operation_id, request_id, status: change.operation.status });
  await tryToStart(ports, change.operation);
  return { ok: true, operation: change.operation };
}

async function scopeOf(directory: Directory, caller: Caller, { scope, on_behalf_of }: Proposal): Promise<Scope | Refusal> {
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
  return { org_id, ...scope };
}

function requesterOf(caller: Caller, { on_behalf_of }: Proposal): Requester {
  const owner = caller.agency?.owner;
  return { subject: caller.subject, ...(on_behalf_of === undefined ? {} : { on_behalf_of }), ...(owner === undefined ? {} : { owner }) };
}

/** A canonical array, not joined text: no two calls share a key. */
function callKey(caller: Caller, scope: Scope, call_id: string): string {
  return sha256Hex(canonicalJson([caller.subject, scope.workspace_id, scope.run_id ?? null, call_id]));
}
