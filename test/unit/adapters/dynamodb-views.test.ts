import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { allCustomMatcher } from 'aws-sdk-client-mock-vitest';
import 'aws-sdk-client-mock-vitest/extend';
import { beforeEach, describe, expect, test } from 'vitest';
import { dynamodbViews } from '../../../lambdas/adapters/aws/dynamodb-views.ts';
import { LIMITS } from '../../../lambdas/domain/limits.ts';
import { operationViews, type OperationViews } from '../../../lambdas/domain/operation-views.ts';
import { plusSeconds } from '../../../lambdas/domain/times.ts';
import { START_OF_TEST } from '../../support/in-memory-system.ts';
import { approve, cancel, freshOperationId, tell } from '../../support/port-samples.ts';

expect.extend(allCustomMatcher);

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1' }));
const sdk = mockClient(client);
const views = dynamodbViews(client, 'Views');

const operation_id = freshOperationId('e');
const { folds } = tell({ operation_id, approvers: ['user:ana', 'group:finance', 'user:ana'], steps: [approve, cancel] });
const TTL = Date.parse(START_OF_TEST) / 1000 + LIMITS.vault_keep_seconds;
const ORDER = `${START_OF_TEST}#${operation_id}`;
const NEWER_ONLY = { TableName: 'Views', ConditionExpression: 'attribute_not_exists(pk) OR #sequence < :sequence', ExpressionAttributeNames: { '#sequence': 'sequence' } };

const summaryRow = ({ sequence, summary }: OperationViews) => ({
  pk: `operation#${operation_id}`, sk: 'summary', sequence, ttl: TTL, listed_in: 'workspace#w1', listed_order: ORDER, summary: JSON.stringify(summary), workspace_id: 'w1', requested_at: START_OF_TEST,
});
const statusRow = (sequence: number, status: string) => ({ pk: `operation#${operation_id}`, sk: 'status', sequence, ttl: TTL, listed_in: `status#${status}#w1`, listed_order: ORDER });

function written(): readonly Record<string, unknown>[] {
  return sdk.commandCalls(PutCommand).map(({ args }) => args[0].input.Item ?? {});
}

beforeEach(() => void sdk.reset());

describe('writing', () => {
  beforeEach(() => void sdk.on(PutCommand).resolves({}));

  test('puts a summary, findable by workspace and deadline, and one inbox row per approver, each only if it is newer', async () => {
    const pending = operationViews(folds[0]);
    await views.write(pending);
    const row = { sequence: 1, ttl: TTL, inbox_order: ORDER, entry: JSON.stringify(pending.entry) };
    expect(written()).toEqual([
      { ...summaryRow(pending), due_shard: '2', due_at: plusSeconds(START_OF_TEST, 3600) },
      statusRow(1, 'pending'),
      { pk: 'inbox#group:finance', sk: ORDER, inbox: 'group:finance', ...row },
      { pk: 'inbox#user:ana', sk: ORDER, inbox: 'user:ana', ...row },
    ]);
    expect(sdk).toHaveReceivedCommandTimes(PutCommand, 4);
    for (const nth of [1, 2, 3, 4]) expect(sdk).toHaveReceivedNthCommandWith(PutCommand, nth, { ...NEWER_ONLY, ExpressionAttributeValues: { ':sequence': 1 } });
  });

  test('leaves inbox rows as tombstones without index keys once it is decided', async () => {
    await views.write(operationViews(folds[1]!));
    expect(written().slice(2)).toEqual(['group:finance', 'user:ana'].map((inbox) => ({ pk: `inbox#${inbox}`, sk: ORDER, sequence: 2, ttl: TTL })));
    expect(written()[0]).toMatchObject({ due_shard: '2' });
  });

  test('leaves nothing but tombstones and the listed summary once it is closed', async () => {
    await views.write(operationViews(folds[2]!));
    expect(written()).toEqual([
      summaryRow(operationViews(folds[2]!)),
      statusRow(3, 'cancelled'),
      ...['group:finance', 'user:ana'].map((inbox) => ({ pk: `inbox#${inbox}`, sk: ORDER, sequence: 3, ttl: TTL })),
    ]);
  });

  test('takes a newer row for no fault and goes on to the next', async () => {
    sdk.on(PutCommand).rejects(Object.assign(new Error('CANARY'), { name: 'ConditionalCheckFailedException' }));
    await views.write(operationViews(folds[0]));
    expect(sdk).toHaveReceivedCommandTimes(PutCommand, 4);
  });

  test('stops at the first row that could not be written', async () => {
    sdk.on(PutCommand).rejects(Object.assign(new Error('CANARY'), { name: 'ThrottlingException' }));
    await expect(views.write(operationViews(folds[0]))).rejects.toMatchObject({ name: 'Unavailable', message: expect.not.stringContaining('CANARY') as string });
    expect(sdk).toHaveReceivedCommandTimes(PutCommand, 1);
  });
});

