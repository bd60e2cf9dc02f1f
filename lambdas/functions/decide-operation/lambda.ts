import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SFNClient } from '@aws-sdk/client-sfn';
import { documentClient } from '../../adapters/aws/dynamodb-client.ts';
import { dynamodbEventLog } from '../../adapters/aws/dynamodb-event-log.ts';
import { dynamodbLeases } from '../../adapters/aws/dynamodb-leases.ts';
import { dynamodbPolicies } from '../../adapters/aws/dynamodb-policies.ts';
import { dynamodbVault } from '../../adapters/aws/dynamodb-vault.ts';
import { wired } from '../../adapters/aws/environment.ts';
import { secretsFormKeys } from '../../adapters/aws/secrets-form-keys.ts';
import { stepFunctionsWaker } from '../../adapters/aws/step-functions.ts';
import { wiredRegistry } from '../../adapters/aws/wired-registry.ts';
import { jsonataConditions } from '../../adapters/jsonata/jsonata-conditions.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { randomIds } from '../../adapters/system/random-ids.ts';
import { eventSchema } from '../../domain/events.ts';
import { powertoolsLog } from '../../observability/powertools-log.ts';
import { buildFormHandler } from './form-handler.ts';
import { buildHandler } from './handler.ts';
import { byRoute } from '../../middleware/http-function.ts';

const dynamodb = documentClient();
const eventLogTable = wired(process.env, 'EVENT_LOG_TABLE');
const vault = dynamodbVault(dynamodb, wired(process.env, 'VAULT_TABLE'));
const registry = wiredRegistry(dynamodb, process.env, { clock: systemClock, ids: randomIds });
const ports = {
  eventLog: dynamodbEventLog(dynamodb, eventLogTable, eventSchema),
  tokens: vault,
  vault,
  callers: registry,
  directory: registry,
  tools: registry,
  workspaces: registry,
  leases: dynamodbLeases(dynamodb, wired(process.env, 'VIEWS_TABLE')),
  formKeys: secretsFormKeys(new SecretsManagerClient({}), wired(process.env, 'FORM_KEY_SECRET_ARN')),
  waker: stepFunctionsWaker(new SFNClient({})),
  policies: dynamodbPolicies(dynamodb, eventLogTable, { clock: systemClock, ids: randomIds }),
  conditions: jsonataConditions(),
  clock: systemClock,
  ids: randomIds,
  log: powertoolsLog(),
};

export const handler = byRoute({ page: buildFormHandler(ports), api: buildHandler(ports) });
