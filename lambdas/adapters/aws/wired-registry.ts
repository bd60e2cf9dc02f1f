// The registry of tools and workspaces and the directory of people, as one: whoever must know who is asking needs both.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { Fault } from '../../domain/faults.ts';
import type { GroupsClaim } from '../../ports/registry.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import { dynamodbDirectory } from './dynamodb-directory.ts';
import { dynamodbRegistry } from './dynamodb-registry.ts';
import { wired } from './environment.ts';
import { policyScopes } from './policy-scopes.ts';

const groupsClaim = z.strictObject({ claim: z.string().min(1), max_age_seconds: z.int().min(1) });

export function wiredRegistry(client: DynamoDBDocumentClient, environment: Readonly<Record<string, string | undefined>>, system: { readonly clock: Clock; readonly ids: Ids }) {
  const tables = { event_log: wired(environment, 'EVENT_LOG_TABLE'), registry: wired(environment, 'REGISTRY_TABLE') };
  return registryAndDirectory(client, tables, system, groupsClaimIn(environment['GROUPS_CLAIM']));
}

export function registryAndDirectory(client: DynamoDBDocumentClient, tables: { readonly event_log: string; readonly registry: string }, system: { readonly clock: Clock; readonly ids: Ids }, groups_claim?: GroupsClaim) {
  const [registry, directory] = [dynamodbRegistry(client, tables.registry), dynamodbDirectory(client, tables, system, groups_claim)];
  return { ...registry, ...directory, ...policyScopes(registry, directory) };
}

/** Not wired in: no token names a group. Wired in badly: nobody is let in on a guess. */
function groupsClaimIn(text: string | undefined): GroupsClaim | undefined {
  if (text === undefined) return undefined;
  try {
    return groupsClaim.parse(JSON.parse(text));
  } catch (cause) {
    throw new Fault('Misconfigured', 'GROUPS_CLAIM cannot be read', { cause });
  }
}
