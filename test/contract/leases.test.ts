// What leases promise, in memory and on DynamoDB; and doubles broken on purpose, which must be noticed.
import { expect, describe, test } from 'vitest';
import { LOCAL_TABLES, openDynamodb } from '../../infra/local/embedded-dynamodb.ts';
import { dynamodbLeases } from '../../lambdas/adapters/aws/dynamodb-leases.ts';
import { dynamodbViews } from '../../lambdas/adapters/aws/dynamodb-views.ts';
import type { Leases } from '../../lambdas/ports/leases.ts';
import { inMemoryLeases } from '../support/in-memory-leases.ts';
import { brokenPromises, registerContract, type Contract } from '../support/port-contract.ts';
import { freshOperationId } from '../support/port-samples.ts';

const at = (second: number): string => `2026-11-02T09:00:${String(second).padStart(2, '0')}.000Z`;

const LEASES_CONTRACT: Contract<Leases> = [
  {
    promise: 'keeps the first lease that is begun',
    holds: async (port) => {
      const id = freshOperationId();
      expect(await port.leaseUntil(id)).toBeUndefined();
      await port.beginLease(id, at(10));
      await port.beginLease(id, at(20));
      expect(await port.leaseUntil(id)).toBe(at(10));
    },
  },
  {
    promise: 'renews what has not ended, at its very end no more, and what was never begun',
    holds: async (port) => {
      const [id, early] = [freshOperationId(), freshOperationId()];
      await port.beginLease(id, at(10));
      expect(await port.renewLease(id, at(19), at(9))).toBe(true);
      expect(await port.renewLease(id, at(29), at(19))).toBe(false);
      expect(await port.leaseUntil(id)).toBe(at(19));
      expect(await port.renewLease(early, at(15), at(5))).toBe(true);
      await port.beginLease(early, at(10));
      expect(await port.leaseUntil(early)).toBe(at(15));
    },
  },
  {
    promise: 'lists those that have ended, from their very end on, of every shard, and none that is over',
    holds: async (port) => {
      const ids = ['0', '1', '2', '3', 'f'].map(freshOperationId);
      for (const id of ids) await port.beginLease(id, at(30));
      const mine = async (now: string): Promise<readonly string[]> => (await port.lapsedLeases(now, 400)).filter((id) => ids.includes(id)).sort();
      expect(await mine(at(29))).toEqual([]);
      expect(await mine(at(30))).toEqual([...ids].sort());
      for (const id of ids) await port.endLease(id);
      expect(await mine(at(59))).toEqual([]);
    },
  },
];

describe('leases', () => {
  registerContract(LEASES_CONTRACT, 'in memory', async () => ({ port: inMemoryLeases() }));
  registerContract(LEASES_CONTRACT, 'on DynamoDB', async () => {
    const dynamodb = await openDynamodb();
    return { port: dynamodbLeases(dynamodb.client, LOCAL_TABLES.views), close: () => dynamodb.close() };
  });

  test('are not among the operations that are due', async () => {
    const dynamodb = await openDynamodb();
    await dynamodbLeases(dynamodb.client, LOCAL_TABLES.views).beginLease(freshOperationId(), at(1));
    expect(await dynamodbViews(dynamodb.client, LOCAL_TABLES.views).due(at(59), 400)).toEqual([]);
    await dynamodb.close();
  });
});

describe('the contract of leases bites', () => {
  test.each<[string, (real: Leases) => Partial<Leases>, string]>([
    ['begins anew', (real) => ({ beginLease: async (id, until) => [await real.endLease(id), await real.beginLease(id, until)].join() as never }), 'keeps the first lease that is begun'],
    ['renews what has ended', (real) => ({ renewLease: async (id, until) => real.renewLease(id, until, '') }), 'renews what has not ended, at its very end no more, and what was never begun'],
    ['lists too early', (real) => ({ lapsedLeases: async (_, most) => real.lapsedLeases('9', most) }), 'lists those that have ended, from their very end on, of every shard, and none that is over'],
  ])('one that %s', async (_, change, promise) => {
    const broken = (): Leases => {
      const real = inMemoryLeases();
      return { ...real, ...change(real) };
    };
    expect(await brokenPromises(LEASES_CONTRACT, broken)).toContain(promise);
  });
});
