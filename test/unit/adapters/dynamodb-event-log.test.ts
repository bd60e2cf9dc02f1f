import { DynamoDBDocumentClient, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { allCustomMatcher } from 'aws-sdk-client-mock-vitest';
import 'aws-sdk-client-mock-vitest/extend';
import { beforeEach, describe, expect, test } from 'vitest';
import { dynamodbEventLog } from '../../../lambdas/adapters/aws/dynamodb-event-log.ts';
import { eventSchema } from '../../../lambdas/domain/events.ts';
import { START_OF_TEST } from '../../support/in-memory-system.ts';
import { approve, freshOperationId, tell } from '../../support/port-samples.ts';

expect.extend(allCustomMatcher);

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1' }));
const sdk = mockClient(client);
const log = dynamodbEventLog(client, 'EventLog', eventSchema);

const told = tell({ operation_id: freshOperationId('7'), steps: [approve] });
const { operation_id } = told.last;
const [first, second] = [told.sealed[0], told.sealed[1]!];
const item = (index: number, more: Record<string, unknown> = {}) => ({ pk: operation_id, sk: `event#00000${index + 1}`, event: told.sealed[index]!.text, append_id: `a-${index}`, ...more });

function named(name: string): Error {
  return Object.assign(new Error('the item is {"secret":"hunter2"}'), { name });
}

beforeEach(() => void sdk.reset());

describe('appending', () => {
  test('is one put on the condition that there is no such event, findable in the outbox', async () => {
    sdk.on(PutCommand).resolves({});
    expect(await log.append(second, 'mine')).toBe('appended');
    expect(sdk).toHaveReceivedCommandExactlyOnceWith(PutCommand, {
      TableName: 'EventLog',
      Item: { pk: operation_id, sk: 'event#000002', event: second.text, append_id: 'mine', unpublished_shard: '3', unpublished_since: second.event.time },
      ConditionExpression: 'attribute_not_exists(pk)',
    });
    expect(sdk.calls()).toHaveLength(1);
  });

  test('looks at what stands there when the condition fails, consistently, and sees no more than the writer', async () => {
    sdk.on(PutCommand).rejects(named('ConditionalCheckFailedException'));
    sdk.on(QueryCommand).resolves({ Items: [{ append_id: 'theirs' }] });
    expect(await log.append(second, 'mine')).toBe('conflict');
    expect(sdk).toHaveReceivedCommandExactlyOnceWith(QueryCommand, {
      TableName: 'EventLog',
      KeyConditionExpression: 'pk = :pk AND sk = :sk',
      ExpressionAttributeValues: { ':pk': operation_id, ':sk': 'event#000002' },
      ProjectionExpression: 'append_id',
      ConsistentRead: true,
    });
  });

  test('has succeeded when its own event stands there: only the reply was lost', async () => {
    sdk.on(PutCommand).rejects(named('ConditionalCheckFailedException'));
    sdk.on(QueryCommand).resolves({ Items: [{ append_id: 'mine' }] });
    expect(await log.append(second, 'mine')).toBe('appended');
  });

  test('is never taken for done when that look finds nothing', async () => {
    sdk.on(PutCommand).rejects(named('ConditionalCheckFailedException'));
    sdk.on(QueryCommand).resolves({ Items: [] });
    expect(await log.append(second, 'mine')).toBe('conflict');
  });

  test.each([
    ['ProvisionedThroughputExceededException', 'Unavailable'],
    ['ThrottlingException', 'Unavailable'],
    ['InternalServerError', 'Unavailable'],
    ['TimeoutError', 'Unavailable'],
    ['ValidationException', 'Misconfigured'],
    ['ResourceNotFoundException', 'Misconfigured'],
    ['AccessDeniedException', 'Misconfigured'],
  ])('reports %s as %s and does not look further', async (name, fault) => {
    sdk.on(PutCommand).rejects(named(name));
    await expect(log.append(second, 'mine')).rejects.toMatchObject({ name: fault });
    expect(sdk).not.toHaveReceivedCommand(QueryCommand);
  });

  test('says Unavailable when it cannot see who won', async () => {
    sdk.on(PutCommand).rejects(named('ConditionalCheckFailedException'));
    sdk.on(QueryCommand).rejects(named('ThrottlingException'));
    await expect(log.append(second, 'mine')).rejects.toMatchObject({ name: 'Unavailable' });
  });

  test('keeps what the SDK said out of its own message', async () => {
    sdk.on(PutCommand).rejects(named('ThrottlingException'));
    await expect(log.append(second, 'mine')).rejects.toThrow(/^appending an event failed: ThrottlingException$/);
  });
});

describe('loading', () => {
  test('is one consistent query of the operation\u2019s events', async () => {
    sdk.on(QueryCommand).resolves({ Items: [item(0), item(1)] });
    const stored = await log.load(operation_id);
    expect(stored.map(({ text }) => text)).toEqual([first.text, second.text]);
    expect(sdk).toHaveReceivedCommandExactlyOnceWith(QueryCommand, {
      TableName: 'EventLog',
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :event)',
      ExpressionAttributeValues: { ':pk': operation_id, ':event': 'event#' },
      ConsistentRead: true,
    });
  });

  test('follows every page', async () => {
    const key = { pk: operation_id, sk: 'event#000001' };
    sdk.on(QueryCommand).resolvesOnce({ Items: [item(0)], LastEvaluatedKey: key }).resolvesOnce({ Items: [item(1)] });
    expect(await log.load(operation_id)).toHaveLength(2);
    expect(sdk).toHaveReceivedNthCommandWith(QueryCommand, 2, { ExclusiveStartKey: key, ConsistentRead: true });
  });

  test.each([
    [{ published_at: START_OF_TEST }, true],
    [{ rejected_at: START_OF_TEST }, true],
    [{ unpublished_shard: '0', unpublished_since: START_OF_TEST }, false],
  ])('takes a row with %o for relayed: %s', async (mark, relayed) => {
    sdk.on(QueryCommand).resolves({ Items: [item(0, mark)] });
    expect(await log.load(operation_id)).toMatchObject([{ relayed }]);
  });

  test.each([
    ['a gap', [item(1)]],
    ['the same number twice', [item(0), item(0)]],
    ['a row without its event', [{ ...item(0), event: undefined }]],
    ['an event that the catalogue does not know', [{ ...item(0), event: first.text.replace('"approval.requested"', '"approval.blessed"') }]],
    ['an event as a map', [{ ...item(0), event: JSON.parse(first.text) as object }]],
  ])('calls %s a corrupt record', async (_, Items) => {
    sdk.on(QueryCommand).resolves({ Items });
    await expect(log.load(operation_id)).rejects.toMatchObject({ name: 'CorruptRecord' });
  });

  test('calls text that is not JSON a corrupt record', async () => {
    sdk.on(QueryCommand).resolves({ Items: [{ ...item(0), event: 'not json' }] });
    await expect(log.load(operation_id)).rejects.toMatchObject({ name: 'CorruptRecord' });
  });
});

