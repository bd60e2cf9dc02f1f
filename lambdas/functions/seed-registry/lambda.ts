import { documentClient } from '../../adapters/aws/dynamodb-client.ts';
import { dynamodbRegistry } from '../../adapters/aws/dynamodb-registry.ts';
import { wired } from '../../adapters/aws/environment.ts';
import { powertoolsLog } from '../../observability/powertools-log.ts';
import { buildHandler } from './handler.ts';

/** The registry of countersign.config.ts, put in place of this name when the function is bundled. */
declare const COUNTERSIGN_REGISTRY: unknown;

export const handler = buildHandler({ registry: dynamodbRegistry(documentClient(), wired(process.env, 'REGISTRY_TABLE')), log: powertoolsLog() }, COUNTERSIGN_REGISTRY);
