import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { allCustomMatcher } from 'aws-sdk-client-mock-vitest';
import 'aws-sdk-client-mock-vitest/extend';
import { beforeEach, expect, test } from 'vitest';
import { dynamodbLeases } from '../../../lambdas/adapters/aws/dynamodb-leases.ts';

expect.extend(allCustomMatcher);

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1' }));
const sdk = mockClient(client);
const leases = dynamodbLeases(client, 'Views');
const [NOW, UNTIL] = ['2026-11-02T09:00:00.000Z', '2026-11-02T09:01:00.000Z'];
const Item = { pk: 'lease#op_6', sk: 'lease', due_shard: 'lease-2', due_at: UNTIL, ttl: expect.any(Number) as number };

beforeEach(() => void sdk.reset());

test('a lease begins where none stands, and is renewed where none has ended', async () => {
  await leases.beginLease('op_6', UNTIL);
  expect(sdk).toHaveReceivedLastCommandWith(PutCommand, { TableName: 'Views', Item, ConditionExpression: 'attribute_not_exists(pk)' });
  expect(await leases.renewLease('op_6', UNTIL, NOW)).toBe(true);
  expect(sdk).toHaveReceivedLastCommandWith(PutCommand, { TableName: 'Views', Item, ConditionExpression: 'attribute_not_exists(pk) OR due_at > :now', ExpressionAttributeValues: { ':now': NOW } });
  sdk.on(PutCommand).rejects(Object.assign(new Error('CANARY'), { name: 'ConditionalCheckFailedException' }));
  await leases.beginLease('op_6', UNTIL);
  expect(await leases.renewLease('op_6', UNTIL, NOW)).toBe(false);
});

test('is read consistently, and goes by its key', async () => {
  sdk.on(GetCommand).resolves({ Item: { due_at: UNTIL } });
  expect(await leases.leaseUntil('op_6')).toBe(UNTIL);
  expect(sdk).toHaveReceivedCommandExactlyOnceWith(GetCommand, { TableName: 'Views', Key: { pk: 'lease#op_6', sk: 'lease' }, ConsistentRead: true });
  await leases.endLease('op_6');
  expect(sdk).toHaveReceivedCommandExactlyOnceWith(DeleteCommand, { TableName: 'Views', Key: { pk: 'lease#op_6', sk: 'lease' } });
  sdk.on(GetCommand).resolves({ Item: {} });
  await expect(leases.leaseUntil('op_6')).rejects.toMatchObject({ name: 'CorruptRecord' });
});

test('those that ended are asked for shard by shard, a share of each', async () => {
  sdk.on(QueryCommand).resolves({ Items: [{ pk: 'lease#op_6' }] });
  expect(await leases.lapsedLeases(NOW, 400)).toEqual(['op_6', 'op_6', 'op_6', 'op_6']);
  for (const shard of ['lease-0', 'lease-1', 'lease-2', 'lease-3']) {
    expect(sdk).toHaveReceivedCommandWith(QueryCommand, { TableName: 'Views', IndexName: 'due', KeyConditionExpression: 'due_shard = :shard AND due_at <= :now', ExpressionAttributeValues: { ':shard': shard, ':now': NOW }, Limit: 100 });
  }
});

test('what DynamoDB could not do now is Unavailable', async () => {
  sdk.rejects(Object.assign(new Error('CANARY'), { name: 'ThrottlingException' }));
  for (const work of [() => leases.beginLease('op_6', UNTIL), () => leases.renewLease('op_6', UNTIL, NOW), () => leases.leaseUntil('op_6'), () => leases.endLease('op_6'), () => leases.lapsedLeases(NOW, 4)]) await expect(work()).rejects.toMatchObject({ name: 'Unavailable' });
});
