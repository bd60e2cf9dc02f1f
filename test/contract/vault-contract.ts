// What every vault promises: arguments come back byte for byte and are never replaced, the newest token wins, and a
// row that is there is read, however long ago its clean-up was due.
import { expect } from 'vitest';
import { sha256Digest } from '../../lambdas/domain/json/digest.ts';
import { plusSeconds, type Instant } from '../../lambdas/domain/times.ts';
import type { ArgumentsVault, ParkedToken, ResultVault, TokenVault, WaitingState } from '../../lambdas/ports/vault.ts';
import { START_OF_TEST } from '../support/in-memory-system.ts';
import { registerContract, type Contract, type Opened } from '../support/port-contract.ts';
import { freshOperationId } from '../support/port-samples.ts';

type Port = ArgumentsVault & ResultVault & TokenVault;

const KEEP: Instant = plusSeconds(START_OF_TEST, 30 * 24 * 3600);
const LONG_AGO: Instant = '2001-01-01T00:00:00.000Z';

/** Case 068 and its neighbours: what database number, map and string types are known to bend. */
const BYTES: readonly string[] = [
  '{"n":1.23e+40}',
  '{"n":0}',
  '{"n":-0}',
  '{"n":9007199254740993}',
  '{"a":[null],"b":""}',
  '{"d":1e-200}',
  '{"__proto__":{"polluted":true},"constructor":1}',
  '{"text":"\\u0000\\u001f\\"\\\\/"}',
  '{"text":"é e\u0301 \u{1f469}\u200d\u{1f4bb} \u202e"}',
  '{"":"","NULL":true,"S":"x","undefined":null}',
  ' {\n "spaces" : "are bytes too" }\r\n',
  'null',
  '""',
];

function token(task_token: string, entered_at: Instant, retry_count = 0): ParkedToken {
  return { task_token, entered_at, retry_count };
}

const STATES: readonly WaitingState[] = ['await_decision', 'run_tool'];

