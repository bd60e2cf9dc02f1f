// The views as DynamoDB items. Each row carries the sequence that it was made from and only ever moves forward;
// `inbox` and `due` are sparse indexes, so that a closed operation's rows stay as tombstones and are not listed.
import { PutCommand, QueryCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Fault } from '../../domain/faults.ts';
import { isNarrowed, passes } from '../../domain/inbox-filter.ts';
import { parseJson } from '../../domain/json/parse-json.ts';
import { LIMITS } from '../../domain/limits.ts';
import { inboxEntrySchema, type InboxEntry, type OperationViews } from '../../domain/operation-views.ts';
import { epochSeconds, plusSeconds, type Instant } from '../../domain/times.ts';
import type { DueList, Inbox, InboxPage, InboxQuery, RecentOperations, Views } from '../../ports/views.ts';
import { call, conditionally } from './aws-errors.ts';
import { listOf } from './dynamodb-operation-list.ts';
import { mergedPage, type Stretch } from '../../domain/merged-pages.ts';

const DUE_SHARDS = 4;
const DUE_PAGE = 100;
/** How many pages' worth of rows one filtered page may look through. */
const FILTERED_LOOK = 4;

export function dynamodbViews(client: DynamoDBDocumentClient, table: string): Views & Inbox & DueList & RecentOperations {
  const putNewer = async (item: Record<string, unknown> & { readonly sequence: number }): Promise<void> => {
    const put = new PutCommand({
      TableName: table,
      Item: item,
      ConditionExpression: 'attribute_not_exists(pk) OR #sequence < :sequence',
      ExpressionAttributeNames: { '#sequence': 'sequence' },
      ExpressionAttributeValues: { ':sequence': item.sequence },
    });
    await conditionally('writing a view', () => client.send(put));
  };
  return {
    write: async (views) => {
      for (const row of rowsOf(views)) await putNewer(row);
    },
    list: (references, page) => listInbox(client, table, references, page),
    recent: async (workspace_id, most) => {
      const query = new QueryCommand({
        TableName: table,
        IndexName: 'recent',
        KeyConditionExpression: 'workspace_id = :workspace',
        ExpressionAttributeValues: { ':workspace': workspace_id },
        ScanIndexForward: false,
        Limit: most,
      });
      const page = await call('reading recent operations', () => client.send(query));
      return (page.Items ?? []).map((item) => ({ operation_id: String(item['pk']).slice('operation#'.length), requested_at: String(item['requested_at']) }));
    },
    due: async (now, most) => {
      const found: string[] = [];
      for (let shard = 0; shard < DUE_SHARDS; shard += 1) found.push(...(await dueInShard(client, table, String(shard), now, most / DUE_SHARDS)));
      return found;
    },
  };
}

async function dueInShard(client: DynamoDBDocumentClient, table: string, shard: string, now: Instant, most: number): Promise<readonly string[]> {
  const found: string[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const query = new QueryCommand({
      TableName: table,
      IndexName: 'due',
      KeyConditionExpression: 'due_shard = :shard AND due_at <= :now',
      ExpressionAttributeValues: { ':shard': shard, ':now': now },
      Limit: Math.min(DUE_PAGE, Math.ceil(most)),
      ExclusiveStartKey: start,
    });
    const page = await call('reading what is due', () => client.send(query));
    found.push(...(page.Items ?? []).map((item) => String(item['pk']).slice('operation#'.length)));
    start = page.LastEvaluatedKey;
  } while (start !== undefined && found.length < most);
  return found;
}

function rowsOf({ operation_id, workspace_id, sequence, due_at, inboxes, requested_at, summary, entry, review }: OperationViews): (Record<string, unknown> & { sequence: number })[] {
  const shard = String(parseInt(operation_id.slice(-1), 16) % DUE_SHARDS);
  const order = `${requested_at}#${operation_id}`;
  // Tombstones only have to outlive a stalled relay; the log can always make the rows again.
  const ttl = epochSeconds(plusSeconds(requested_at, LIMITS.vault_keep_seconds));
  const own = { pk: `operation#${operation_id}`, sequence, ttl, listed_order: order };
  return [
    {
      ...own,
      sk: 'summary',
      listed_in: listOf(workspace_id),
      summary: JSON.stringify(summary),
      workspace_id,
      requested_at,
      ...(due_at === undefined ? {} : { due_shard: shard, due_at }),
    },
    // A row of its own: one row stands in an index once, and this index lists by workspace and by status.
    { ...own, sk: 'status', listed_in: listOf(workspace_id, summary.status) },
    ...inboxes.map((inbox) => {
      const shown = inbox === review?.inbox ? review.entry : entry;
      return { pk: `inbox#${inbox}`, sk: order, sequence, ttl, ...(shown === undefined ? {} : { inbox, inbox_order: order, entry: JSON.stringify(shown) }) };
    }),
  ];
}

/**
 * One query a reference, at most `limit + 1` rows each, `FILTERED_LOOK` times that where a filter may let most of them go:
 * what else is pending costs nothing. A filter that lets few pass makes short pages, and never a longer look.
 */
async function listInbox(client: DynamoDBDocumentClient, table: string, references: readonly string[], { limit, cursor, filter = {} }: InboxQuery): Promise<InboxPage> {
  const look = (limit + 1) * (isNarrowed(filter) ? FILTERED_LOOK : 1);
  const stretches = await Promise.all(
    references.map(async (reference): Promise<Stretch<InboxEntry>> => {
      const query = new QueryCommand({
        TableName: table,
        IndexName: 'inbox',
        KeyConditionExpression: 'inbox = :inbox AND inbox_order > :after',
        // Every order starts with a year: this sorts before the first of them.
        ExpressionAttributeValues: { ':inbox': reference, ':after': cursor ?? '0' },
        Limit: look,
      });
      const { Items = [], LastEvaluatedKey } = await call('reading an inbox', () => client.send(query));
      const rows = Items.map((item) => [String(item['inbox_order']), parseEntry(item['entry'])] as const);
      // DynamoDB ends a page at 1 MB too, so that fewer rows than asked for do not mean that there are no more.
      return { rows: rows.filter(([, entry]) => passes(entry, filter)), ...(LastEvaluatedKey === undefined ? {} : { looked_to: String(LastEvaluatedKey['inbox_order']) }) };
    }),
  );
  const { rows, cursor: next } = mergedPage(stretches, limit, 'oldest_first');
  return { entries: rows, ...(next === undefined ? {} : { cursor: next }) };
}

function parseEntry(stored: unknown): InboxEntry {
  const parsed = typeof stored === 'string' ? inboxEntrySchema.safeParse(parseJson(stored)) : undefined;
  if (parsed?.success !== true) throw new Fault('CorruptRecord', 'an inbox row is not as the relay writes it');
  return parsed.data;
}
