import { describe, expect, test } from 'vitest';
import { UNCHANGED, append, refuse, type Ruling } from '../../../lambdas/domain/decide/ruling.ts';
import { decideCancel } from '../../../lambdas/domain/decide/cancel-operation.ts';
import { shownOf } from '../../../lambdas/domain/decide/shown.ts';
import { LIMITS } from '../../../lambdas/domain/limits.ts';
import type { Operation } from '../../../lambdas/domain/operation.ts';
import { refusal } from '../../../lambdas/domain/refusals.ts';
import { plusSeconds } from '../../../lambdas/domain/times.ts';
import { changeOperation, openOperation } from '../../../lambdas/record/change-operation.ts';
import { foldStored, loadOperation } from '../../../lambdas/record/load-operation.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { START_OF_TEST } from '../../support/in-memory-system.ts';
import { approve, cancel, freshOperationId, tell, type Telling, type Told } from '../../support/port-samples.ts';

const BOT = { subject: 'agent:billing-bot', kind: 'agent', proof: 'iam' } as const;
const cancelling = (operation: Operation): Ruling => decideCancel(operation, { actor: BOT, administrator: false });
const NO = refusal('not_an_approver', 'No.');

async function having(telling: Telling = {}): Promise<{ readonly ports: Ports; readonly told: Told; readonly id: string }> {
  const ports = inMemoryPorts();
  const told = tell(telling);
  for (const sealed of told.sealed) await ports.eventLog.append(sealed, sealed.event.id);
  return { ports, told, id: told.last.operation_id };
}

describe('changing an operation', () => {
  test('appends the one event that the domain rules, on the chain, at the time of the clock', async () => {
    const { ports, told, id } = await having();
    await ports.clock.advance(5000);
    const change = await changeOperation(ports, id, 'request:r1', cancelling);
    expect(change).toMatchObject({ kind: 'appended', operation: { status: 'cancelled' }, event: { id: `${id}/2`, type: 'approval.cancelled', time: plusSeconds(START_OF_TEST, 5), data: { causation_id: 'request:r1', previous_hash: told.last.tail.hash } } });
    expect(await loadOperation(ports.eventLog, id)).toEqual(change.operation);
  });

  test.each([
    ['stays unchanged', UNCHANGED, { kind: 'unchanged', operation: { status: 'pending' } }],
    ['is refused', refuse(NO), { kind: 'refused', refusal: NO, operation: { status: 'pending' } }],
  ] as const)('appends nothing where it %s', async (_, ruling, answer) => {
    const { ports, id } = await having();
    expect(await changeOperation(ports, id, 'request:r1', () => ruling)).toMatchObject(answer);
    expect(ports.eventLog.texts()).toHaveLength(1);
  });

  test('may append and refuse at once: the event stands and the asker is told no', async () => {
    const { ports, id } = await having();
    const change = await changeOperation(ports, id, 'request:r1', (operation) => append({ type: 'approval.cancelled', data: { ...shownOf(operation), actor: BOT, reason: 'x' } }, NO));
    expect(change).toMatchObject({ kind: 'appended', refusal: NO });
  });

  test('of which nothing is stored is refused without asking the rule', async () => {
    const ports = inMemoryPorts();
    expect(await changeOperation(ports, freshOperationId(), 'request:r1', () => Promise.reject(new Error('asked')))).toMatchObject({ kind: 'refused', refusal: { code: 'operation_not_found' } });
  });

  test('asks the rule again over what the log says by then, when another was faster', async () => {
    const { ports, id } = await having();
    const seen: string[] = [];
    const change = await changeOperation(ports, id, 'request:r1', async (operation) => {
      seen.push(operation.status);
      if (seen.length === 1) await changeOperation(ports, id, 'request:r2', cancelling);
      return operation.status === 'cancelled' ? UNCHANGED : cancelling(operation);
    });
    expect(seen).toEqual(['pending', 'cancelled']);
    expect(change).toMatchObject({ kind: 'unchanged', operation: { status: 'cancelled' } });
    expect(ports.eventLog.texts()).toHaveLength(2);
  });

  test('reads the clock after the log in each round, so that a deadline is judged as of now', async () => {
    const { ports, id } = await having();
    const times: string[] = [];
    const slow = { ...ports.eventLog, load: async (operation_id: string) => (await ports.clock.advance(60_000), ports.eventLog.load(operation_id)) };
    await changeOperation({ ...ports, eventLog: slow }, id, 'r', (_, now) => (times.push(now), UNCHANGED));
    expect(times).toEqual([plusSeconds(START_OF_TEST, 60)]);
  });

  test('gives up after five lost races with a fault that may be tried again, having waited a little longer each time', async () => {
    const { ports, id } = await having();
    let rounds = 0;
    const never = { ...ports.eventLog, append: async () => 'conflict' as const };
    const change = changeOperation({ ...ports, eventLog: never }, id, 'r', (operation) => ((rounds += 1), cancelling(operation)));
    await expect(change).rejects.toMatchObject({ name: 'AppendConflict', retryable: true });
    expect(rounds).toBe(LIMITS.append_attempts);
    for (const [round, slept] of ports.clock.sleeps.entries()) expect(slept).toBeLessThanOrEqual(20 * (round + 1));
    expect(ports.eventLog.texts()).toHaveLength(1);
  });

  test('names every attempt differently, so that one attempt is never taken for another', async () => {
    const { ports, id } = await having();
    const attempts: string[] = [];
    const spying = { ...ports.eventLog, append: async (_: unknown, append_id: string) => (attempts.push(append_id), 'conflict' as const) };
    await expect(changeOperation({ ...ports, eventLog: spying }, id, 'r', cancelling)).rejects.toThrow();
    expect(new Set(attempts).size).toBe(LIMITS.append_attempts);
  });

  test('does not go on when the store fails: nothing is known then', async () => {
    const { ports, id } = await having();
    let asked = 0;
    const down = { ...ports.eventLog, append: async () => Promise.reject(Object.assign(new Error('x'), { name: 'Unavailable' })) };
    await expect(changeOperation({ ...ports, eventLog: down }, id, 'r', (operation) => ((asked += 1), cancelling(operation)))).rejects.toMatchObject({ name: 'Unavailable' });
    expect(asked).toBe(1);
  });

  test('among fifty that cancel at once changes it once', async () => {
    const { ports, id } = await having();
    const changes = await Promise.all(Array.from({ length: 50 }, () => changeOperation(ports, id, 'r', cancelling)));
    expect(changes.filter(({ kind }) => kind === 'appended')).toHaveLength(1);
    expect(changes.filter(({ kind }) => kind === 'unchanged')).toHaveLength(49);
    expect(ports.eventLog.texts()).toHaveLength(2);
  });
});

