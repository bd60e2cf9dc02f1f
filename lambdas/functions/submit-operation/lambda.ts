import { KMSClient } from '@aws-sdk/client-kms';
import { SFNClient } from '@aws-sdk/client-sfn';
import { documentClient } from '../../adapters/aws/dynamodb-client.ts';
import { dynamodbEventLog } from '../../adapters/aws/dynamodb-event-log.ts';
import { dynamodbOpenOperations } from '../../adapters/aws/dynamodb-open-operations.ts';
import { dynamodbPolicies } from '../../adapters/aws/dynamodb-policies.ts';
import { dynamodbVault } from '../../adapters/aws/dynamodb-vault.ts';
import { wired } from '../../adapters/aws/environment.ts';
import { kmsKeyedHashes } from '../../adapters/aws/kms-keyed-hashes.ts';
import { stepFunctionsStarter } from '../../adapters/aws/step-functions.ts';
import { wiredRegistry } from '../../adapters/aws/wired-registry.ts';
import { jsonataConditions } from '../../adapters/jsonata/jsonata-conditions.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { randomIds } from '../../adapters/system/random-ids.ts';
import { eventSchema } from '../../domain/events.ts';
import { powertoolsLog } from '../../observability/powertools-log.ts';
import { buildHandler } from './handler.ts';

const dynamodb = documentClient();
const eventLogTable = wired(process.env, 'EVENT_LOG_TABLE');
const registry = wiredRegistry(dynamodb, process.env, { clock: systemClock, ids: randomIds });
const openOperations = dynamodbOpenOperations(dynamodb, wired(process.env, 'REGISTRY_TABLE'));

const ports = {
  eventLog: dynamodbEventLog(dynamodb, eventLogTable, eventSchema),
  vault: dynamodbVault(dynamodb, wired(process.env, 'VAULT_TABLE')),
  callers: registry,
  tools: registry,
  directory: registry,
  callKeys: registry,
  openOperations,
  sameCalls: openOperations,
  runs: openOperations,
  workspaces: registry,
  keyedHashes: kmsKeyedHashes(new KMSClient({}), wired(process.env, 'HASH_KEY_ARN')),
  starter: stepFunctionsStarter(new SFNClient({}), wired(process.env, 'STATE_MACHINE_ARN')),
  policies: dynamodbPolicies(dynamodb, eventLogTable, { clock: systemClock, ids: randomIds }),
  conditions: jsonataConditions(),
  clock: systemClock,
  ids: randomIds,
  log: powertoolsLog(),
};

export const handler = buildHandler(ports, { max_pending_per_agent: Number(wired(process.env, 'MAX_PENDING_PER_AGENT')) });
