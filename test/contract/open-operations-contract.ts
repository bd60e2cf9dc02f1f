// What open lists, identical calls and runs promise, whatever keeps them.
import { expect } from 'vitest';
import type { Actor } from '../../lambdas/domain/caller.ts';
import { plusSeconds } from '../../lambdas/domain/times.ts';
import type { OpenOperations, Runs, SameCalls } from '../../lambdas/ports/open-operations.ts';
import { START_OF_TEST } from '../support/in-memory-system.ts';
import { registerContract, type Contract, type Opened } from '../support/port-contract.ts';
import { freshOperationId } from '../support/port-samples.ts';

type Port = OpenOperations & SameCalls & Runs;

const KEEP = plusSeconds(START_OF_TEST, 24 * 3600);
const ACTOR: Actor = { subject: 'agent:billing-bot', kind: 'agent', proof: 'iam' };
let names = 0;

const fresh = (): string => (names += 1).toString(16).padStart(64, '0');
const placed = (operation_id: string, attempt = 'a') => ({ operation_id, attempt, joined_at: START_OF_TEST });
const idsIn = async (port: Port, list: string, most = 99): Promise<readonly string[]> => [...new Set((await port.listed(list, most)).map(({ operation_id }) => operation_id))].sort();

export const OPEN_OPERATIONS_CONTRACT: Contract<Port> = [
  {
    promise: 'lists whoever joined, as it joined, and in no other list',
    holds: async (port) => {
      const [list, other, id] = [fresh(), fresh(), freshOperationId()];
      await port.join(list, placed(id), KEEP);
      expect(await port.listed(list, 9)).toEqual([placed(id)]);
      expect(await port.listed(other, 9)).toEqual([]);
    },
  },
  {
    promise: 'gives each attempt its own place, and takes away that one alone',
    holds: async (port) => {
      const [list, id, twin] = [fresh(), freshOperationId(), freshOperationId()];
      for (const place of [placed(id, 'a'), placed(id, 'b'), placed(twin)]) await port.join(list, place, KEEP);
      await port.leave(list, { operation_id: id, attempt: 'a' });
      await port.leave(list, { operation_id: id, attempt: 'never there' });
      expect([...(await port.listed(list, 9))].sort((one, other) => (one.operation_id < other.operation_id ? -1 : 1))).toEqual([placed(id, 'b'), placed(twin)]);
    },
  },
  {
    promise: 'takes away every place of one operation, and nobody else’s',
    holds: async (port) => {
      const [list, id, twin] = [fresh(), freshOperationId(), freshOperationId()];
      for (const place of [placed(id, 'a'), placed(id, 'b'), placed(twin)]) await port.join(list, place, KEEP);
      await port.leaveAll(list, id);
      await port.leaveAll(list, id);
      expect(await port.listed(list, 9)).toEqual([placed(twin)]);
    },
  },
  {
    promise: 'counts operations and not places when it is asked for so many',
    holds: async (port) => {
      const [list, ids] = [fresh(), [freshOperationId(), freshOperationId(), freshOperationId()]];
      for (const id of ids) for (const attempt of ['a', 'b', 'c']) await port.join(list, placed(id, attempt), KEEP);
      expect(await idsIn(port, list)).toEqual([...ids].sort());
      expect((await idsIn(port, list, 2)).length).toBeGreaterThanOrEqual(2);
    },
  },
  {
    promise: 'shows to each of ten that join together the one who joined before it',
    holds: async (port) => {
      const list = fresh();
      const counts = await Promise.all(Array.from({ length: 10 }, async () => (await port.join(list, placed(freshOperationId()), KEEP), (await idsIn(port, list)).length)));
      expect(Math.max(...counts)).toBe(10);
    },
  },
  {
    promise: 'gives a call to whoever claims it first, and replaces it only over what the claimer saw',
    holds: async (port) => {
      const call = fresh();
      expect(await port.claimSame(call, 'op_1', undefined, KEEP)).toBe('op_1');
      expect(await port.claimSame(call, 'op_2', undefined, KEEP)).toBe('op_1');
      expect(await port.claimSame(call, 'op_2', 'op_0', KEEP)).toBe('op_1');
      expect(await port.claimSame(call, 'op_2', 'op_1', KEEP)).toBe('op_2');
      expect(await port.claimSame(call, 'op_3', 'op_1', KEEP)).toBe('op_2');
      expect(await port.claimSame(fresh(), 'op_4', 'op_9', KEEP)).toBe('op_4');
    },
  },
  {
    promise: 'gives a call that ten claim over the same one to one of them, and tells all ten the same',
    holds: async (port) => {
      const call = fresh();
      await port.claimSame(call, 'op_old', undefined, KEEP);
      const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => port.claimSame(call, `op_${index}`, 'op_old', KEEP)));
      expect(new Set(answers).size).toBe(1);
      expect(answers).not.toContain('op_old');
    },
  },
  {
    promise: 'knows a run once it began or was cancelled, and keeps the first cancel',
    holds: async (port) => {
      const [begun, early] = [fresh(), fresh()];
      expect(await port.run(begun)).toBeUndefined();
      await port.beginRun(begun, KEEP);
      expect(await port.run(begun)).toEqual({});
      const first = { cancelled_at: START_OF_TEST, actor: ACTOR, comment: 'enough' };
      for (const run of [begun, early]) {
        await port.cancelRun(run, first, KEEP);
        await port.cancelRun(run, { cancelled_at: KEEP, actor: ACTOR }, KEEP);
        await port.beginRun(run, KEEP);
        expect(await port.run(run)).toEqual({ cancelled: first });
      }
    },
  },
];

export function openOperationsContract(implementation: string, open: () => Promise<Opened<Port>>): void {
  registerContract(OPEN_OPERATIONS_CONTRACT, implementation, open);
}
