// Leases as rows of the views table. They stand in the `due` index under shards of their own, so that neither the
// deadlines of operations nor the leases get in each other's way.
import { DeleteCommand, GetCommand, PutCommand, QueryCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Fault } from '../../domain/faults.ts';
import { LIMITS } from '../../domain/limits.ts';
import { epochSeconds, plusSeconds } from '../../domain/times.ts';
import type { Leases } from '../../ports/leases.ts';
import { call, conditionally } from './aws-errors.ts';

const SHARDS = 4;
const SK = 'lease';

export function dynamodbLeases(client: DynamoDBDocumentClient, table: string): Leases {
  const rowOf = (operation_id: string, due_at: string): Record<string, unknown> => ({
    pk: `lease#${operation_id}`,
    sk: SK,
    due_shard: `lease-${parseInt(operation_id.slice(-1), 16) % SHARDS}`,
    due_at,
    ttl: epochSeconds(plusSeconds(due_at, LIMITS.vault_keep_seconds)),
  });
  return {
    beginLease: async (operation_id, lease_until) => {
      const put = new PutCommand({ TableName: table, Item: rowOf(operation_id, lease_until), ConditionExpression: 'attribute_not_exists(pk)' });
      await conditionally('beginning a lease', () => client.send(put));
    },
    renewLease: (operation_id, lease_until, now) => {
      const put = new PutCommand({
        TableName: table,
        Item: rowOf(operation_id, lease_until),
        ConditionExpression: 'attribute_not_exists(pk) OR due_at > :now',
        ExpressionAttributeValues: { ':now': now },
      });
      return conditionally('renewing a lease', () => client.send(put));
    },
    leaseUntil: async (operation_id) => {
      const { Item } = await call('reading a lease', () => client.send(new GetCommand({ TableName: table, Key: { pk: `lease#${operation_id}`, sk: SK }, ConsistentRead: true })));
      if (Item === undefined) return undefined;
      const due_at: unknown = Item['due_at'];
      if (typeof due_at !== 'string') throw new Fault('CorruptRecord', 'a lease is not as it was stored');
      return due_at;
    },
    endLease: async (operation_id) => {
      await call('ending a lease', () => client.send(new DeleteCommand({ TableName: table, Key: { pk: `lease#${operation_id}`, sk: SK } })));
    },
    lapsedLeases: async (now, most) => {
      const shards = Array.from({ length: SHARDS }, (_, shard) => `lease-${shard}`);
      const pages = await Promise.all(
        shards.map((shard) => {
          const query = new QueryCommand({
            TableName: table,
            IndexName: 'due',
            KeyConditionExpression: 'due_shard = :shard AND due_at <= :now',
            ExpressionAttributeValues: { ':shard': shard, ':now': now },
            Limit: Math.ceil(most / SHARDS),
          });
          return call('reading the leases that ended', () => client.send(query));
        }),
      );
      return pages.flatMap(({ Items = [] }) => Items.map((item) => String(item['pk']).slice('lease#'.length)));
    },
  };
}
