import { documentClient } from '../../adapters/aws/dynamodb-client.ts';
import { dynamodbRegistry } from '../../adapters/aws/dynamodb-registry.ts';
import { dynamodbViews } from '../../adapters/aws/dynamodb-views.ts';
import { wired } from '../../adapters/aws/environment.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { powertoolsLog } from '../../observability/powertools-log.ts';
import { buildHandler } from './handler.ts';

const dynamodb = documentClient();

export const handler = buildHandler({
  inbox: dynamodbViews(dynamodb, wired(process.env, 'VIEWS_TABLE')),
  callers: dynamodbRegistry(dynamodb, wired(process.env, 'REGISTRY_TABLE')),
  clock: systemClock,
  log: powertoolsLog(),
});
