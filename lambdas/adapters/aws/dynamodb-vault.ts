// The vault as DynamoDB items, one key prefix a kind, so that IAM tells their readers apart. Arguments and results are
// kept as JSON text: DynamoDB's own number and map types would bend values.
import { GetCommand, PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Fault } from '../../domain/faults.ts';
import { epochSeconds } from '../../domain/times.ts';
import type { ArgumentsVault, ResultVault, TokenVault } from '../../ports/vault.ts';
import { call, conditionally } from './aws-errors.ts';

export function dynamodbVault(client: DynamoDBDocumentClient, table: string): ArgumentsVault & ResultVault & TokenVault {
  const read = async (pk: string, sk: string, attribute: string): Promise<string | undefined> => {
    const { Item } = await call('reading the vault', () => client.send(new GetCommand({ TableName: table, Key: { pk, sk }, ConsistentRead: true })));
    const value: unknown = Item?.[attribute];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    putArguments: async (operation_id, canonical, keep_until) => {
      const pk = `arguments#${operation_id}`;
      const put = new PutCommand({ TableName: table, Item: { pk, sk: 'canonical', canonical, ttl: epochSeconds(keep_until) }, ConditionExpression: 'attribute_not_exists(pk)' });
      if (await conditionally('storing arguments', () => client.send(put))) return;
      if ((await read(pk, 'canonical', 'canonical')) !== canonical) throw new Fault('CorruptRecord', 'the vault holds other arguments under this operation');
    },
    readArguments: (operation_id) => read(`arguments#${operation_id}`, 'canonical', 'canonical'),
    putResult: async (operation_id, json, keep_until) => {
      const Item = { pk: `result#${operation_id}`, sk: 'result', json, ttl: epochSeconds(keep_until) };
      await call('storing a result', () => client.send(new PutCommand({ TableName: table, Item })));
    },
    readResult: (operation_id) => read(`result#${operation_id}`, 'result', 'json'),
    parkToken: async (operation_id, state, { task_token, entered_at, retry_count }, keep_until) => {
      const put = new PutCommand({
        TableName: table,
        Item: { pk: `token#${operation_id}`, sk: state, task_token, entered_at, retry_count, ttl: epochSeconds(keep_until) },
        ConditionExpression: 'attribute_not_exists(pk) OR entered_at < :entered_at OR (entered_at = :entered_at AND retry_count <= :retry_count)',
        ExpressionAttributeValues: { ':entered_at': entered_at, ':retry_count': retry_count },
      });
      return (await conditionally('parking a token', () => client.send(put))) ? 'parked' : 'superseded';
    },
    readToken: (operation_id, state) => read(`token#${operation_id}`, state, 'task_token'),
  };
}
