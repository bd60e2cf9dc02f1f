import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { documentClient } from '../../adapters/aws/dynamodb-client.ts';
import { dynamodbEventLog } from '../../adapters/aws/dynamodb-event-log.ts';
import { dynamodbRegistry } from '../../adapters/aws/dynamodb-registry.ts';
import { dynamodbViews } from '../../adapters/aws/dynamodb-views.ts';
import { wired } from '../../adapters/aws/environment.ts';
import { secretsFormKeys } from '../../adapters/aws/secrets-form-keys.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { eventSchema } from '../../domain/events.ts';
import { powertoolsLog } from '../../observability/powertools-log.ts';
import { buildHandler } from './handler.ts';

const dynamodb = documentClient();
const registry = dynamodbRegistry(dynamodb, wired(process.env, 'REGISTRY_TABLE'));

export const handler = buildHandler({
  eventLog: dynamodbEventLog(dynamodb, wired(process.env, 'EVENT_LOG_TABLE'), eventSchema),
  inbox: dynamodbViews(dynamodb, wired(process.env, 'VIEWS_TABLE')),
  callers: registry,
  directory: registry,
  formKeys: secretsFormKeys(new SecretsManagerClient({}), wired(process.env, 'FORM_KEY_SECRET_ARN')),
  clock: systemClock,
  log: powertoolsLog(),
});
