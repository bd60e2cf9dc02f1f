import { describe, expect, test } from 'vitest';
import { Fault } from '../../../lambdas/domain/faults.ts';
import type { Operation, Status } from '../../../lambdas/domain/operation.ts';
import { tryToWake, wakeExecution, wakeUpsFor, type WakePorts } from '../../../lambdas/execution/wake-execution.ts';
import { inMemoryVault } from '../../support/in-memory-vault.ts';
import { keptLog, START_OF_TEST } from '../../support/in-memory-system.ts';
import { approve, cancel, tell } from '../../support/port-samples.ts';

const pending = tell();
const granted = tell({ operation_id: pending.last.operation_id, steps: [approve] });
const cancelled = tell({ operation_id: pending.last.operation_id, steps: [cancel] });
const id = pending.last.operation_id;

function waking(answers: Readonly<Record<string, 'woken' | 'dead'>> = {}) {
  const vault = inMemoryVault();
  const sent: string[] = [];
  const answer = async (how: string, token: string): Promise<'woken' | 'dead'> => (sent.push(`${how} ${token}`), answers[token] ?? 'woken');
  const ports = { tokens: vault, log: keptLog(), waker: { succeed: (token: string) => answer('succeed', token), fail: (token: string, error: string) => answer(`fail ${error}`, token) } };
  let parked = 0;
  const park = (state: 'await_decision' | 'run_tool', task_token: string) => vault.parkToken(id, state, { task_token, entered_at: START_OF_TEST, retry_count: (parked += 1) }, START_OF_TEST);
  return { ports, vault, sent, park };
}

describe('which waits end, and how', () => {
  const inStatus = (status: Status): Operation => ({ ...cancelled.last, status }) as Operation;

  test.each<[Status, readonly string[]]>([
    ['pending', []],
    ['granted', ['await_decision succeed']],
    ['running', ['await_decision succeed']],
    ['completed', ['run_tool succeed', 'await_decision fail']],
    ['failed', ['run_tool succeed', 'await_decision fail']],
    ['unknown', ['run_tool succeed', 'await_decision fail']],
    ['refused', ['run_tool fail', 'await_decision fail']],
    ['answered', ['run_tool fail', 'await_decision fail']],
    ['denied', ['run_tool fail', 'await_decision fail']],
    ['expired', ['run_tool fail', 'await_decision fail']],
    ['cancelled', ['run_tool fail', 'await_decision fail']],
    ['voided', ['run_tool fail', 'await_decision fail']],
  ])('%s: %j', (status, wakes) => {
    expect(wakeUpsFor(inStatus(status)).map(({ state, how }) => `${state} ${how}`)).toEqual(wakes);
  });
});

describe('waking an execution', () => {
  test('sends nothing while people are asked', async () => {
    const { ports, sent, park } = waking();
    await park('await_decision', 'T1');
    await wakeExecution(ports, pending.last);
    expect(sent).toEqual([]);
  });

  test('sends nothing where no token is parked yet: whoever parks one looks back', async () => {
    const { ports, sent } = waking();
    await wakeExecution(ports, granted.last);
    expect(sent).toEqual([]);
  });

  test('succeeds the wait of a granted operation', async () => {
    const { ports, sent, park } = waking();
    await park('await_decision', 'T1');
    await wakeExecution(ports, granted.last);
    expect(sent).toEqual(['succeed T1']);
    expect(ports.log.lines).toEqual([{ code: 'CS3003', facts: { operation_id: id, status: 'await_decision' } }]);
  });

  test('fails every wait of a closed operation as Closed', async () => {
    const { ports, sent, park } = waking();
    await park('await_decision', 'T1');
    await park('run_tool', 'T2');
    await wakeExecution(ports, cancelled.last);
    expect(sent).toEqual(['fail Closed T2', 'fail Closed T1']);
  });

  test('is done when the token is dead and no newer one is parked (026, 029, K11)', async () => {
    const { ports, sent, park } = waking({ T1: 'dead' });
    await park('await_decision', 'T1');
    await wakeExecution(ports, granted.last);
    expect(sent).toEqual(['succeed T1']);
    expect(ports.log.lines).toEqual([]);
  });

  test('tries the newer token that was parked meanwhile, and the one after that', async () => {
    const { ports, sent, park } = waking({ T1: 'dead', T2: 'dead' });
    await park('await_decision', 'T1');
    const moving: WakePorts = {
      ...ports,
      waker: { ...ports.waker, succeed: async (token) => (await park('await_decision', token === 'T1' ? 'T2' : 'T3'), ports.waker.succeed(token)) },
    };
    await wakeExecution(moving, granted.last);
    expect(sent).toEqual(['succeed T1', 'succeed T2', 'succeed T3']);
  });

  test('goes on to the other wait when one is dead', async () => {
    const { ports, sent, park } = waking({ T2: 'dead' });
    await park('await_decision', 'T1');
    await park('run_tool', 'T2');
    await wakeExecution(ports, cancelled.last);
    expect(sent).toEqual(['fail Closed T2', 'fail Closed T1']);
  });

  test.each(['Unavailable', 'Misconfigured'] as const)('that meets %s throws it: the relay must know', async (name) => {
    const { ports, park } = waking();
    await park('await_decision', 'T1');
    const down: WakePorts = { ...ports, waker: { ...ports.waker, succeed: async () => Promise.reject(new Fault(name, 'x')) } };
    await expect(wakeExecution(down, granted.last)).rejects.toMatchObject({ name });
  });

  test.each(['Unavailable', 'Misconfigured'] as const)('that was only tried survives %s, and says so without the token', async (name) => {
    const { ports, park } = waking();
    await park('await_decision', 'SECRET');
    const down: WakePorts = { ...ports, waker: { ...ports.waker, succeed: async () => Promise.reject(new Fault(name, 'SECRET')) } };
    await tryToWake(down, granted.last);
    expect(ports.log.lines).toEqual([{ code: 'CS3004', facts: { operation_id: id } }]);
  });

  test('that was only tried survives a vault that cannot be read', async () => {
    const { ports } = waking();
    await tryToWake({ ...ports, tokens: { readToken: async () => Promise.reject(new Fault('Unavailable', 'x')) } }, granted.last);
    expect(ports.log.codes()).toEqual(['CS3004']);
  });
});
