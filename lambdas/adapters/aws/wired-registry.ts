// The registry of tools and workspaces and the directory of people, as one: whoever must know who is asking needs both.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock, Ids } from '../../ports/system.ts';
import { dynamodbDirectory } from './dynamodb-directory.ts';
import { dynamodbRegistry } from './dynamodb-registry.ts';
import { wired } from './environment.ts';

export function wiredRegistry(client: DynamoDBDocumentClient, environment: Readonly<Record<string, string | undefined>>, system: { readonly clock: Clock; readonly ids: Ids }) {
  const registry = wired(environment, 'REGISTRY_TABLE');
  return { ...dynamodbRegistry(client, registry), ...dynamodbDirectory(client, { event_log: wired(environment, 'EVENT_LOG_TABLE'), registry }, system) };
}
