import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { allCustomMatcher } from 'aws-sdk-client-mock-vitest';
import 'aws-sdk-client-mock-vitest/extend';
import { beforeEach, describe, expect, test } from 'vitest';
import { dynamodbOperationList, listOf } from '../../../lambdas/adapters/aws/dynamodb-operation-list.ts';
import { operationViews } from '../../../lambdas/domain/operation-views.ts';
import { plusSeconds } from '../../../lambdas/domain/times.ts';
import { START_OF_TEST } from '../../support/in-memory-system.ts';
import { cancel, freshOperationId, tell } from '../../support/port-samples.ts';

expect.extend(allCustomMatcher);

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1' }));
const sdk = mockClient(client);
const list = dynamodbOperationList(client, 'Views');

const operation_id = freshOperationId('e');
const { folds } = tell({ operation_id, steps: [cancel] });
const pk = `operation#${operation_id}`;
const ORDER = `${START_OF_TEST}#${operation_id}`;
const [pending, cancelled] = folds.map((fold) => JSON.stringify(operationViews(fold).summary));

const indexed = (...orders: readonly string[]) => ({ Items: orders.map((order) => ({ pk: `operation#${order.split('#')[1] ?? ''}`, sk: 'summary', listed_order: order })) });

beforeEach(() => {
  sdk.reset();
  sdk.on(QueryCommand).resolves({});
});

describe('listing operations', () => {
  test('is one query a workspace of one key more than the page, backwards from the cursor, and one read of what is shown', async () => {
    sdk.on(QueryCommand, { ExpressionAttributeValues: { ':list': 'workspace#w1', ':before': '9999#x' } }).resolves(indexed(ORDER));
    sdk.on(BatchGetCommand).resolves({ Responses: { Views: [{ pk, summary: pending }] } });
    expect(await list.listOperations(['w1', 'w2'], { limit: 10, cursor: '9999#x' })).toEqual({ operations: [operationViews(folds[0]).summary] });
    for (const [index, workspace] of ['w1', 'w2'].entries()) {
      expect(sdk).toHaveReceivedNthCommandWith(QueryCommand, index + 1, {
        TableName: 'Views',
        IndexName: 'listed',
        KeyConditionExpression: 'listed_in = :list AND listed_order < :before',
        ExpressionAttributeValues: { ':list': `workspace#${workspace}`, ':before': '9999#x' },
        ScanIndexForward: false,
        Limit: 11,
      });
    }
    expect(sdk).toHaveReceivedCommandExactlyOnceWith(BatchGetCommand, { RequestItems: { Views: { Keys: [{ pk, sk: 'summary' }], ProjectionExpression: 'pk, summary', ConsistentRead: true } } });
  });

  test('begins after every year, under the status that is asked for', async () => {
    await list.listOperations(['w1'], { limit: 10, status: 'running' });
    expect(sdk).toHaveReceivedCommandExactlyOnceWith(QueryCommand, { ExpressionAttributeValues: { ':list': 'status#running#w1', ':before': '~' } });
    expect(sdk).not.toHaveReceivedCommand(BatchGetCommand);
  });

  test('reads no summary of what stands beyond the page', async () => {
    const orders = [2, 1].map((second) => `${plusSeconds(START_OF_TEST, second)}#${freshOperationId()}`);
    sdk.on(QueryCommand).resolves({ ...indexed(...orders), LastEvaluatedKey: { listed_order: orders[1] } });
    sdk.on(BatchGetCommand).resolves({ Responses: { Views: [] } });
    expect(await list.listOperations(['w1'], { limit: 1 })).toEqual({ operations: [], cursor: orders[0] });
    expect(sdk.commandCalls(BatchGetCommand)[0]?.args[0].input.RequestItems?.['Views']?.Keys).toHaveLength(1);
  });

  test('leaves out what has another status by now', async () => {
    sdk.on(QueryCommand).resolves(indexed(ORDER));
    sdk.on(BatchGetCommand).resolves({ Responses: { Views: [{ pk, summary: cancelled }] } });
    expect((await list.listOperations(['w1'], { limit: 10, status: 'pending' })).operations).toEqual([]);
    expect((await list.listOperations(['w1'], { limit: 10, status: 'cancelled' })).operations).toHaveLength(1);
  });

  test('ends at the first row that is too old, although there are more', async () => {
    sdk.on(QueryCommand).resolves({ ...indexed(`${plusSeconds(START_OF_TEST, 5)}#${operation_id}`, ORDER), LastEvaluatedKey: { listed_order: ORDER } });
    sdk.on(BatchGetCommand).resolves({ Responses: { Views: [{ pk, summary: pending }] } });
    expect(await list.listOperations(['w1'], { limit: 1, since: plusSeconds(START_OF_TEST, 1) })).toEqual({ operations: [operationViews(folds[0]).summary] });
  });

  test('claims no page of which some could not be read', async () => {
    sdk.on(QueryCommand).resolves(indexed(ORDER));
    sdk.on(BatchGetCommand).resolves({ Responses: {}, UnprocessedKeys: { Views: { Keys: [{ pk, sk: 'summary' }] } } });
    await expect(list.listOperations(['w1'], { limit: 10 })).rejects.toMatchObject({ name: 'Unavailable' });
  });

  test.each([['{}'], [5], [undefined]])('refuses a summary that no relay wrote: %o', async (summary) => {
    sdk.on(QueryCommand).resolves(indexed(ORDER));
    sdk.on(BatchGetCommand).resolves({ Responses: { Views: [{ pk, summary }] } });
    await expect(list.listOperations(['w1'], { limit: 10 })).rejects.toMatchObject({ name: 'CorruptRecord' });
  });

  test.each([
    ['ThrottlingException', 'Unavailable'],
    ['AccessDeniedException', 'Misconfigured'],
  ])('tells %s as %s', async (name, fault) => {
    sdk.on(QueryCommand).rejects(Object.assign(new Error('CANARY'), { name }));
    await expect(list.listOperations(['w1'], { limit: 10 })).rejects.toMatchObject({ name: fault, message: expect.not.stringContaining('CANARY') as string });
  });
});

test('no name of a workspace makes one list another', () => {
  expect(listOf('pending#w1')).not.toBe(listOf('w1', 'pending'));
  expect(listOf('w1#pending')).not.toBe(listOf('w1', 'pending'));
});
