// A page costs the page: what it reads is counted, at the database, with few operations pending and with very many.
// `npm run test:counted` counts with 100,000.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { BatchGetCommand, BatchWriteCommand, QueryCommand, type PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOCAL_TABLES, openDynamodb, type EmbeddedDynamodb } from '../../infra/local/embedded-dynamodb.ts';
import { dynamodbOperationList } from '../../lambdas/adapters/aws/dynamodb-operation-list.ts';
import { dynamodbViews } from '../../lambdas/adapters/aws/dynamodb-views.ts';
import { operationViews, type OperationViews } from '../../lambdas/domain/operation-views.ts';
import { plusSeconds } from '../../lambdas/domain/times.ts';
import { buildHandler } from '../../lambdas/functions/list-inbox/handler.ts';
import { gatewayEvent } from '../support/gateway-events.ts';
import { inMemoryRegistry } from '../support/in-memory-registry.ts';
import { handSetClock, keptLog, START_OF_TEST } from '../support/in-memory-system.ts';
import { testRegistry } from '../support/port-registry.ts';
import { tell } from '../support/port-samples.ts';

const FEW = 100;
/** Enough that a filtered page finds as many rows to look through as it may. */
const SOME = 500;
const MANY = Number(process.env['COUNTED_OPERATIONS'] ?? 5000);
const PATIENCE = 20_000 + MANY * 10;

/** As the relay makes them, of one pending operation, moved to another id and second. */
const SAMPLE = operationViews(tell({ approvers: ['user:ana', 'group:finance'] }).last);

function pendingViews(number: number): OperationViews {
  const { entry = expect.fail('it is pending') } = SAMPLE;
  const moved = { operation_id: `op_${number.toString(16).padStart(32, '0')}`, requested_at: plusSeconds(START_OF_TEST, number) };
  const expires_at = plusSeconds(START_OF_TEST, 30 * 24 * 3600);
  return { ...SAMPLE, ...moved, entry: { ...entry, ...moved, expires_at }, summary: { ...SAMPLE.summary, ...moved } };
}

/** Exactly the items that the adapter would put one by one. */
async function rowsOf(views: OperationViews): Promise<readonly Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  const taking = { send: async ({ input }: PutCommand) => void rows.push(input.Item ?? {}) } as unknown as DynamoDBDocumentClient;
  await dynamodbViews(taking, LOCAL_TABLES.views).write(views);
  return rows;
}

interface Cost {
  readonly requests: number;
  readonly items: number;
}

/** A client that counts what DynamoDB says it has read: `ScannedCount`, before any filter. */
function counting(client: DynamoDBDocumentClient): { readonly client: DynamoDBDocumentClient; readonly costOf: (work: () => Promise<unknown>) => Promise<Cost> } {
  let cost = { requests: 0, items: 0 };
  const send = async (command: QueryCommand | BatchGetCommand): Promise<unknown> => {
    const reply = command instanceof QueryCommand ? await client.send(command) : await client.send(command);
    const read = 'Responses' in reply ? (reply.Responses?.[LOCAL_TABLES.views] ?? []).length : 'ScannedCount' in reply ? reply.ScannedCount ?? NaN : NaN;
    cost = { requests: cost.requests + 1, items: cost.items + read };
    return reply;
  };
  return {
    client: { send } as unknown as DynamoDBDocumentClient,
    costOf: async (work) => {
      cost = { requests: 0, items: 0 };
      await work();
      return cost;
    },
  };
}

let dynamodb: EmbeddedDynamodb;
let written = 0;

beforeAll(async () => void (dynamodb = await openDynamodb()));
afterAll(() => dynamodb.close());