export const VAULT_CONTRACT: Contract<Port> = [
  {
    promise: 'holds nothing for an operation that nobody stored',
    holds: async (port) => {
      const operation_id = freshOperationId();
      expect(await port.readArguments(operation_id)).toBeUndefined();
      expect(await port.readResult(operation_id)).toBeUndefined();
      for (const state of STATES) expect(await port.readToken(operation_id, state)).toBeUndefined();
    },
  },
  {
    promise: 'gives arguments and results back byte for byte, whatever the values',
    holds: async (port) => {
      for (const bytes of BYTES) {
        const operation_id = freshOperationId();
        await port.putArguments(operation_id, bytes, KEEP);
        await port.putResult(operation_id, bytes, KEEP);
        expect(await port.readArguments(operation_id)).toBe(bytes);
        expect(await port.readResult(operation_id)).toBe(bytes);
        expect(sha256Digest((await port.readArguments(operation_id)) ?? '')).toBe(sha256Digest(bytes));
      }
    },
  },
  {
    promise: 'takes arguments of 320 KiB in multi-byte text',
    holds: async (port) => {
      const operation_id = freshOperationId();
      const large = `{"text":"${'ü'.repeat(160 * 1024 - 8)}"}`;
      await port.putArguments(operation_id, large, KEEP);
      expect(await port.readArguments(operation_id)).toBe(large);
    },
  },
  {
    promise: 'takes the same arguments again, and calls other arguments under the same operation a corrupt record',
    holds: async (port) => {
      const operation_id = freshOperationId();
      await port.putArguments(operation_id, '{"amount":5}', KEEP);
      await port.putArguments(operation_id, '{"amount":5}', plusSeconds(KEEP, 1));
      await expect(port.putArguments(operation_id, '{"amount":500}', KEEP)).rejects.toMatchObject({ name: 'CorruptRecord' });
      expect(await port.readArguments(operation_id)).toBe('{"amount":5}');
    },
  },
  {
    promise: 'keeps the first of two different arguments that arrive together',
    holds: async (port) => {
      const operation_id = freshOperationId();
      const outcomes = await Promise.allSettled(['{"amount":5}', '{"amount":6}'].map((bytes) => port.putArguments(operation_id, bytes, KEEP)));
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const winner = outcomes[0]?.status === 'fulfilled' ? '{"amount":5}' : '{"amount":6}';
      expect(await port.readArguments(operation_id)).toBe(winner);
    },
  },
  {
    promise: 'keeps what one operation stored from every other',
    holds: async (port) => {
      const [mine, other] = [freshOperationId(), freshOperationId()];
      await port.putArguments(mine, '{}', KEEP);
      await port.parkToken(mine, 'await_decision', token('t', START_OF_TEST), KEEP);
      expect(await port.readArguments(other)).toBeUndefined();
      expect(await port.readToken(other, 'await_decision')).toBeUndefined();
      expect(await port.readToken(mine, 'run_tool')).toBeUndefined();
    },
  },
  {
    promise: 'returns a token with all its plus signs, slashes and equals signs',
    holds: async (port) => {
      const operation_id = freshOperationId();
      await port.parkToken(operation_id, 'await_decision', token('AAAA+b/c==AAAA%2B', START_OF_TEST), KEEP);
      expect(await port.readToken(operation_id, 'await_decision')).toBe('AAAA+b/c==AAAA%2B');
    },
  },
  {
    promise: 'lets the later entry win, in whatever order two tokens arrive',
    holds: async (port) => {
      const [early, late] = [token('early', START_OF_TEST, 9), token('late', plusSeconds(START_OF_TEST, 0.001), 0)];
      const inOrder = freshOperationId();
      expect(await port.parkToken(inOrder, 'run_tool', early, KEEP)).toBe('parked');
      expect(await port.parkToken(inOrder, 'run_tool', late, KEEP)).toBe('parked');
      const slow = freshOperationId();
      expect(await port.parkToken(slow, 'run_tool', late, KEEP)).toBe('parked');
      expect(await port.parkToken(slow, 'run_tool', early, KEEP)).toBe('superseded');
      for (const operation_id of [inOrder, slow]) expect(await port.readToken(operation_id, 'run_tool')).toBe('late');
    },
  },
  {
    promise: 'lets the later retry of one entry win, counted as numbers',
    holds: async (port) => {
      const operation_id = freshOperationId();
      expect(await port.parkToken(operation_id, 'await_decision', token('ninth', START_OF_TEST, 9), KEEP)).toBe('parked');
      expect(await port.parkToken(operation_id, 'await_decision', token('tenth', START_OF_TEST, 10), KEEP)).toBe('parked');
      expect(await port.parkToken(operation_id, 'await_decision', token('ninth', START_OF_TEST, 9), KEEP)).toBe('superseded');
      expect(await port.readToken(operation_id, 'await_decision')).toBe('tenth');
    },
  },
  {
    promise: 'takes the same token again, since its function may be called twice',
    holds: async (port) => {
      const operation_id = freshOperationId();
      for (let call = 0; call < 2; call += 1) expect(await port.parkToken(operation_id, 'await_decision', token('same', START_OF_TEST, 1), KEEP)).toBe('parked');
      expect(await port.readToken(operation_id, 'await_decision')).toBe('same');
    },
  },
  {
    promise: 'ends with the newest of ten tokens that arrive together',
    holds: async (port) => {
      const operation_id = freshOperationId();
      const order = [3, 9, 1, 7, 0, 8, 2, 6, 4, 5];
      await Promise.all(order.map((retry) => port.parkToken(operation_id, 'await_decision', token(`retry ${retry}`, START_OF_TEST, retry), KEEP)));
      expect(await port.readToken(operation_id, 'await_decision')).toBe('retry 9');
    },
  },
  {
    promise: 'tells the waiting states of one operation apart',
    holds: async (port) => {
      const operation_id = freshOperationId();
      await port.parkToken(operation_id, 'await_decision', token('waits', plusSeconds(START_OF_TEST, 60)), KEEP);
      expect(await port.parkToken(operation_id, 'run_tool', token('runs', START_OF_TEST), KEEP)).toBe('parked');
      expect(await port.readToken(operation_id, 'await_decision')).toBe('waits');
      expect(await port.readToken(operation_id, 'run_tool')).toBe('runs');
    },
  },
  {
    promise: 'reads a row that is there, however long ago its clean-up was due, and still refuses to replace it',
    holds: async (port) => {
      const operation_id = freshOperationId();
      await port.putArguments(operation_id, '{"amount":5}', LONG_AGO);
      await port.putResult(operation_id, '"done"', LONG_AGO);
      await port.parkToken(operation_id, 'run_tool', token('new', plusSeconds(START_OF_TEST, 1)), LONG_AGO);
      expect(await port.readArguments(operation_id)).toBe('{"amount":5}');
      expect(await port.readResult(operation_id)).toBe('"done"');
      expect(await port.readToken(operation_id, 'run_tool')).toBe('new');
      await expect(port.putArguments(operation_id, '{"amount":6}', KEEP)).rejects.toMatchObject({ name: 'CorruptRecord' });
      expect(await port.parkToken(operation_id, 'run_tool', token('old', START_OF_TEST), KEEP)).toBe('superseded');
    },
  },
];

export function vaultContract(implementation: string, open: () => Promise<Opened<Port>>): void {
  registerContract(VAULT_CONTRACT, implementation, open);
}
