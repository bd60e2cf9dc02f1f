import { documentClient } from '../../adapters/aws/dynamodb-client.ts';
import { dynamodbPolicies } from '../../adapters/aws/dynamodb-policies.ts';
import { wired } from '../../adapters/aws/environment.ts';
import { wiredRegistry } from '../../adapters/aws/wired-registry.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { randomIds } from '../../adapters/system/random-ids.ts';
import { powertoolsLog } from '../../observability/powertools-log.ts';
import { buildHandler } from './handler.ts';

const dynamodb = documentClient();
const registry = wiredRegistry(dynamodb, process.env, { clock: systemClock, ids: randomIds });

export const handler = buildHandler({
  policies: dynamodbPolicies(dynamodb, wired(process.env, 'EVENT_LOG_TABLE'), { clock: systemClock, ids: randomIds }),
  callers: registry,
  catalogue: registry,
  workspaces: registry,
  log: powertoolsLog(),
});