describe('reading an inbox', () => {
  const entry = JSON.stringify(operationViews(folds[0]).entry);

  test('is one query a reference of one more row than the page, after the cursor', async () => {
    sdk.on(QueryCommand).resolves({ Items: [] });
    await views.list(['user:ana', 'group:finance'], { limit: 10, cursor: ORDER });
    expect(sdk).toHaveReceivedCommandTimes(QueryCommand, 2);
    for (const [index, inbox] of ['user:ana', 'group:finance'].entries()) {
      expect(sdk).toHaveReceivedNthCommandWith(QueryCommand, index + 1, {
        TableName: 'Views',
        IndexName: 'inbox',
        KeyConditionExpression: 'inbox = :inbox AND inbox_order > :after',
        ExpressionAttributeValues: { ':inbox': inbox, ':after': ORDER },
        Limit: 11,
      });
    }
  });

  test('begins before every year without a cursor', async () => {
    sdk.on(QueryCommand).resolves({});
    expect(await views.list(['user:ana'], { limit: 10 })).toEqual({ entries: [] });
    expect(sdk).toHaveReceivedCommandExactlyOnceWith(QueryCommand, { ExpressionAttributeValues: { ':inbox': 'user:ana', ':after': '0' } });
  });

  test('looks through four pages of rows a reference where a filter may let most of them go, in one query', async () => {
    sdk.on(QueryCommand).resolves({ Items: [{ inbox_order: ORDER, entry }], LastEvaluatedKey: { inbox_order: ORDER } });
    expect(await views.list(['user:ana', 'group:finance'], { limit: 10, filter: { tool: 'another' } })).toEqual({ entries: [], cursor: ORDER });
    expect(sdk).toHaveReceivedCommandTimes(QueryCommand, 2);
    expect(sdk).toHaveReceivedNthCommandWith(QueryCommand, 1, { Limit: 44 });
  });

  test('shows nothing beyond where the shortest look ended, and goes on from there', async () => {
    const row = (second: number) => {
      const order = `${plusSeconds(START_OF_TEST, second)}#${operation_id}`;
      return { inbox_order: order, entry: JSON.stringify({ ...operationViews(folds[0]).entry, requested_at: plusSeconds(START_OF_TEST, second) }) };
    };
    // One megabyte was full after the second row of the first reference.
    sdk.on(QueryCommand, { ExpressionAttributeValues: { ':inbox': 'user:ana', ':after': '0' } }).resolves({ Items: [row(1), row(3)], LastEvaluatedKey: { inbox_order: row(3).inbox_order } });
    sdk.on(QueryCommand, { ExpressionAttributeValues: { ':inbox': 'group:finance', ':after': '0' } }).resolves({ Items: [row(2), row(4)] });
    const page = await views.list(['user:ana', 'group:finance'], { limit: 10 });
    expect(page.entries.map(({ requested_at }) => requested_at)).toEqual([1, 2, 3].map((second) => plusSeconds(START_OF_TEST, second)));
    expect(page.cursor).toBe(row(3).inbox_order);
  });

  test.each([['{}'], [5], [undefined]])('refuses an entry that no relay wrote: %o', async (stored) => {
    sdk.on(QueryCommand).resolves({ Items: [{ inbox_order: ORDER, entry: stored }] });
    await expect(views.list(['user:ana'], { limit: 10 })).rejects.toMatchObject({ name: 'CorruptRecord' });
  });

  test('shows an operation once that two references share', async () => {
    sdk.on(QueryCommand).resolves({ Items: [{ inbox_order: ORDER, entry }] });
    expect((await views.list(['user:ana', 'group:finance'], { limit: 1 })).entries).toHaveLength(1);
  });
});

describe('reading what is due', () => {
  test('asks every shard for its share, the deadline included', async () => {
    sdk.on(QueryCommand).resolves({ Items: [{ pk: `operation#${operation_id}` }] });
    expect(await views.due(START_OF_TEST, 40)).toEqual(Array.from({ length: 4 }, () => operation_id));
    for (const [index, shard] of ['0', '1', '2', '3'].entries()) {
      expect(sdk).toHaveReceivedNthCommandWith(QueryCommand, index + 1, {
        TableName: 'Views',
        IndexName: 'due',
        KeyConditionExpression: 'due_shard = :shard AND due_at <= :now',
        ExpressionAttributeValues: { ':shard': shard, ':now': START_OF_TEST },
        Limit: 10,
      });
    }
  });

  test('follows pages until it has its share', async () => {
    const key = { pk: 'operation#op_1', sk: 'summary' };
    sdk.on(QueryCommand).resolves({ Items: Array.from({ length: 100 }, () => ({ pk: 'operation#op_1' })), LastEvaluatedKey: key });
    expect(await views.due(START_OF_TEST, 800)).toHaveLength(800);
    expect(sdk).toHaveReceivedCommandTimes(QueryCommand, 8);
    expect(sdk).toHaveReceivedNthCommandWith(QueryCommand, 2, { ExclusiveStartKey: key });
  });
});

test('the newest operations of a workspace are one page of its index, read backwards', async () => {
  sdk.on(QueryCommand).resolves({ Items: [{ pk: `operation#${operation_id}`, requested_at: START_OF_TEST, workspace_id: 'w1' }] });
  expect(await views.recent('w1', 7)).toEqual([{ operation_id, requested_at: START_OF_TEST }]);
  expect(sdk).toHaveReceivedCommandExactlyOnceWith(QueryCommand, {
    TableName: 'Views',
    IndexName: 'recent',
    KeyConditionExpression: 'workspace_id = :workspace',
    ExpressionAttributeValues: { ':workspace': 'w1' },
    ScanIndexForward: false,
    Limit: 7,
  });
});
