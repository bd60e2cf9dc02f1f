import { describe, expect, test } from 'vitest';
import { Fault } from '../../../lambdas/domain/faults.ts';
import { LIMITS } from '../../../lambdas/domain/limits.ts';
import type { Operation, Status } from '../../../lambdas/domain/operation.ts';
import { executionInput, needsExecution, startExecution, tryToStart } from '../../../lambdas/execution/start-execution.ts';
import type { ExecutionInput } from '../../../lambdas/ports/executions.ts';
import { inMemoryExecutions } from '../../support/in-memory-executions.ts';
import { handSetClock, keptLog } from '../../support/in-memory-system.ts';
import { approve, cancel, tell } from '../../support/port-samples.ts';

const { folds, last } = tell({ steps: [approve, cancel] });
const unmanaged = (operation: Operation): Operation => ({ ...operation, opening: { ...operation.opening, run: { ...operation.opening.run, managed: false } } });

describe('an execution is needed', () => {
  test.each<[Status, boolean, boolean]>([
    ['pending', true, true],
    ['granted', true, false],
    ['running', true, false],
    ['completed', false, false],
    ['failed', false, false],
    ['unknown', false, false],
    ['refused', false, false],
    ['answered', false, false],
    ['denied', false, false],
    ['expired', false, false],
    ['cancelled', false, false],
    ['voided', false, false],
  ])('for %s: %s where there is a tool to run, %s where there is none', (status, managed, answered) => {
    const operation = { ...last, status } as Operation;
    expect(needsExecution(operation)).toBe(managed);
    expect(needsExecution(unmanaged(operation))).toBe(answered);
  });
});

describe('the input of an execution', () => {
  test('is ids, a hash and seconds, and nothing of the call', () => {
    const { operation_id, opening } = folds[0];
    expect(executionInput(folds[0])).toEqual({
      operation_id,
      arguments_hash: opening.operation.arguments_hash,
      wait: { timeout_seconds: 3600 + LIMITS.timer_grace_seconds },
      run: { timeout_seconds: 900 + 30 + 15 + LIMITS.timer_grace_seconds },
    });
  });

  test('is the same byte for byte after every event, so that a repeated start is the same start (034)', () => {
    const inputs = folds.map((fold) => JSON.stringify(executionInput(fold)));
    expect(new Set(inputs).size).toBe(1);
  });

  test('waits out the grace alone where nobody was asked', () => {
    const opening = { ...folds[0].opening };
    delete (opening as { decide_by?: string }).decide_by;
    expect(executionInput({ ...folds[0], opening }).wait.timeout_seconds).toBe(LIMITS.timer_grace_seconds);
  });
});

describe('starting', () => {
  test('starts once and says so once', async () => {
    const log = keptLog();
    const starter = inMemoryExecutions(handSetClock());
    await startExecution({ starter, log }, folds[0]);
    expect(starter.starts).toEqual([executionInput(folds[0])]);
    expect(log.codes()).toEqual(['CS3002']);
    starter.stop(last.operation_id);
    await startExecution({ starter, log }, folds[1]!);
    expect(starter.starts).toHaveLength(1);
    expect(log.codes()).toEqual(['CS3002']);
  });

  test('starts nothing for a closed operation', async () => {
    const asked: ExecutionInput[] = [];
    await startExecution({ starter: { start: async (input) => (asked.push(input), 'started') }, log: keptLog() }, last);
    expect(asked).toEqual([]);
  });

  test('throws what broke, and only tried leaves it to the relay', async () => {
    const log = keptLog();
    const down = { starter: { start: async () => Promise.reject(new Fault('Unavailable', 'x')) }, log };
    await expect(startExecution(down, folds[0])).rejects.toMatchObject({ name: 'Unavailable' });
    await tryToStart(down, folds[0]);
    expect(log.lines).toEqual([{ code: 'CS3007', facts: { operation_id: last.operation_id } }]);
  });
});
