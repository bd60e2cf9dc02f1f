import { documentClient } from '../../adapters/aws/dynamodb-client.ts';
import { dynamodbPolicies } from '../../adapters/aws/dynamodb-policies.ts';
import { wired } from '../../adapters/aws/environment.ts';
import { wiredRegistry } from '../../adapters/aws/wired-registry.ts';
import { jsonataConditions } from '../../adapters/jsonata/jsonata-conditions.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { randomIds } from '../../adapters/system/random-ids.ts';
import { powertoolsLog } from '../../observability/powertools-log.ts';
import { buildHandler } from './handler.ts';

/** The registry of countersign.config.ts and the files of policies/, put in place of these names when bundled. */
declare const COUNTERSIGN_REGISTRY: unknown;
declare const COUNTERSIGN_POLICIES: unknown;

const dynamodb = documentClient();
const registry = wiredRegistry(dynamodb, process.env, { clock: systemClock, ids: randomIds });

export const handler = buildHandler(
  {
    registry,
    directoryEditor: registry,
    policies: dynamodbPolicies(dynamodb, wired(process.env, 'EVENT_LOG_TABLE'), { clock: systemClock, ids: randomIds }),
    workspaces: registry,
    people: registry,
    conditions: jsonataConditions(),
    log: powertoolsLog(),
  },
  COUNTERSIGN_REGISTRY,
  COUNTERSIGN_POLICIES,
);
