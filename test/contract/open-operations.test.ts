import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LOCAL_TABLES, openDynamodb, type EmbeddedDynamodb } from '../../infra/local/embedded-dynamodb.ts';
import { dynamodbOpenOperations } from '../../lambdas/adapters/aws/dynamodb-open-operations.ts';
import { inMemoryOpenOperations, type InMemoryOpenOperations } from '../support/in-memory-open-operations.ts';
import { brokenPromises } from '../support/port-contract.ts';
import { OPEN_OPERATIONS_CONTRACT, openOperationsContract } from './open-operations-contract.ts';

describe('open operations', () => {
  openOperationsContract('in memory', async () => ({ port: inMemoryOpenOperations() }));
  openOperationsContract('on DynamoDB', async () => {
    const dynamodb = await openDynamodb();
    return { port: dynamodbOpenOperations(dynamodb.client, LOCAL_TABLES.registry), close: () => dynamodb.close() };
  });
});

describe('open operations on DynamoDB', () => {
  let dynamodb: EmbeddedDynamodb;
  beforeEach(async () => void (dynamodb = await openDynamodb()));
  afterEach(() => dynamodb.close());

  test.each([
    ['a place', { pk: 'open#l', sk: 'op_1#a', operation_id: 'op_1' }],
    ['a call', { pk: 'same#l', sk: 'row', value: 7 }],
    ['a run', { pk: 'run#l', sk: 'row', value: '{"cancelled_at":"now"}' }],
  ])('refuse %s that is not as it was stored', async (_, Item) => {
    await dynamodb.client.send(new PutCommand({ TableName: LOCAL_TABLES.registry, Item }));
    const port = dynamodbOpenOperations(dynamodb.client, LOCAL_TABLES.registry);
    const look = { open: () => port.listed('l', 9), same: () => port.claimSame('l', 'op_2', undefined, '2026-12-01T00:00:00.000Z'), run: () => port.run('l') }[Item.pk.split('#')[0] as 'open'];
    await expect(look()).rejects.toMatchObject({ name: 'CorruptRecord' });
  });
});

describe('the contract of open operations bites', () => {
  const without = (change: (real: InMemoryOpenOperations) => Partial<InMemoryOpenOperations>) => (): InMemoryOpenOperations => {
    const real = inMemoryOpenOperations();
    return { ...real, ...change(real) };
  };
  test.each<[string, (real: InMemoryOpenOperations) => Partial<InMemoryOpenOperations>, string]>([
    ['has one place an operation', (real) => ({ join: (list, place, keep) => real.join(list, { ...place, attempt: 'a' }, keep) }), 'gives each attempt its own place, and takes away that one alone'],
    ['takes away one place for all', (real) => ({ leaveAll: (list, operation_id) => real.leave(list, { operation_id, attempt: 'a' }) }), 'takes away every place of one operation, and nobody else’s'],
    ['lists what it saw before', (real) => ({ listed: async (list, most) => (await real.listed(list, most)).slice(1) }), 'lists whoever joined, as it joined, and in no other list'],
    ['counts places', (real) => ({ listed: async (list, most) => (await real.listed(list, 99)).slice(0, most) }), 'counts operations and not places when it is asked for so many'],
    ['replaces whatever stands', (real) => ({ claimSame: async (call, mine, over, keep) => real.claimSame(call, mine, over === undefined ? undefined : await real.claimSame(call, mine, undefined, keep), keep) }), 'gives a call to whoever claims it first, and replaces it only over what the claimer saw'],
    ['lets the last claim win', () => ({ claimSame: async (_, mine) => mine }), 'gives a call that ten claim over the same one to one of them, and tells all ten the same'],
    ['begins a cancelled run anew', () => { const runs = new Map<string, object>(); return { beginRun: async (run) => void runs.set(run, {}), run: async (run) => runs.get(run), cancelRun: async (run, cancelled) => void runs.set(run, { cancelled }) }; }, 'knows a run once it began or was cancelled, and keeps the first cancel'],
  ])('one that %s', async (_, change, promise) => {
    expect(await brokenPromises(OPEN_OPERATIONS_CONTRACT, without(change))).toContain(promise);
  });

  test('and finds nothing at fault in the double itself', async () => {
    expect(await brokenPromises(OPEN_OPERATIONS_CONTRACT, inMemoryOpenOperations)).toEqual([]);
  });
});
