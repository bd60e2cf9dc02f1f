import { documentClient } from '../../adapters/aws/dynamodb-client.ts';
import { dynamodbEventLog } from '../../adapters/aws/dynamodb-event-log.ts';
import { dynamodbLeases } from '../../adapters/aws/dynamodb-leases.ts';
import { wired } from '../../adapters/aws/environment.ts';
import { wiredRegistry } from '../../adapters/aws/wired-registry.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { randomIds } from '../../adapters/system/random-ids.ts';
import { eventSchema } from '../../domain/events.ts';
import { powertoolsLog } from '../../observability/powertools-log.ts';
import { buildHandler } from './handler.ts';

const dynamodb = documentClient();

export const handler = buildHandler({
  eventLog: dynamodbEventLog(dynamodb, wired(process.env, 'EVENT_LOG_TABLE'), eventSchema),
  leases: dynamodbLeases(dynamodb, wired(process.env, 'VIEWS_TABLE')),
  callers: wiredRegistry(dynamodb, process.env, { clock: systemClock, ids: randomIds }),
  clock: systemClock,
  log: powertoolsLog(),
});
