import { KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { documentClient } from '../../adapters/aws/dynamodb-client.ts';
import { dynamodbEventLog } from '../../adapters/aws/dynamodb-event-log.ts';
import { dynamodbPolicies } from '../../adapters/aws/dynamodb-policies.ts';
import { dynamodbRegistry } from '../../adapters/aws/dynamodb-registry.ts';
import { dynamodbVault } from '../../adapters/aws/dynamodb-vault.ts';
import { wired } from '../../adapters/aws/environment.ts';
import { kmsKeyedHashes } from '../../adapters/aws/kms-keyed-hashes.ts';
import { lambdaToolInvoker } from '../../adapters/aws/lambda-tool-invoker.ts';
import { jsonataConditions } from '../../adapters/jsonata/jsonata-conditions.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { randomIds } from '../../adapters/system/random-ids.ts';
import { eventSchema } from '../../domain/events.ts';
import { powertoolsLog } from '../../observability/powertools-log.ts';
import { buildHandler } from './handler.ts';

const dynamodb = documentClient();
const eventLogTable = wired(process.env, 'EVENT_LOG_TABLE');
const registry = dynamodbRegistry(dynamodb, wired(process.env, 'REGISTRY_TABLE'));
const vault = dynamodbVault(dynamodb, wired(process.env, 'VAULT_TABLE'));

export const handler = buildHandler({
  eventLog: dynamodbEventLog(dynamodb, eventLogTable, eventSchema),
  vault,
  results: vault,
  tokens: vault,
  tools: registry,
  workspaces: registry,
  keyedHashes: kmsKeyedHashes(new KMSClient({}), wired(process.env, 'HASH_KEY_ARN')),
  invoker: lambdaToolInvoker(new LambdaClient({ maxAttempts: 1 })),
  policies: dynamodbPolicies(dynamodb, eventLogTable, { clock: systemClock, ids: randomIds }),
  conditions: jsonataConditions(),
  clock: systemClock,
  ids: randomIds,
  log: powertoolsLog(),
});
