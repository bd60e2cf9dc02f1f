import { documentClient } from '../../adapters/aws/dynamodb-client.ts';
import { dynamodbEventLog } from '../../adapters/aws/dynamodb-event-log.ts';
import { wired } from '../../adapters/aws/environment.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { randomIds } from '../../adapters/system/random-ids.ts';
import { eventSchema } from '../../domain/events.ts';
import { powertoolsLog } from '../../observability/powertools-log.ts';
import { buildHandler } from './handler.ts';

export const handler = buildHandler({
  eventLog: dynamodbEventLog(documentClient(), wired(process.env, 'EVENT_LOG_TABLE'), eventSchema),
  clock: systemClock,
  ids: randomIds,
  log: powertoolsLog(),
});
