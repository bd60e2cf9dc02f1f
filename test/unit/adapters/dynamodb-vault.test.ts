import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { allCustomMatcher } from 'aws-sdk-client-mock-vitest';
import 'aws-sdk-client-mock-vitest/extend';
import { beforeEach, describe, expect, test } from 'vitest';
import { dynamodbVault } from '../../../lambdas/adapters/aws/dynamodb-vault.ts';
import { plusSeconds } from '../../../lambdas/domain/times.ts';
import { START_OF_TEST } from '../../support/in-memory-system.ts';

expect.extend(allCustomMatcher);

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1' }));
const sdk = mockClient(client);
const vault = dynamodbVault(client, 'Vault');
const KEEP = plusSeconds(START_OF_TEST, 100);
const TTL = Date.parse(KEEP) / 1000;

function named(name: string): Error {
  return Object.assign(new Error('CANARY in the message'), { name });
}

beforeEach(() => void sdk.reset());

describe('arguments', () => {
  test('are put once, as text, under the prefix that IAM knows', async () => {
    sdk.on(PutCommand).resolves({});
    await vault.putArguments('op_1', '{"n":1.23e+40}', KEEP);
    expect(sdk).toHaveReceivedCommandExactlyOnceWith(PutCommand, {
      TableName: 'Vault',
      Item: { pk: 'arguments#op_1', sk: 'canonical', canonical: '{"n":1.23e+40}', ttl: TTL },
      ConditionExpression: 'attribute_not_exists(pk)',
    });
    expect(sdk.calls()).toHaveLength(1);
  });

  test('are read consistently', async () => {
    sdk.on(GetCommand).resolves({ Item: { canonical: '{}', ttl: 1 } });
    expect(await vault.readArguments('op_1')).toBe('{}');
    expect(sdk).toHaveReceivedCommandExactlyOnceWith(GetCommand, { TableName: 'Vault', Key: { pk: 'arguments#op_1', sk: 'canonical' }, ConsistentRead: true });
  });

  test('are compared when something stands there already', async () => {
    sdk.on(PutCommand).rejects(named('ConditionalCheckFailedException'));
    sdk.on(GetCommand).resolves({ Item: { canonical: '{"a":1}' } });
    await expect(vault.putArguments('op_1', '{"a":1}', KEEP)).resolves.toBeUndefined();
    await expect(vault.putArguments('op_1', '{"a":2}', KEEP)).rejects.toMatchObject({ name: 'CorruptRecord', message: 'the vault holds other arguments under this operation' });
  });

  test('that went away between two looks are a fault, never taken for stored', async () => {
    sdk.on(PutCommand).rejects(named('ConditionalCheckFailedException'));
    sdk.on(GetCommand).resolves({});
    await expect(vault.putArguments('op_1', '{}', KEEP)).rejects.toMatchObject({ name: 'CorruptRecord' });
  });

  test.each([[undefined], [{ canonical: 5 }], [{ canonical: { n: 1 } }]])('that are not text are not read: %o', async (Item) => {
    sdk.on(GetCommand).resolves(Item === undefined ? {} : { Item });
    expect(await vault.readArguments('op_1')).toBeUndefined();
  });

  test.each([
    ['ThrottlingException', 'Unavailable'],
    ['KmsThrottlingException', 'Unavailable'],
    ['AccessDeniedException', 'Misconfigured'],
    ['KMSInvalidStateException', 'Misconfigured'],
  ])('meet %s as %s, without what the SDK said', async (name, fault) => {
    sdk.on(PutCommand).rejects(named(name));
    sdk.on(GetCommand).rejects(named(name));
    await expect(vault.putArguments('op_1', '{}', KEEP)).rejects.toMatchObject({ name: fault, message: expect.not.stringContaining('CANARY') as string });
    await expect(vault.readArguments('op_1')).rejects.toMatchObject({ name: fault, message: expect.not.stringContaining('CANARY') as string });
  });
});

test('results have a prefix of their own and may be written again', async () => {
  sdk.on(PutCommand).resolves({});
  sdk.on(GetCommand).resolves({ Item: { json: '"done"' } });
  await vault.putResult('op_1', '"done"', KEEP);
  expect(sdk).toHaveReceivedCommandExactlyOnceWith(PutCommand, { TableName: 'Vault', Item: { pk: 'result#op_1', sk: 'result', json: '"done"', ttl: TTL } });
  expect(sdk.commandCalls(PutCommand)[0]?.args[0].input.ConditionExpression).toBeUndefined();
  expect(await vault.readResult('op_1')).toBe('"done"');
  expect(sdk).toHaveReceivedCommandExactlyOnceWith(GetCommand, { TableName: 'Vault', Key: { pk: 'result#op_1', sk: 'result' }, ConsistentRead: true });
});

describe('tokens', () => {
  test('are put on the condition that no newer one of that state stands there', async () => {
    sdk.on(PutCommand).resolves({});
    expect(await vault.parkToken('op_1', 'run_tool', { task_token: 'AAAA+b/c==', entered_at: START_OF_TEST, retry_count: 2 }, KEEP)).toBe('parked');
    expect(sdk).toHaveReceivedCommandExactlyOnceWith(PutCommand, {
      TableName: 'Vault',
      Item: { pk: 'token#op_1', sk: 'run_tool', task_token: 'AAAA+b/c==', entered_at: START_OF_TEST, retry_count: 2, ttl: TTL },
      ConditionExpression: 'attribute_not_exists(pk) OR entered_at < :entered_at OR (entered_at = :entered_at AND retry_count <= :retry_count)',
      ExpressionAttributeValues: { ':entered_at': START_OF_TEST, ':retry_count': 2 },
    });
  });

  test('that come late are superseded, which is no fault', async () => {
    sdk.on(PutCommand).rejects(named('ConditionalCheckFailedException'));
    expect(await vault.parkToken('op_1', 'run_tool', { task_token: 't', entered_at: START_OF_TEST, retry_count: 0 }, KEEP)).toBe('superseded');
  });

  test('that could not be stored are never taken for superseded', async () => {
    sdk.on(PutCommand).rejects(named('TransactionConflictException'));
    await expect(vault.parkToken('op_1', 'run_tool', { task_token: 't', entered_at: START_OF_TEST, retry_count: 0 }, KEEP)).rejects.toMatchObject({ name: 'Misconfigured' });
  });

  test('are read consistently, one row a state', async () => {
    sdk.on(GetCommand).resolves({ Item: { task_token: 'AAAA+b/c==' } });
    expect(await vault.readToken('op_1', 'await_decision')).toBe('AAAA+b/c==');
    expect(sdk).toHaveReceivedCommandExactlyOnceWith(GetCommand, { TableName: 'Vault', Key: { pk: 'token#op_1', sk: 'await_decision' }, ConsistentRead: true });
  });
});
