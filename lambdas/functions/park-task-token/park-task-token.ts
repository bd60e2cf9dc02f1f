// Keeps the token of the waiting execution, then looks whether the decision was faster. Whichever side comes second
// looks back: that is what keeps a decision before the token from stranding the execution.
import { LIMITS } from '../../domain/limits.ts';
import { Fault } from '../../domain/faults.ts';
import { plusSeconds } from '../../domain/times.ts';
import { wakeExecution, type WakePorts } from '../../execution/wake-execution.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Clock } from '../../ports/system.ts';
import type { ParkedToken, TokenVault } from '../../ports/vault.ts';
import { loadOperation } from '../../record/load-operation.ts';

export interface ParkPorts extends WakePorts {
  readonly eventLog: EventLog;
  readonly tokens: TokenVault;
  readonly clock: Clock;
}

export async function parkTaskToken(ports: ParkPorts, operation_id: string, token: ParkedToken): Promise<void> {
  const keep_until = plusSeconds(ports.clock.now(), LIMITS.vault_keep_seconds);
  await ports.tokens.parkToken(operation_id, 'await_decision', token, keep_until);
  ports.log.write('CS3001', { operation_id, status: 'await_decision' });
  const operation = await loadOperation(ports.eventLog, operation_id);
  if (operation === undefined) throw new Fault('CorruptRecord', 'an execution waits for an operation that is not stored');
  await wakeExecution(ports, operation);
}
