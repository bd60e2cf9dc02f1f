import { documentClient } from '../../adapters/aws/dynamodb-client.ts';
import { dynamodbOperationList } from '../../adapters/aws/dynamodb-operation-list.ts';
import { dynamodbViews } from '../../adapters/aws/dynamodb-views.ts';
import { wired } from '../../adapters/aws/environment.ts';
import { wiredRegistry } from '../../adapters/aws/wired-registry.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { randomIds } from '../../adapters/system/random-ids.ts';
import { powertoolsLog } from '../../observability/powertools-log.ts';
import { buildHandler } from './handler.ts';

const dynamodb = documentClient();
const viewsTable = wired(process.env, 'VIEWS_TABLE');
const registry = wiredRegistry(dynamodb, process.env, { clock: systemClock, ids: randomIds });

export const handler = buildHandler({
  inbox: dynamodbViews(dynamodb, viewsTable),
  operationList: dynamodbOperationList(dynamodb, viewsTable),
  callers: registry,
  standIns: registry,
  workspaceCatalogue: registry,
  clock: systemClock,
  log: powertoolsLog(),
});
