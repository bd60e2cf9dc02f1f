// The event log as DynamoDB items: `pk` = operation_id, `sk` = event#000001 …. Appending is one conditional PutItem;
// the outbox is the same item, found through the sparse index `unpublished` until it is marked.
import { PutCommand, QueryCommand, UpdateCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { SealedEvent } from '../../domain/chain.ts';
import { Fault } from '../../domain/faults.ts';
import { parseJson } from '../../domain/json/parse-json.ts';
import type { Instant } from '../../domain/times.ts';
import type { EventLog, LoggedEvent, NewestEvent, Outbox, StoredEvent } from '../../ports/event-log.ts';
import { call, conditionally } from './aws-errors.ts';

const OUTBOX_SHARDS = 4;
const SWEEP_PAGE = 100;
const SWEEP_PAGES = 20;

const itemSchema = z.object({ pk: z.string(), sk: z.string(), event: z.string(), append_id: z.string(), published_at: z.string().optional(), rejected_at: z.string().optional() });

/** One table holds the logs of operations and of policies; `schema` says which of them this one reads. */
export function dynamodbEventLog<E extends LoggedEvent>(client: DynamoDBDocumentClient, table: string, schema: z.ZodType<E>): EventLog<E> & NewestEvent<E> & Outbox {
  return {
    load: (subject) => load(client, table, schema, subject),
    newest: (subject) => newest(client, table, schema, subject),
    lastSequence: (subject) => lastSequence(client, table, subject),
    append: (sealed, append_id) => append(client, table, sealed, append_id),
    unpublished: (stored_before) => unpublished(client, table, stored_before),
    markRelayed: (event, how, at) => markRelayed(client, table, event, how, at),
  };
}

async function load<E extends LoggedEvent>(client: DynamoDBDocumentClient, table: string, schema: z.ZodType<E>, subject: string): Promise<readonly StoredEvent<E>[]> {
  const stored: StoredEvent<E>[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await call('loading events', () => client.send(new QueryCommand({ ...eventsOf(table, subject), ExclusiveStartKey: start })));
    for (const item of page.Items ?? []) stored.push(parseItem(item, schema, stored.length + 1));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return stored;
}

async function newest<E extends LoggedEvent>(client: DynamoDBDocumentClient, table: string, schema: z.ZodType<E>, subject: string): Promise<StoredEvent<E> | undefined> {
  const page = await call('reading the newest event', () => client.send(new QueryCommand({ ...eventsOf(table, subject), ScanIndexForward: false, Limit: 1 })));
  const item = page.Items?.[0];
  return item === undefined ? undefined : parseItem(item, schema, sequenceOf(item['sk']));
}

function eventsOf(table: string, subject: string) {
  return {
    TableName: table,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :event)',
    ExpressionAttributeValues: { ':pk': subject, ':event': 'event#' },
    ConsistentRead: true,
  };
}

function parseItem<E extends LoggedEvent>(item: Record<string, unknown>, schema: z.ZodType<E>, expected: number): StoredEvent<E> {
  const row = itemSchema.safeParse(item);
  if (!row.success || row.data.sk !== sortKey(expected)) throw new Fault('CorruptRecord', `event ${expected} is missing or is not a stored event`);
  const { event: text, append_id, published_at, rejected_at } = row.data;
  const event = readable(text, schema);
  if (event?.success !== true) throw new Fault('CorruptRecord', `${row.data.pk}/${expected} is not an event of the catalogue`);
  return { event: event.data, text, append_id, relayed: published_at !== undefined || rejected_at !== undefined };
}

async function lastSequence(client: DynamoDBDocumentClient, table: string, subject: string): Promise<number> {
  const query = new QueryCommand({ ...eventsOf(table, subject), ProjectionExpression: 'sk', ScanIndexForward: false, Limit: 1 });
  const page = await call('reading the last event', () => client.send(query));
  return sequenceOf(page.Items?.[0]?.['sk']);
}

async function append(client: DynamoDBDocumentClient, table: string, { event, text }: SealedEvent<LoggedEvent>, append_id: string): Promise<'appended' | 'conflict'> {
  const sk = sortKey(event.data.sequence);
  const item = { pk: event.subject, sk, event: text, append_id, unpublished_shard: shardOf(event.subject), unpublished_since: event.time };
  const put = new PutCommand({ TableName: table, Item: item, ConditionExpression: 'attribute_not_exists(pk)' });
  if (await conditionally('appending an event', () => client.send(put))) return 'appended';
  // A lost reply makes the client send the same put again, and that one fails on our own event.
  const standing = await call('reading the event that stands', () =>
    client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND sk = :sk',
        ExpressionAttributeValues: { ':pk': event.subject, ':sk': sk },
        ProjectionExpression: 'append_id',
        ConsistentRead: true,
      }),
    ),
  );
  return standing.Items?.[0]?.['append_id'] === append_id ? 'appended' : 'conflict';
}

async function unpublished(client: DynamoDBDocumentClient, table: string, stored_before: Instant): Promise<readonly string[]> {
  const found = new Set<string>();
  for (let shard = 0; shard < OUTBOX_SHARDS; shard += 1) for (const subject of await unpublishedInShard(client, table, String(shard), stored_before)) found.add(subject);
  return [...found];
}

/** Several pages: what cannot be relayed stays in front, and must not hide what stands behind it. */
async function unpublishedInShard(client: DynamoDBDocumentClient, table: string, shard: string, stored_before: Instant): Promise<readonly string[]> {
  const subjects: string[] = [];
  let start: Record<string, unknown> | undefined;
  for (let pages = 0; pages < SWEEP_PAGES; pages += 1) {
    const query = new QueryCommand({
      TableName: table,
      IndexName: 'unpublished',
      KeyConditionExpression: 'unpublished_shard = :shard AND unpublished_since <= :before',
      ExpressionAttributeValues: { ':shard': shard, ':before': stored_before },
      Limit: SWEEP_PAGE,
      ExclusiveStartKey: start,
    });
    const page = await call('reading the outbox', () => client.send(query));
    subjects.push(...(page.Items ?? []).map((item) => String(item['pk'])));
    start = page.LastEvaluatedKey;
    if (start === undefined) break;
  }
  return subjects;
}

async function markRelayed(client: DynamoDBDocumentClient, table: string, event: LoggedEvent, how: 'published' | 'rejected', at: Instant): Promise<void> {
  const mark = new UpdateCommand({
    TableName: table,
    Key: { pk: event.subject, sk: sortKey(event.data.sequence) },
    UpdateExpression: `SET ${how}_at = :at REMOVE unpublished_shard, unpublished_since`,
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':at': at },
  });
  if (!(await conditionally('marking an event', () => client.send(mark)))) throw new Fault('CorruptRecord', `${event.id} is not in the log`);
}

function sortKey(sequence: number): string {
  return `event#${String(sequence).padStart(6, '0')}`;
}

function readable<E>(text: string, schema: z.ZodType<E>): z.ZodSafeParseResult<E> | undefined {
  try {
    return schema.safeParse(parseJson(text));
  } catch {
    return undefined;
  }
}

function sequenceOf(sk: unknown): number {
  return typeof sk === 'string' ? Number(sk.slice('event#'.length)) : 0;
}

/** Operation ids end in random hex, so their last character spreads them; all events of one subject share a shard. */
function shardOf(subject: string): string {
  return String(subject.charCodeAt(subject.length - 1) % OUTBOX_SHARDS);
}
