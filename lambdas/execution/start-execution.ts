// Starts the waiting execution of an operation. Its input is made from event 1 alone, so that a repeated start is
// the same start byte for byte.
import { longestRunSeconds } from '../domain/decide/run-tool.ts';
import { LIMITS } from '../domain/limits.ts';
import { isClosed, type Operation } from '../domain/operation.ts';
import { secondsUntil } from '../domain/times.ts';
import type { ExecutionInput, ExecutionStarter } from '../ports/executions.ts';
import type { Log } from '../ports/system.ts';

export interface StartPorts {
  readonly starter: ExecutionStarter;
  readonly log: Log;
}

/** An open operation needs one while somebody is asked, or a managed tool has to run. */
export function needsExecution(operation: Operation): boolean {
  return operation.status === 'pending' || (!isClosed(operation) && operation.opening.run.managed);
}

export function executionInput({ operation_id, opening }: Operation): ExecutionInput {
  const waiting = opening.decide_by === undefined ? 0 : secondsUntil(opening.requested_at, opening.decide_by);
  return {
    operation_id,
    arguments_hash: opening.operation.arguments_hash,
    wait: { timeout_seconds: waiting + LIMITS.timer_grace_seconds },
    run: { timeout_seconds: longestRunSeconds(opening.run) + LIMITS.timer_grace_seconds },
  };
}

export async function startExecution({ starter, log }: StartPorts, operation: Operation): Promise<void> {
  if (!needsExecution(operation)) return;
  if ((await starter.start(executionInput(operation))) === 'started') log.write('CS3002', { operation_id: operation.operation_id });
}

export async function tryToStart(ports: StartPorts, operation: Operation): Promise<void> {
  try {
    await startExecution(ports, operation);
  } catch {
    ports.log.write('CS3007', { operation_id: operation.operation_id });
  }
}
