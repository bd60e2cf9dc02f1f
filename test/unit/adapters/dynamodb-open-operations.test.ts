import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { allCustomMatcher } from 'aws-sdk-client-mock-vitest';
import 'aws-sdk-client-mock-vitest/extend';
import { beforeEach, expect, test } from 'vitest';
import { dynamodbOpenOperations } from '../../../lambdas/adapters/aws/dynamodb-open-operations.ts';
import { epochSeconds } from '../../../lambdas/domain/times.ts';

expect.extend(allCustomMatcher);

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1' }));
const sdk = mockClient(client);
const open = dynamodbOpenOperations(client, 'Registry');
const NOW = '2026-11-02T09:00:00.000Z';
const KEEP = '2027-01-03T09:00:00.000Z';
const ttl = epochSeconds(KEEP);
const place = (operation_id: string, attempt = 'a') => ({ operation_id, attempt, joined_at: NOW });
const refused = Object.assign(new Error('CANARY'), { name: 'ConditionalCheckFailedException' });

beforeEach(() => {
  sdk.reset();
  sdk.on(QueryCommand).resolves({ Items: [] });
});

test('a place is one row under its list, and goes by its key', async () => {
  await open.join('l', place('op_1'), KEEP);
  expect(sdk).toHaveReceivedCommandExactlyOnceWith(PutCommand, { TableName: 'Registry', Item: { pk: 'open#l', sk: 'op_1#a', ...place('op_1'), ttl } });
  await open.leave('l', { operation_id: 'op_1', attempt: 'a' });
  expect(sdk).toHaveReceivedCommandExactlyOnceWith(DeleteCommand, { TableName: 'Registry', Key: { pk: 'open#l', sk: 'op_1#a' } });
});

test('a list is read consistently, page by page until there are as many operations as asked for', async () => {
  const first = { TableName: 'Registry', KeyConditionExpression: 'pk = :list', ExpressionAttributeValues: { ':list': 'open#l' }, ConsistentRead: true, Limit: 500 };
  const next = { pk: 'open#l', sk: 'op_1#b' };
  sdk.on(QueryCommand).resolves({ Items: [place('op_3')] });
  sdk.on(QueryCommand, { ...first, ExclusiveStartKey: undefined }, true).resolves({ Items: [place('op_1'), place('op_1', 'b')], LastEvaluatedKey: next });
  expect(await open.listed('l', 2)).toEqual([place('op_1'), place('op_1', 'b'), place('op_3')]);
  expect(sdk).toHaveReceivedNthCommandWith(QueryCommand, 2, { ...first, ExclusiveStartKey: next });
  sdk.resetHistory();
  expect(await open.listed('l', 1)).toHaveLength(2);
  expect(sdk).toHaveReceivedCommandTimes(QueryCommand, 1);
});

test('all places of an operation are found by their beginning', async () => {
  sdk.on(QueryCommand).resolves({ Items: [place('op_1'), place('op_1', 'b')] });
  await open.leaveAll('l', 'op_1');
  expect(sdk).toHaveReceivedCommandExactlyOnceWith(QueryCommand, { TableName: 'Registry', KeyConditionExpression: 'pk = :list AND begins_with(sk, :beginning)', ExpressionAttributeValues: { ':list': 'open#l', ':beginning': 'op_1#' }, ConsistentRead: true });
  expect(sdk.commandCalls(DeleteCommand).map(({ args }) => args[0].input.Key)).toEqual([{ pk: 'open#l', sk: 'op_1#a' }, { pk: 'open#l', sk: 'op_1#b' }]);
});

test('a call is claimed where nothing stands, or over exactly what was seen', async () => {
  expect(await open.claimSame('c', 'op_1', undefined, KEEP)).toBe('op_1');
  expect(sdk).toHaveReceivedLastCommandWith(PutCommand, { TableName: 'Registry', Item: { pk: 'same#c', sk: 'row', value: 'op_1', ttl }, ConditionExpression: 'attribute_not_exists(pk)' });
  await open.claimSame('c', 'op_2', 'op_1', KEEP);
  expect(sdk).toHaveReceivedLastCommandWith(PutCommand, { ConditionExpression: 'attribute_not_exists(pk) OR #value = :over', ExpressionAttributeNames: { '#value': 'value' }, ExpressionAttributeValues: { ':over': 'op_1' } });
});

test('a claim that lost is told who stands there, by a consistent read', async () => {
  sdk.on(PutCommand).rejects(refused);
  sdk.on(GetCommand).resolves({ Item: { value: 'op_7' } });
  expect(await open.claimSame('c', 'op_1', undefined, KEEP)).toBe('op_7');
  expect(sdk).toHaveReceivedCommandExactlyOnceWith(GetCommand, { TableName: 'Registry', Key: { pk: 'same#c', sk: 'row' }, ConsistentRead: true });
  sdk.on(GetCommand).resolves({});
  await expect(open.claimSame('c', 'op_1', undefined, KEEP)).rejects.toMatchObject({ name: 'Unavailable' });
});

test('a run begins where nothing stands, and is cancelled where no cancel stands', async () => {
  const actor = { subject: 'agent:a', kind: 'agent', proof: 'iam' } as const;
  await open.beginRun('r', KEEP);
  expect(sdk).toHaveReceivedLastCommandWith(PutCommand, { TableName: 'Registry', Item: { pk: 'run#r', sk: 'row', ttl }, ConditionExpression: 'attribute_not_exists(pk)' });
  await open.cancelRun('r', { cancelled_at: NOW, actor }, KEEP);
  expect(sdk).toHaveReceivedLastCommandWith(PutCommand, {
    Item: { pk: 'run#r', sk: 'row', value: JSON.stringify({ cancelled_at: NOW, actor }), ttl },
    ConditionExpression: 'attribute_not_exists(#value)',
    ExpressionAttributeNames: { '#value': 'value' },
  });
  sdk.on(PutCommand).rejects(refused);
  await open.beginRun('r', KEEP);
  await open.cancelRun('r', { cancelled_at: NOW, actor }, KEEP);
});

test('what DynamoDB could not do now is Unavailable, and nothing of it is told', async () => {
  sdk.rejects(Object.assign(new Error('CANARY'), { name: 'ThrottlingException' }));
  for (const work of [() => open.join('l', place('op_1'), KEEP), () => open.leave('l', place('op_1')), () => open.leaveAll('l', 'op_1'), () => open.listed('l', 1), () => open.claimSame('c', 'op_1', undefined, KEEP), () => open.run('r'), () => open.beginRun('r', KEEP)]) {
    await expect(work()).rejects.toMatchObject({ name: 'Unavailable', message: expect.not.stringContaining('CANARY') as string });
  }
});
