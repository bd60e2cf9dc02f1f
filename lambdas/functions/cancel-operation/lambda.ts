import { SFNClient } from '@aws-sdk/client-sfn';
import { documentClient } from '../../adapters/aws/dynamodb-client.ts';
import { dynamodbEventLog } from '../../adapters/aws/dynamodb-event-log.ts';
import { dynamodbOpenOperations } from '../../adapters/aws/dynamodb-open-operations.ts';
import { dynamodbVault } from '../../adapters/aws/dynamodb-vault.ts';
import { wired } from '../../adapters/aws/environment.ts';
import { stepFunctionsWaker } from '../../adapters/aws/step-functions.ts';
import { wiredRegistry } from '../../adapters/aws/wired-registry.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { randomIds } from '../../adapters/system/random-ids.ts';
import { eventSchema } from '../../domain/events.ts';
import { powertoolsLog } from '../../observability/powertools-log.ts';
import { buildHandler } from './handler.ts';

const dynamodb = documentClient();
const openOperations = dynamodbOpenOperations(dynamodb, wired(process.env, 'REGISTRY_TABLE'));

export const handler = buildHandler({
  eventLog: dynamodbEventLog(dynamodb, wired(process.env, 'EVENT_LOG_TABLE'), eventSchema),
  tokens: dynamodbVault(dynamodb, wired(process.env, 'VAULT_TABLE')),
  openOperations,
  runs: openOperations,
  callers: wiredRegistry(dynamodb, process.env, { clock: systemClock, ids: randomIds }),
  waker: stepFunctionsWaker(new SFNClient({})),
  clock: systemClock,
  ids: randomIds,
  log: powertoolsLog(),
});