describe('the number of the last event', () => {
  test('costs one consistent read of one key', async () => {
    sdk.on(QueryCommand).resolves({ Items: [{ sk: 'event#000012' }] });
    expect(await log.lastSequence(operation_id)).toBe(12);
    expect(sdk).toHaveReceivedCommandExactlyOnceWith(QueryCommand, {
      TableName: 'EventLog',
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :event)',
      ExpressionAttributeValues: { ':pk': operation_id, ':event': 'event#' },
      ProjectionExpression: 'sk',
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: 1,
    });
  });

  test('is 0 where there is none', async () => {
    sdk.on(QueryCommand).resolves({ Items: [] });
    expect(await log.lastSequence(operation_id)).toBe(0);
  });
});

describe('the outbox', () => {
  test('asks every shard of the sparse index for what is old enough', async () => {
    sdk.on(QueryCommand).resolves({ Items: [] });
    await log.unpublished(START_OF_TEST);
    expect(sdk).toHaveReceivedCommandTimes(QueryCommand, 4);
    for (const [index, shard] of ['0', '1', '2', '3'].entries()) {
      expect(sdk).toHaveReceivedNthCommandWith(QueryCommand, index + 1, {
        TableName: 'EventLog',
        IndexName: 'unpublished',
        KeyConditionExpression: 'unpublished_shard = :shard AND unpublished_since <= :before',
        ExpressionAttributeValues: { ':shard': shard, ':before': START_OF_TEST },
      });
    }
  });

  test('names an operation once, however many of its events wait', async () => {
    sdk.on(QueryCommand).resolves({ Items: [{ pk: 'op_a' }, { pk: 'op_a' }, { pk: 'op_b' }] });
    expect(await log.unpublished(START_OF_TEST)).toEqual(['op_a', 'op_b']);
  });

  test('sees past a page of events that can never be relayed', async () => {
    const stuck = Array.from({ length: 100 }, (_, index) => ({ pk: `op_stuck_${String(index)}` }));
    sdk.on(QueryCommand).resolves({ Items: [] });
    sdk.on(QueryCommand, { ExpressionAttributeValues: { ':shard': '0', ':before': START_OF_TEST } }).resolvesOnce({ Items: stuck, LastEvaluatedKey: { pk: 'op_stuck_99' } }).resolvesOnce({ Items: [{ pk: 'op_missed' }] });
    expect(await log.unpublished(START_OF_TEST)).toContain('op_missed');
  });

  test.each(['published', 'rejected'] as const)('lets go of a %s event and touches nothing else of it', async (how) => {
    sdk.on(UpdateCommand).resolves({});
    await log.markRelayed(first.event, how, START_OF_TEST);
    expect(sdk).toHaveReceivedCommandExactlyOnceWith(UpdateCommand, {
      TableName: 'EventLog',
      Key: { pk: operation_id, sk: 'event#000001' },
      UpdateExpression: `SET ${how}_at = :at REMOVE unpublished_shard, unpublished_since`,
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':at': START_OF_TEST },
    });
  });

  test('does not make an event by marking it', async () => {
    sdk.on(UpdateCommand).rejects(named('ConditionalCheckFailedException'));
    await expect(log.markRelayed(first.event, 'published', START_OF_TEST)).rejects.toMatchObject({ name: 'CorruptRecord' });
  });
});
