// Rows of the registry's table by which entries of the directory are found. A row is only a hint: it is written before the
// append that needs it and taken away after the one that ends it, so a crash leaves one too many and never one too few.
import { DeleteCommand, GetCommand, PutCommand, QueryCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Identity, ListName } from '../../domain/directory/lookups.ts';
import { Fault } from '../../domain/faults.ts';
import { call, conditionally } from './aws-errors.ts';

const ROW = 'row';

const identityRow = z.object({ subject: z.string(), revision: z.int(), claimed_at: z.int() });
const listRow = z.object({ sk: z.string(), revision: z.int(), leaving_at: z.int().optional() });

export type IdentityHint = z.infer<typeof identityRow>;
export interface ListHint {
  readonly subject: string;
  readonly revision: number;
  readonly leaving_at: number | undefined;
}

export type DirectoryHints = ReturnType<typeof directoryHints>;

export function directoryHints(client: DynamoDBDocumentClient, table: string) {
  const identityKey = (identity: Identity) => ({ pk: `identity#${identity}`, sk: ROW });
  const put = (Item: Record<string, unknown>, condition: string, values: Record<string, unknown>) =>
    conditionally('writing a directory hint', () => client.send(new PutCommand({ TableName: table, Item, ConditionExpression: condition, ExpressionAttributeValues: values })));
  const remove = (Key: Record<string, string>, condition: string, values: Record<string, unknown>) =>
    conditionally('removing a directory hint', () => client.send(new DeleteCommand({ TableName: table, Key, ConditionExpression: condition, ExpressionAttributeValues: values })));
  const page = async (list: ListName, Limit: number | undefined, after: string | undefined) => {
    const query = new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'pk = :list',
      ExpressionAttributeValues: { ':list': list },
      ConsistentRead: true,
      ...(Limit === undefined ? {} : { Limit }),
      ...(after === undefined ? {} : { ExclusiveStartKey: { pk: list, sk: after } }),
    });
    const { Items = [], LastEvaluatedKey } = await call('reading the directory', () => client.send(query));
    const hints = Items.map((item): ListHint => {
      const { sk, revision, leaving_at } = readable(listRow, item, list);
      return { subject: sk, revision, leaving_at };
    });
    return { hints, cursor: LastEvaluatedKey === undefined ? undefined : String(LastEvaluatedKey['sk']) };
  };
  return {
    page,
    everyone: async (list: ListName): Promise<readonly ListHint[]> => {
      const found: ListHint[] = [];
      let after: string | undefined;
      do {
        const { hints, cursor } = await page(list, undefined, after);
        found.push(...hints);
        after = cursor;
      } while (after !== undefined);
      return found;
    },
    holder: async (identity: Identity): Promise<IdentityHint | undefined> => {
      const get = new GetCommand({ TableName: table, Key: identityKey(identity), ConsistentRead: true });
      const { Item } = await call('reading the directory', () => client.send(get));
      return Item === undefined ? undefined : readable(identityRow, Item, identity);
    },
    /** False where somebody else holds it, or this subject for a newer revision. The same claim again makes it young again. */
    claim: (identity: Identity, hint: IdentityHint) =>
      put({ ...identityKey(identity), ...hint }, 'attribute_not_exists(pk) OR (subject = :subject AND revision <= :revision)', { ':subject': hint.subject, ':revision': hint.revision }),
    /** Only from the very hint that was looked at. */
    takeOver: (identity: Identity, hint: IdentityHint, stale: IdentityHint) =>
      put({ ...identityKey(identity), ...hint }, 'subject = :subject AND revision = :revision AND claimed_at = :claimed_at', { ':subject': stale.subject, ':revision': stale.revision, ':claimed_at': stale.claimed_at }),
    release: (identity: Identity, subject: string, revision: number) => remove(identityKey(identity), 'subject = :subject AND revision < :revision', { ':subject': subject, ':revision': revision }),
    enlist: (list: ListName, subject: string, revision: number) => put({ pk: list, sk: subject, revision }, 'attribute_not_exists(pk) OR revision < :revision', { ':revision': revision }),
    /** Not where a later revision came back onto the list meanwhile. */
    strike: (list: ListName, subject: string, revision: number) => remove({ pk: list, sk: subject }, 'revision < :revision', { ':revision': revision }),
    /** Over the very hint that was looked at; without a time the mark goes again. */
    markLeaving: (list: ListName, { subject, revision }: ListHint, leaving_at: number | undefined) =>
      put({ pk: list, sk: subject, revision, ...(leaving_at === undefined ? {} : { leaving_at }) }, 'revision = :revision', { ':revision': revision }),
  };
}

function readable<S extends z.ZodType>(schema: S, item: unknown, where: string): z.output<S> {
  const row = schema.safeParse(item);
  if (!row.success) throw new Fault('CorruptRecord', `the directory hint ${where} is not as it was stored`);
  return row.data;
}