describe('opening an operation', () => {
  const SCOPE = { org_id: 'acme', workspace_id: 'w1', agent_id: 'billing-bot' };

  test('appends event 1 in the scope it is given', async () => {
    const ports = inMemoryPorts();
    const { sealed, last } = tell();
    const { type, data } = sealed[0].event;
    const change = await openOperation(ports, last.operation_id, 'request:r1', SCOPE, () => append({ type, data } as never));
    expect(change).toMatchObject({ kind: 'appended', event: { id: `${last.operation_id}/1`, data: { scope: SCOPE, sequence: 1, previous_hash: '' } } });
  });

  test('keeps the scope of event 1 for every later event, whatever it is given', async () => {
    const { ports, id } = await having();
    const change = await openOperation(ports, id, 'r', { ...SCOPE, org_id: 'evil' }, (operation) => (operation === undefined ? UNCHANGED : cancelling(operation)));
    expect(change).toMatchObject({ event: { data: { scope: SCOPE } } });
  });

  test('cannot leave unchanged what is not there', async () => {
    await expect(openOperation(inMemoryPorts(), freshOperationId(), 'r', SCOPE, () => UNCHANGED)).rejects.toMatchObject({ name: 'CorruptRecord' });
  });

  test('asks the rule with nothing, and refuses as it says', async () => {
    const change = await openOperation(inMemoryPorts(), freshOperationId(), 'r', SCOPE, (operation) => (operation === undefined ? refuse(NO) : UNCHANGED));
    expect(change).toEqual({ kind: 'refused', refusal: NO });
  });
});

describe('loading an operation', () => {
  test('folds its events', async () => {
    const { ports, told, id } = await having({ steps: [approve, cancel] });
    expect(await loadOperation(ports.eventLog, id)).toEqual(told.last);
    expect(await loadOperation(ports.eventLog, freshOperationId())).toBeUndefined();
    expect(foldStored([])).toBeUndefined();
  });

  test.each<[string, (told: Told, ports: Ports, id: string) => void]>([
    ['changed in one word', ({ sealed }, ports, id) => ports.eventLog.tamper(id, 2, sealed[1]!.text.replace('user:ana', 'user:ben'))],
    ['changed in its first event', ({ sealed }, ports, id) => ports.eventLog.tamper(id, 1, sealed[0].text.replace('"quorum":1', '"quorum":0'))],
    ['replaced by one of another operation', (_, ports, id) => ports.eventLog.tamper(id, 2, tell({ steps: [approve] }).sealed[1]!.text)],
    ['replaced by an earlier one', ({ sealed }, ports, id) => ports.eventLog.tamper(id, 3, sealed[1]!.text)],
    ['removed from the middle', (_, ports, id) => ports.eventLog.remove(id, 2)],
    ['removed from the beginning', (_, ports, id) => ports.eventLog.remove(id, 1)],
  ])('refuses a log of which an event was %s', async (_, insider) => {
    const { ports, told, id } = await having({ steps: [approve, cancel] });
    insider(told, ports, id);
    await expect(loadOperation(ports.eventLog, id)).rejects.toMatchObject({ name: 'CorruptRecord' });
    await expect(changeOperation(ports, id, 'r', cancelling)).rejects.toMatchObject({ name: 'CorruptRecord' });
  });

  test('cannot see that the newest event was removed: that is what published events and anchors are for', async () => {
    const { ports, id } = await having({ steps: [approve, cancel] });
    ports.eventLog.remove(id, 3);
    expect(await loadOperation(ports.eventLog, id)).toMatchObject({ status: 'granted' });
  });
});
