// Wakes whichever state waits for this operation. A wake-up decides nothing: the woken side reads the log again.
// Safe to repeat; a dead token means that a newer one may have been parked meanwhile.
import { isClosed, type Operation } from '../domain/operation.ts';
import type { TaskWaker } from '../ports/executions.ts';
import type { Log } from '../ports/system.ts';
import type { TokenVault, WaitingState } from '../ports/vault.ts';

export interface WakePorts {
  readonly tokens: Pick<TokenVault, 'readToken'>;
  readonly waker: TaskWaker;
  readonly log: Log;
}

interface WakeUp {
  readonly state: WaitingState;
  readonly how: 'succeed' | 'fail';
}

/** Which waits end at this status, and how. Nothing ends while people are still being asked. */
export function wakeUpsFor(operation: Operation): readonly WakeUp[] {
  if (operation.status === 'pending') return [];
  if (!isClosed(operation)) return [{ state: 'await_decision', how: 'succeed' }];
  const ran = operation.status === 'completed' || operation.status === 'failed' || operation.status === 'unknown';
  return [
    { state: 'run_tool', how: ran ? 'succeed' : 'fail' },
    { state: 'await_decision', how: 'fail' },
  ];
}

export async function wakeExecution(ports: WakePorts, operation: Operation): Promise<void> {
  for (const wakeUp of wakeUpsFor(operation)) {
    if (await wakeState(ports, operation.operation_id, wakeUp)) ports.log.write('CS3003', { operation_id: operation.operation_id, status: wakeUp.state });
  }
}

/** For those whose work is done once the event is stored: the relay repeats from it what fails here. */
export async function tryToWake(ports: WakePorts, operation: Operation): Promise<void> {
  try {
    await wakeExecution(ports, operation);
  } catch {
    ports.log.write('CS3004', { operation_id: operation.operation_id });
  }
}

async function wakeState({ tokens, waker }: WakePorts, operation_id: string, { state, how }: WakeUp): Promise<boolean> {
  let tried: string | undefined;
  for (;;) {
    const token = await tokens.readToken(operation_id, state);
    if (token === undefined || token === tried) return false;
    const answer = how === 'succeed' ? await waker.succeed(token) : await waker.fail(token, 'Closed');
    if (answer === 'woken') return true;
    tried = token;
  }
}
