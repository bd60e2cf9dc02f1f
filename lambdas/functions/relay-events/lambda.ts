import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SFNClient } from '@aws-sdk/client-sfn';
import { documentClient } from '../../adapters/aws/dynamodb-client.ts';
import { dynamodbEventLog } from '../../adapters/aws/dynamodb-event-log.ts';
import { dynamodbLeases } from '../../adapters/aws/dynamodb-leases.ts';
import { dynamodbOpenOperations } from '../../adapters/aws/dynamodb-open-operations.ts';
import { dynamodbVault } from '../../adapters/aws/dynamodb-vault.ts';
import { dynamodbViews } from '../../adapters/aws/dynamodb-views.ts';
import { wired } from '../../adapters/aws/environment.ts';
import { eventBridgeBus } from '../../adapters/aws/eventbridge-bus.ts';
import { stepFunctionsStarter, stepFunctionsWaker } from '../../adapters/aws/step-functions.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { randomIds } from '../../adapters/system/random-ids.ts';
import { directoryEventSchema } from '../../domain/directory/directory-log.ts';
import { eventSchema } from '../../domain/events.ts';
import { policyEventSchema } from '../../domain/policy/policy-log.ts';
import { powertoolsLog } from '../../observability/powertools-log.ts';
import { buildHandler } from './handler.ts';

/** Younger events are on their way through the stream; the sweep leaves them to it. */
const MINIMUM_AGE_SECONDS = 30;

const dynamodb = documentClient();
const stepFunctions = new SFNClient({});
const eventLogTable = wired(process.env, 'EVENT_LOG_TABLE');
const eventLog = dynamodbEventLog(dynamodb, eventLogTable, eventSchema);
const openOperations = dynamodbOpenOperations(dynamodb, wired(process.env, 'REGISTRY_TABLE'));
const views = dynamodbViews(dynamodb, wired(process.env, 'VIEWS_TABLE'));

export const handler = buildHandler(
  {
    eventLog,
    outbox: eventLog,
    policyLog: dynamodbEventLog(dynamodb, eventLogTable, policyEventSchema),
    directoryLog: dynamodbEventLog(dynamodb, eventLogTable, directoryEventSchema),
    views,
    dueList: views,
    openOperations,
    leases: dynamodbLeases(dynamodb, wired(process.env, 'VIEWS_TABLE')),
    runs: openOperations,
    bus: eventBridgeBus(new EventBridgeClient({}), wired(process.env, 'EVENT_BUS_NAME')),
    tokens: dynamodbVault(dynamodb, wired(process.env, 'VAULT_TABLE')),
    starter: stepFunctionsStarter(stepFunctions, wired(process.env, 'STATE_MACHINE_ARN')),
    waker: stepFunctionsWaker(stepFunctions),
    clock: systemClock,
    ids: randomIds,
    log: powertoolsLog(),
  },
  { minimum_age_seconds: MINIMUM_AGE_SECONDS },
);
