// Open lists, identical calls and runs as rows of the registry table, under key prefixes of their own. Every read is
// consistent: what was written before the read began is seen, which is what the cap and the cancelling of runs rest on.
import { DeleteCommand, GetCommand, PutCommand, QueryCommand, type DynamoDBDocumentClient, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { actorSchema } from '../../domain/events.ts';
import { Fault } from '../../domain/faults.ts';
import { parseJson } from '../../domain/json/parse-json.ts';
import { epochSeconds, type Instant } from '../../domain/times.ts';
import type { OpenOperations, Place, Runs, SameCalls } from '../../ports/open-operations.ts';
import { call, conditionally } from './aws-errors.ts';

const ROW = 'row';
const LIST_PAGE = 500;

const placeRow = z.object({ operation_id: z.string(), attempt: z.string(), joined_at: z.string() });
const sameRow = z.object({ value: z.string() });
const cancelledSchema = z.object({ cancelled_at: z.string(), actor: actorSchema, comment: z.string().optional() });

export function dynamodbOpenOperations(client: DynamoDBDocumentClient, table: string): OpenOperations & SameCalls & Runs {
  const read = async (pk: string): Promise<Record<string, unknown> | undefined> => {
    const { Item } = await call('reading an open list', () => client.send(new GetCommand({ TableName: table, Key: { pk, sk: ROW }, ConsistentRead: true })));
    return Item;
  };
  const query = async (list: string, more: Pick<QueryCommandInput, 'ExclusiveStartKey' | 'Limit'>, beginning = ''): Promise<{ readonly places: readonly (Place & { joined_at: Instant })[]; readonly next: QueryCommandInput['ExclusiveStartKey'] }> => {
    const input = {
      TableName: table,
      KeyConditionExpression: beginning === '' ? 'pk = :list' : 'pk = :list AND begins_with(sk, :beginning)',
      ExpressionAttributeValues: { ':list': `open#${list}`, ...(beginning === '' ? {} : { ':beginning': beginning }) },
      ConsistentRead: true,
      ...more,
    };
    const page = await call('reading an open list', () => client.send(new QueryCommand(input)));
    return { places: (page.Items ?? []).map(placeOf), next: page.LastEvaluatedKey };
  };
  const leave = async (list: string, place: Place): Promise<void> => {
    await call('leaving an open list', () => client.send(new DeleteCommand({ TableName: table, Key: { pk: `open#${list}`, sk: orderOf(place) } })));
  };
  return {
    join: async (list, { operation_id, attempt, joined_at }, keep_until) => {
      const Item = { pk: `open#${list}`, sk: orderOf({ operation_id, attempt }), operation_id, attempt, joined_at, ttl: epochSeconds(keep_until) };
      await call('joining an open list', () => client.send(new PutCommand({ TableName: table, Item })));
    },
    leave,
    leaveAll: async (list, operation_id) => {
      // No page of one operation's places is ever full: each is an attempt at one proposal.
      for (const place of (await query(list, {}, `${operation_id}#`)).places) await leave(list, place);
    },
    listed: async (list, most) => {
      const places: (Place & { joined_at: Instant })[] = [];
      let start: QueryCommandInput['ExclusiveStartKey'];
      do {
        const page = await query(list, { ExclusiveStartKey: start, Limit: LIST_PAGE });
        places.push(...page.places);
        start = page.next;
      } while (start !== undefined && new Set(places.map(({ operation_id }) => operation_id)).size < most);
      return places;
    },
    claimSame: async (same, mine, over, keep_until) => {
      const pk = `same#${same}`;
      const put = new PutCommand({
        TableName: table,
        Item: { pk, sk: ROW, value: mine, ttl: epochSeconds(keep_until) },
        ConditionExpression: over === undefined ? 'attribute_not_exists(pk)' : 'attribute_not_exists(pk) OR #value = :over',
        ...(over === undefined ? {} : { ExpressionAttributeNames: { '#value': 'value' }, ExpressionAttributeValues: { ':over': over } }),
      });
      if (await conditionally('claiming an identical call', () => client.send(put))) return mine;
      const standing = await read(pk);
      if (standing === undefined) throw new Fault('Unavailable', 'the identical call went away between two looks');
      return parsed(sameRow, standing).value;
    },
    beginRun: async (run, keep_until) => {
      const put = new PutCommand({ TableName: table, Item: { pk: `run#${run}`, sk: ROW, ttl: epochSeconds(keep_until) }, ConditionExpression: 'attribute_not_exists(pk)' });
      await conditionally('beginning a run', () => client.send(put));
    },
    run: async (run) => {
      const standing = await read(`run#${run}`);
      if (standing?.['value'] === undefined) return standing === undefined ? undefined : {};
      const { comment, ...cancelled } = parsed(cancelledSchema, typeof standing['value'] === 'string' ? parseJson(standing['value']) : undefined);
      return { cancelled: { ...cancelled, ...(comment === undefined ? {} : { comment }) } };
    },
    cancelRun: async (run, cancelled, keep_until) => {
      const put = new PutCommand({
        TableName: table,
        Item: { pk: `run#${run}`, sk: ROW, value: JSON.stringify(cancelled), ttl: epochSeconds(keep_until) },
        ConditionExpression: 'attribute_not_exists(#value)',
        ExpressionAttributeNames: { '#value': 'value' },
      });
      await conditionally('cancelling a run', () => client.send(put));
    },
  };
}

function orderOf({ operation_id, attempt }: Place): string {
  return `${operation_id}#${attempt}`;
}

function placeOf(item: Record<string, unknown>): Place & { joined_at: Instant } {
  return parsed(placeRow, item);
}

function parsed<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (!result.success) throw new Fault('CorruptRecord', 'a row of an open list is not as it was stored');
  return result.data;
}
