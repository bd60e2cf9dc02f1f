// Takes the grant, checks the very bytes once more, runs the tool once and records what came of it. Only the
// invocation whose `claim_id` stands in `tool.started` runs the tool; any other parks its token and waits.
import { argumentsHash } from '../../domain/binding.ts';
import { decideClaim, decideOutcome, type Outcome } from '../../domain/decide/run-tool.ts';
import { Fault } from '../../domain/faults.ts';
import { inFormOf, type ShownHash } from '../../domain/hash-forms.ts';
import { sha256Digest, type Sha256Digest } from '../../domain/json/digest.ts';
import { LIMITS } from '../../domain/limits.ts';
import type { Operation, Running } from '../../domain/operation.ts';
import type { Tool } from '../../domain/registry.ts';
import { plusSeconds } from '../../domain/times.ts';
import type { KeyedHashes } from '../../ports/keyed-hashes.ts';
import { judgeOperation, type JudgingPorts } from '../../judging/judge-call.ts';
import type { Log } from '../../ports/system.ts';
import type { ToolAnswer, ToolInvoker } from '../../ports/tool-invoker.ts';
import type { ArgumentsVault, ParkedToken, ResultVault, TokenVault } from '../../ports/vault.ts';
import { changeOperation, type RecordPorts } from '../../record/change-operation.ts';

export interface RunPorts extends RecordPorts, JudgingPorts {
  readonly vault: Pick<ArgumentsVault, 'readArguments'>;
  readonly results: Pick<ResultVault, 'putResult'>;
  readonly tokens: Pick<TokenVault, 'parkToken'>;
  readonly invoker: ToolInvoker;
  readonly keyedHashes: KeyedHashes;
  readonly log: Log;
}

/** @throws Fault `NotGranted` when there is no grant to take, `OutcomeUnknown` when nothing is known after a start. */
export async function runTool(ports: RunPorts, operation_id: string, token: ParkedToken): Promise<void> {
  const keep_until = plusSeconds(ports.clock.now(), LIMITS.vault_keep_seconds);
  await ports.tokens.parkToken(operation_id, 'run_tool', token, keep_until);
  const claim_id = ports.ids.uniqueId();
  const claim = await claimGrant(ports, operation_id, claim_id, token);
  if (claim === undefined) return;
  ports.log.write('CS4001', { operation_id });
  try {
    const { operation, tool, canonical } = claim;
    // The tool is handed the plain digest, whatever form was shown: it can hash what it receives, and has no key.
    const call = { operation_id, arguments_hash: argumentsHash(canonical), arguments: canonical };
    const answer = await ports.invoker.invoke(functionOf(tool), call, tool.timeout_seconds);
    await record(ports, operation, claim_id, answer);
  } catch (cause) {
    // Whatever broke after the start: the tool may have had its effect, so nobody may try again.
    ports.log.write('CS4004', { operation_id });
    throw new Fault('OutcomeUnknown', 'the tool was started and its outcome is not recorded', { cause });
  }
}

interface Claim {
  readonly operation: Running;
  readonly tool: Tool;
  readonly canonical: string;
}

async function claimGrant(ports: RunPorts, operation_id: string, claim_id: string, { task_token }: ParkedToken): Promise<Claim | undefined> {
  const canonical = await ports.vault.readArguments(operation_id);
  const plain = canonical === undefined ? undefined : argumentsHash(canonical);
  let tool: Tool | undefined;
  const change = await changeOperation(ports, operation_id, `task:${sha256Digest(task_token).slice(0, 23)}`, async (operation, now) => {
    tool = await ports.tools.tool(operation.opening.operation.tool);
    const policy_denies = canonical !== undefined && (await judgeOperation(ports, operation, canonical)).verdict.verdict === 'deny';
    const vault_hash = plain === undefined ? undefined : await inShownForm(ports, operation, plain);
    return decideClaim(operation, { claim_id, tool, policy_denies, vault_hash }, now);
  });
  if (change.kind === 'refused' && change.refusal.code === 'grant_already_claimed') {
    ports.log.write('CS4003', { operation_id, code: change.refusal.code });
    return undefined;
  }
  if (change.operation?.status !== 'running' || tool === undefined || canonical === undefined) {
    ports.log.write('CS4003', { operation_id, status: change.operation?.status ?? 'absent' });
    throw new Fault('NotGranted', 'there is no grant to take');
  }
  return { operation: change.operation, tool, canonical };
}

async function record(ports: RunPorts, operation: Running, claim_id: string, answer: ToolAnswer): Promise<void> {
  const { operation_id } = operation;
  const outcome = await keep(ports, operation, answer);
  const change = await changeOperation(ports, operation_id, `claim:${claim_id}`, (operation) => decideOutcome(operation, { claim_id, outcome }));
  if (change.operation !== undefined) ports.log.write(outcome.kind === 'unknown' ? 'CS4004' : 'CS4002', { operation_id, status: change.operation.status });
}

/** Stores what the tool returned in the vault; the event will carry only its digest, in the form of the arguments': a result may repeat them. */
async function keep(ports: RunPorts, operation: Running, answer: ToolAnswer): Promise<Outcome> {
  if (answer.kind === 'unknown') return { kind: 'unknown', reason: answer.reason };
  const value = answer.kind === 'completed' ? (answer.output ?? null) : { error: answer.error, message: answer.message };
  const text = JSON.stringify(value);
  const tooLarge = Buffer.byteLength(text) > LIMITS.result_bytes;
  const kept = tooLarge ? JSON.stringify({ omitted: 'result_too_large', bytes: Buffer.byteLength(text) }) : text;
  await ports.results.putResult(operation.operation_id, kept, plusSeconds(ports.clock.now(), LIMITS.vault_keep_seconds));
  const result_hash = await inShownForm(ports, operation, sha256Digest(kept));
  return answer.kind === 'completed' ? { kind: 'completed', result_hash } : { kind: 'failed', error: answer.error, result_hash };
}

function functionOf(tool: Tool): string {
  if (tool.executor === undefined) throw new Fault('Misconfigured', 'the tool has no executor');
  return tool.executor.function;
}

function inShownForm({ keyedHashes }: RunPorts, { opening }: Operation, plain: Sha256Digest): Promise<ShownHash> {
  return inFormOf(opening.operation.arguments_hash, plain, (digest) => keyedHashes.keyedHash(digest));
}
