import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { documentClient } from '../../adapters/aws/dynamodb-client.ts';
import { dynamodbEventLog } from '../../adapters/aws/dynamodb-event-log.ts';
import { dynamodbViews } from '../../adapters/aws/dynamodb-views.ts';
import { wired } from '../../adapters/aws/environment.ts';
import { secretsFormKeys } from '../../adapters/aws/secrets-form-keys.ts';
import { wiredRegistry } from '../../adapters/aws/wired-registry.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { randomIds } from '../../adapters/system/random-ids.ts';
import { eventSchema } from '../../domain/events.ts';
import { powertoolsLog } from '../../observability/powertools-log.ts';
import { buildHandler } from './handler.ts';

const dynamodb = documentClient();
const registry = wiredRegistry(dynamodb, process.env, { clock: systemClock, ids: randomIds });

export const handler = buildHandler({
  eventLog: dynamodbEventLog(dynamodb, wired(process.env, 'EVENT_LOG_TABLE'), eventSchema),
  inbox: dynamodbViews(dynamodb, wired(process.env, 'VIEWS_TABLE')),
  callers: registry,
  directory: registry,
  standIns: registry,
  formKeys: secretsFormKeys(new SecretsManagerClient({}), wired(process.env, 'FORM_KEY_SECRET_ARN')),
  clock: systemClock,
  log: powertoolsLog(),
});
