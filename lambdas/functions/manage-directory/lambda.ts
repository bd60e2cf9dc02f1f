import { documentClient } from '../../adapters/aws/dynamodb-client.ts';
import { wiredRegistry } from '../../adapters/aws/wired-registry.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { randomIds } from '../../adapters/system/random-ids.ts';
import { powertoolsLog } from '../../observability/powertools-log.ts';
import { buildHandler } from './handler.ts';

const registry = wiredRegistry(documentClient(), process.env, { clock: systemClock, ids: randomIds });

export const handler = buildHandler({
  directoryEditor: registry,
  callers: registry,
  workspaces: registry,
  clock: systemClock,
  log: powertoolsLog(),
});
