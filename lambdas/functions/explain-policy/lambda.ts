import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { documentClient } from '../../adapters/aws/dynamodb-client.ts';
import { dynamodbEventLog } from '../../adapters/aws/dynamodb-event-log.ts';
import { dynamodbPolicies } from '../../adapters/aws/dynamodb-policies.ts';
import { dynamodbVault } from '../../adapters/aws/dynamodb-vault.ts';
import { dynamodbViews } from '../../adapters/aws/dynamodb-views.ts';
import { wired } from '../../adapters/aws/environment.ts';
import { secretsFormKeys } from '../../adapters/aws/secrets-form-keys.ts';
import { wiredRegistry } from '../../adapters/aws/wired-registry.ts';
import { jsonataConditions } from '../../adapters/jsonata/jsonata-conditions.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { randomIds } from '../../adapters/system/random-ids.ts';
import { eventSchema } from '../../domain/events.ts';
import { byRoute } from '../../middleware/http-function.ts';
import { powertoolsLog } from '../../observability/powertools-log.ts';
import { buildHandler } from './handler.ts';
import { buildPageHandler } from './page-handler.ts';

const dynamodb = documentClient();
const registry = wiredRegistry(dynamodb, process.env, { clock: systemClock, ids: randomIds });
const eventLogTable = wired(process.env, 'EVENT_LOG_TABLE');

const ports = {
  policies: dynamodbPolicies(dynamodb, eventLogTable, { clock: systemClock, ids: randomIds }),
  eventLog: dynamodbEventLog(dynamodb, eventLogTable, eventSchema),
  vault: dynamodbVault(dynamodb, wired(process.env, 'VAULT_TABLE')),
  recent: dynamodbViews(dynamodb, wired(process.env, 'VIEWS_TABLE')),
  callers: registry,
  tools: registry,
  directory: registry,
  workspaces: registry,
  scopeCatalogue: registry,
  people: registry,
  conditions: jsonataConditions(),
  formKeys: secretsFormKeys(new SecretsManagerClient({}), wired(process.env, 'FORM_KEY_SECRET_ARN')),
  clock: systemClock,
  log: powertoolsLog(),
};

export const handler = byRoute({ page: buildPageHandler(ports), api: buildHandler(ports) });