async function fillTo(total: number): Promise<void> {
  for (; written < total; written = Math.min(total, written + 96)) {
    const some = Array.from({ length: Math.min(96, total - written) }, (_, index) => pendingViews(written + index));
    const rows = (await Promise.all(some.map(rowsOf))).flat();
    // A batch takes 25 at most.
    const batches = Array.from({ length: Math.ceil(rows.length / 25) }, (_, index) => rows.slice(index * 25, index * 25 + 25));
    await Promise.all(batches.map((batch) => dynamodb.client.send(new BatchWriteCommand({ RequestItems: { [LOCAL_TABLES.views]: batch.map((Item) => ({ PutRequest: { Item } })) } }))));
  }
}
type Question = readonly [string, route: string, as: string, query: Readonly<Record<string, string>>, cost: Cost];

const FROM_THE_TENTH = `${pendingViews(10).requested_at}#${pendingViews(10).operation_id}`;
const FROM_THE_NINETIETH = `${pendingViews(90).requested_at}#${pendingViews(90).operation_id}`;

/** Ana is asked by name and as one of finance: two inboxes, each read one row further than the page. */
const PAGES: readonly Question[] = [
  ['the first page of an inbox', 'GET /api/inbox', 'user:ana', {}, { requests: 2, items: 102 }],
  ['a later page of it', 'GET /api/inbox', 'user:ana', { cursor: FROM_THE_TENTH }, { requests: 2, items: 102 }],
  ['a short page of it', 'GET /api/inbox', 'user:ana', { limit: '5' }, { requests: 2, items: 12 }],
  ['the operations of a workspace', 'GET /api/operations', 'user:root', { workspace: 'w1' }, { requests: 2, items: 101 }],
  ['a later page of them', 'GET /api/operations', 'user:root', { workspace: 'w1', cursor: FROM_THE_NINETIETH }, { requests: 2, items: 101 }],
  ['the pending operations of a workspace', 'GET /api/operations', 'user:root', { workspace: 'w1', status: 'pending' }, { requests: 2, items: 101 }],
  ['those of a status that none has', 'GET /api/operations', 'user:root', { workspace: 'w1', status: 'running' }, { requests: 1, items: 0 }],
  ['the operations of all workspaces', 'GET /api/operations', 'user:root', {}, { requests: 3, items: 101 }],
  ['those since a moment', 'GET /api/operations', 'user:root', { workspace: 'w1', since: START_OF_TEST }, { requests: 2, items: 101 }],
];
const NARROWED: readonly Question[] = [
  ['a narrowed page that all pass', 'GET /api/inbox', 'user:ana', { tool: 'refund_payment' }, { requests: 2, items: 408 }],
  ['a narrowed page that none passes', 'GET /api/inbox', 'user:ana', { tool: 'another' }, { requests: 2, items: 408 }],
];

async function costOf([, route, as, query]: Question): Promise<Cost> {
  const { client, costOf: counted } = counting(dynamodb.client);
  const registry = inMemoryRegistry(testRegistry());
  const inbox = dynamodbViews(client, LOCAL_TABLES.views);
  const handler = buildHandler({ inbox, operationList: dynamodbOperationList(client, LOCAL_TABLES.views), callers: registry, standIns: { standsInFor: async () => [] }, workspaceCatalogue: registry, clock: handSetClock(), log: keptLog() });
  return counted(async () => {
    const { statusCode, body = '' } = await handler(gatewayEvent({ route, as, query }));
    const { operations } = JSON.parse(body) as { readonly operations: readonly unknown[] };
    const full = query['status'] === 'running' || query['tool'] === 'another' ? 0 : Number(query['limit'] ?? 50);
    expect([statusCode, operations.length]).toEqual([200, full]);
  });
}

// In this order: operations are only ever added.
describe.each([
  [FEW, PAGES],
  [SOME, [...PAGES, ...NARROWED]],
  [MANY, [...PAGES, ...NARROWED]],
])('with %i operations pending', (pending, questions) => {
  beforeAll(() => fillTo(pending), PATIENCE);

  test.each(questions)('%s costs what it shows', async (...question) => {
    expect(await costOf(question)).toEqual(question[4]);
  }, PATIENCE);
});
