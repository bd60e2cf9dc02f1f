// DynamoDB in this process: dynalite on LevelDB files, reached over loopback by the product's own adapters. It has no
// streams and no TTL; the sweep and the time checks of every read serve instead.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { CreateTableCommand, DescribeTableCommand, ListTablesCommand, type CreateTableCommandInput, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import dynalite from 'dynalite';
import { documentClient } from '../../lambdas/adapters/aws/dynamodb-client.ts';

export const LOCAL_TABLES = { event_log: 'event-log', views: 'views', vault: 'vault', registry: 'registry' } as const;

export interface EmbeddedDynamodb {
  readonly client: DynamoDBDocumentClient;
  close(): Promise<void>;
}

/** Opens the tables in `folder`, or in memory without one. One process at a time may hold a folder. */
export async function openDynamodb(folder?: string): Promise<EmbeddedDynamodb> {
  const server = dynalite({ createTableMs: 0, ...(folder === undefined ? {} : { path: folder }) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const config: DynamoDBClientConfig = { endpoint: `http://127.0.0.1:${port}`, region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  const client = documentClient(config);
  await createTables(client);
  return {
    client,
    close: async () => {
      client.destroy();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function createTables(client: DynamoDBDocumentClient): Promise<void> {
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  for (const table of [
    tableInput(LOCAL_TABLES.event_log, [{ name: 'unpublished', pk: 'unpublished_shard', sk: 'unpublished_since', projection: 'KEYS_ONLY' }]),
    tableInput(LOCAL_TABLES.views, [
      { name: 'inbox', pk: 'inbox', sk: 'inbox_order', projection: 'ALL' },
      { name: 'due', pk: 'due_shard', sk: 'due_at', projection: 'KEYS_ONLY' },
      { name: 'recent', pk: 'workspace_id', sk: 'requested_at', projection: 'KEYS_ONLY' },
      { name: 'listed', pk: 'listed_in', sk: 'listed_order', projection: 'KEYS_ONLY' },
    ]),
    tableInput(LOCAL_TABLES.vault, []),
    tableInput(LOCAL_TABLES.registry, []),
  ]) {
    if (!TableNames.includes(table.TableName ?? '')) await client.send(new CreateTableCommand(table));
    await untilActive(client, table.TableName ?? '', (table.GlobalSecondaryIndexes ?? []).map(({ IndexName }) => IndexName));
  }
}

/** Even here a new table is `CREATING` for a moment, and answers nothing until it is `ACTIVE`. */
async function untilActive(client: DynamoDBDocumentClient, table: string, indexes: readonly (string | undefined)[]): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: table }));
    const missing = indexes.filter((index) => !(Table?.GlobalSecondaryIndexes ?? []).some(({ IndexName }) => IndexName === index));
    if (Table?.TableStatus === 'ACTIVE' && missing.length > 0) throw new Error(`the table ${table} was made by an earlier version, without ${missing.join(', ')}; remove the data folder`);
    if (Table?.TableStatus === 'ACTIVE') return;
    await setTimeout(10);
  }
  throw new Error(`the table ${table} was left half made by a start that was cut off; remove the data folder`);
}

interface Index {
  readonly name: string;
  readonly pk: string;
  readonly sk: string;
  readonly projection: 'ALL' | 'KEYS_ONLY';
}

function tableInput(name: string, indexes: readonly Index[]): CreateTableCommandInput {
  const names = ['pk', 'sk', ...indexes.flatMap(({ pk, sk }) => [pk, sk])];
  const keys = (pk: string, sk: string) => [
    { AttributeName: pk, KeyType: 'HASH' as const },
    { AttributeName: sk, KeyType: 'RANGE' as const },
  ];
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: names.map((each) => ({ AttributeName: each, AttributeType: 'S' as const })),
    KeySchema: keys('pk', 'sk'),
    ...(indexes.length === 0
      ? {}
      : { GlobalSecondaryIndexes: indexes.map((index) => ({ IndexName: index.name, KeySchema: keys(index.pk, index.sk), Projection: { ProjectionType: index.projection } })) }),
  };
}
