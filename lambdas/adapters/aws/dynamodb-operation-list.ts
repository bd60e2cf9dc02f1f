// The operations of workspaces, newest first. The `listed` index holds keys only, so that many workspaces can be merged for
// little; the summaries of what is shown, and of nothing else, are then read from their rows.
import { BatchGetCommand, QueryCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Fault } from '../../domain/faults.ts';
import { parseJson } from '../../domain/json/parse-json.ts';
import type { Status } from '../../domain/operation.ts';
import { operationSummarySchema, type OperationSummary } from '../../domain/operation-views.ts';
import type { OperationList, OperationQuery } from '../../ports/views.ts';
import { call } from './aws-errors.ts';
import { mergedPage, type Stretch } from '../../domain/merged-pages.ts';

/** Sorts after every order, which starts with a digit. */
const NEWEST = '~';

/** The lists that an operation stands in. The status comes first: a workspace may have any name. */
export function listOf(workspace_id: string, status?: Status): string {
  return status === undefined ? `workspace#${workspace_id}` : `status#${status}#${workspace_id}`;
}

export function dynamodbOperationList(client: DynamoDBDocumentClient, table: string): OperationList {
  return {
    listOperations: async (workspaces, query) => {
      const stretches = await Promise.all(workspaces.map((workspace) => newestIn(client, table, listOf(workspace, query.status), query)));
      const { rows, cursor } = mergedPage(stretches, query.limit, 'newest_first');
      const summaries = await summariesOf(client, table, rows);
      // Read after the index, so that what has moved on since is not shown under the status that it had there.
      const operations = rows.flatMap((pk) => summaries.get(pk) ?? []).filter(({ status }) => (query.status ?? status) === status);
      return { operations, ...(cursor === undefined ? {} : { cursor }) };
    },
  };
}

/** One query of one row more than the page. What is older than `since` ends the list; the row that showed it was read all the same. */
async function newestIn(client: DynamoDBDocumentClient, table: string, list: string, { limit, cursor, since = '' }: OperationQuery): Promise<Stretch<string>> {
  const query = new QueryCommand({
    TableName: table,
    IndexName: 'listed',
    KeyConditionExpression: 'listed_in = :list AND listed_order < :before',
    ExpressionAttributeValues: { ':list': list, ':before': cursor ?? NEWEST },
    ScanIndexForward: false,
    Limit: limit + 1,
  });
  const { Items = [], LastEvaluatedKey } = await call('listing operations', () => client.send(query));
  const read = Items.map((item) => [String(item['listed_order']), String(item['pk'])] as const);
  const rows = read.filter(([order]) => order >= since);
  return { rows, ...(LastEvaluatedKey === undefined || rows.length < read.length ? {} : { looked_to: String(LastEvaluatedKey['listed_order']) }) };
}

async function summariesOf(client: DynamoDBDocumentClient, table: string, pks: readonly string[]): Promise<ReadonlyMap<string, OperationSummary>> {
  if (pks.length === 0) return new Map();
  const get = new BatchGetCommand({ RequestItems: { [table]: { Keys: pks.map((pk) => ({ pk, sk: 'summary' })), ProjectionExpression: 'pk, summary', ConsistentRead: true } } });
  const { Responses, UnprocessedKeys } = await call('reading summaries', () => client.send(get));
  if (Object.keys(UnprocessedKeys ?? {}).length > 0) throw new Fault('Unavailable', 'not every summary could be read now');
  return new Map((Responses?.[table] ?? []).map((item) => [String(item['pk']), parseSummary(item['summary'])]));
}

function parseSummary(stored: unknown): OperationSummary {
  const parsed = typeof stored === 'string' ? operationSummarySchema.safeParse(parseJson(stored)) : undefined;
  if (parsed?.success !== true) throw new Fault('CorruptRecord', 'a summary is not as the relay writes it');
  return parsed.data;
}
