// Tools, workspaces and call keys as DynamoDB rows, one key prefix a kind, read consistently: what counts is the registry
// of this moment. People, programs and groups are the directory's.
import { DeleteCommand, GetCommand, PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { Fault } from '../../domain/faults.ts';
import { parseJson } from '../../domain/json/parse-json.ts';
import { toolSchema, workspaceSchema, type RegistryDocument } from '../../domain/registry.ts';
import { epochSeconds } from '../../domain/times.ts';
import type { CallKeys, ClaimedCall, Directory, RegistryStore, ToolCatalogue, ToolRegistry, WorkspaceCatalogue, Workspaces } from '../../ports/registry.ts';
import { call, conditionally } from './aws-errors.ts';

const DOCUMENT = 'document#registry';
const ROW = 'row';

const documentRow = z.object({ keys: z.array(z.string()) });
const listRow = z.array(z.string());
const claimedCallRow = z.object({ operation_id: z.string(), tool: z.string(), arguments_hash: z.string() });

export function dynamodbRegistry(client: DynamoDBDocumentClient, table: string): ToolRegistry & ToolCatalogue & Pick<Directory, 'organisationOf'> & Omit<Workspaces, 'widerScopes'> & WorkspaceCatalogue & CallKeys & RegistryStore {
  const get = async <S extends z.ZodType>(pk: string, schema: S): Promise<z.output<S> | undefined> => {
    const { Item } = await call('reading the registry', () => client.send(new GetCommand({ TableName: table, Key: { pk, sk: ROW }, ConsistentRead: true })));
    if (Item === undefined) return undefined;
    const value: unknown = Item['value'];
    const parsed = typeof value === 'string' ? schema.safeParse(parseJson(value)) : undefined;
    if (parsed?.success !== true) throw new Fault('CorruptRecord', `the registry row ${pk} is not as it was stored`);
    return parsed.data;
  };
  const put = async (pk: string, value: unknown): Promise<void> => {
    await call('writing the registry', () => client.send(new PutCommand({ TableName: table, Item: { pk, sk: ROW, value: JSON.stringify(value) } })));
  };
  return {
    tool: (name) => get(`tool#${name}`, toolSchema),
    tools: async () => {
      const keys = ((await get(DOCUMENT, documentRow))?.keys ?? []).filter((key) => key.startsWith('tool#')).sort();
      return (await Promise.all(keys.map((key) => get(key, toolSchema)))).flatMap((tool) => tool ?? []);
    },
    organisationOf: async (workspace_id) => (await get(`workspace#${workspace_id}`, workspaceSchema))?.org_id,
    workspace: (workspace_id) => get(`workspace#${workspace_id}`, workspaceSchema),
    workspacesOf: async (org_id) => (await get(`organisation#${org_id}`, listRow)) ?? [],
    workspaceIds: async () => ((await get(DOCUMENT, documentRow))?.keys ?? []).filter((key) => key.startsWith('workspace#')).map((key) => key.slice('workspace#'.length)).sort(),
    claimCall: async (key, mine, keep_until) => {
      const Item = { pk: `call#${key}`, sk: ROW, value: JSON.stringify(mine), ttl: epochSeconds(keep_until) };
      const first = new PutCommand({ TableName: table, Item, ConditionExpression: 'attribute_not_exists(pk)' });
      if (await conditionally('claiming a call key', () => client.send(first))) return mine;
      const standing: ClaimedCall | undefined = await get(`call#${key}`, claimedCallRow);
      if (standing === undefined) throw new Fault('Unavailable', 'the call key went away between two looks');
      return standing;
    },
    replace: async (document) => {
      const rows = rowsOf(document);
      const before = (await get(DOCUMENT, documentRow))?.keys ?? [];
      // The keys are named before their rows stand, so that whatever a cut-off seed leaves is found by the next.
      await put(DOCUMENT, { keys: [...new Set([...before, ...rows.keys()])] });
      for (const [pk, value] of rows) await put(pk, value);
      const stale = before.filter((pk) => !rows.has(pk));
      for (const pk of stale) await call('removing a registry row', () => client.send(new DeleteCommand({ TableName: table, Key: { pk, sk: ROW } })));
      await put(DOCUMENT, { keys: [...rows.keys()] });
      return { rows: rows.size, removed: stale.length };
    },
  };
}

function rowsOf(document: RegistryDocument): ReadonlyMap<string, unknown> {
  const rows = new Map<string, unknown>();
  for (const workspace of document.workspaces) rows.set(`workspace#${workspace.id}`, workspace);
  for (const org of new Set(document.workspaces.map(({ org_id }) => org_id))) rows.set(`organisation#${org}`, document.workspaces.filter(({ org_id }) => org_id === org).map(({ id }) => id));
  for (const tool of document.tools) rows.set(`tool#${tool.name}`, tool);
  return rows;
}
