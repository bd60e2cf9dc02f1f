// What does the log say now? Asked by the state machine after any timeout, failure or stop, and by the status-change
// rule when an execution ended without us. It closes what time has closed, and never grants or starts anything.
import { decideAbandon, decideByTime, nextStep } from '../../domain/decide/settle-operation.ts';
import { LIMITS } from '../../domain/limits.ts';
import type { Log } from '../../ports/system.ts';
import { changeOperation, type RecordPorts } from '../../record/change-operation.ts';
import type { SettleTask } from '../../middleware/task-payload.ts';

export interface SettlePorts extends RecordPorts {
  readonly log: Log;
}

/** `turns` and `sequence` come back as `wait.last`: they count the turns that brought no new event. */
export interface Settled {
  readonly next: 'await_decision' | 'run_tool' | 'back_off' | 'done';
  readonly timeout_seconds: number;
  readonly turns: number;
  readonly sequence: number;
}

export async function settleOperation(ports: SettlePorts, { operation_id, wait }: SettleTask): Promise<Settled> {
  const fruitless = (sequence: number): number => (wait.last?.sequence === sequence ? (wait.last.turns ?? 0) : 0);
  const change = await changeOperation(ports, operation_id, 'state-machine:settle', (operation, now) => {
    const byTime = decideByTime(operation, now);
    if (byTime.kind !== 'unchanged' || fruitless(operation.tail.sequence) < LIMITS.fruitless_entries) return byTime;
    ports.log.write('CS3006', { operation_id });
    return decideAbandon(operation, 'execution_lost');
  });
  const { operation } = change;
  if (operation === undefined) return { next: 'done', timeout_seconds: 1, turns: 0, sequence: 0 };
  ports.log.write('CS3005', { operation_id, status: operation.status });
  const step = nextStep(operation, ports.clock.now());
  const { sequence } = operation.tail;
  const turns = fruitless(sequence);
  const timeout_seconds = step.timeout_seconds + LIMITS.timer_grace_seconds;
  if (step.next === 'done') return { next: 'done', timeout_seconds: 1, turns, sequence };
  // The first turn goes on at once; each further one without a new event waits longer, then asks again.
  if (turns > 0 && wait.last?.next !== 'back_off') return { next: 'back_off', timeout_seconds: Math.min(2 ** turns, 60), turns, sequence };
  return { next: step.next, timeout_seconds, turns: turns + 1, sequence };
}

/** The execution is gone: nobody will run a grant or wait for a decision any more. */
export async function closeStopped(ports: SettlePorts, operation_id: string): Promise<void> {
  const change = await changeOperation(ports, operation_id, 'state-machine:status-change', (operation, now) => {
    const byTime = decideByTime(operation, now);
    return byTime.kind === 'unchanged' ? decideAbandon(operation, 'execution_stopped') : byTime;
  });
  if (change.kind === 'appended') ports.log.write('CS3006', { operation_id, status: change.operation.status });
}
