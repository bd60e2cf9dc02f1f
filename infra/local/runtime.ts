// The whole of Countersign in one process: the product's own handlers, the same ASL file and the same DynamoDB
// adapters; only the engines underneath differ. Wiring, and nothing else.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { dynamodbEventLog } from '../../lambdas/adapters/aws/dynamodb-event-log.ts';
import { dynamodbOperationList } from '../../lambdas/adapters/aws/dynamodb-operation-list.ts';
import { dynamodbLeases } from '../../lambdas/adapters/aws/dynamodb-leases.ts';
import { dynamodbOpenOperations } from '../../lambdas/adapters/aws/dynamodb-open-operations.ts';
import { dynamodbPolicies } from '../../lambdas/adapters/aws/dynamodb-policies.ts';
import { dynamodbVault } from '../../lambdas/adapters/aws/dynamodb-vault.ts';
import { dynamodbViews } from '../../lambdas/adapters/aws/dynamodb-views.ts';
import { registryAndDirectory } from '../../lambdas/adapters/aws/wired-registry.ts';
import { jsonataConditions } from '../../lambdas/adapters/jsonata/jsonata-conditions.ts';
import { systemClock } from '../../lambdas/adapters/system/clock.ts';
import { randomIds } from '../../lambdas/adapters/system/random-ids.ts';
import { directoryEventSchema } from '../../lambdas/domain/directory/directory-log.ts';
import { eventSchema } from '../../lambdas/domain/events.ts';
import { LIMITS } from '../../lambdas/domain/limits.ts';
import { policyEventSchema } from '../../lambdas/domain/policy/policy-log.ts';
import { parseRegistry, type RegistryInput } from '../../lambdas/domain/registry.ts';
import { tryToStart } from '../../lambdas/execution/start-execution.ts';
import { buildHandler as cancelHandler } from '../../lambdas/functions/cancel-operation/handler.ts';
import { buildFormHandler } from '../../lambdas/functions/decide-operation/form-handler.ts';
import { buildHandler as decideHandler } from '../../lambdas/functions/decide-operation/handler.ts';
import { buildHandler as explainHandler } from '../../lambdas/functions/explain-policy/handler.ts';
import { buildPageHandler as policiesPageHandler } from '../../lambdas/functions/explain-policy/page-handler.ts';
import { buildHandler as toolsHandler } from '../../lambdas/functions/list-tools/handler.ts';
import { buildHandler as directoryHandler } from '../../lambdas/functions/manage-directory/handler.ts';
import { buildHandler as policiesHandler } from '../../lambdas/functions/manage-policies/handler.ts';
import { buildHandler as inboxHandler } from '../../lambdas/functions/list-inbox/handler.ts';
import { buildHandler as parkHandler } from '../../lambdas/functions/park-task-token/handler.ts';
import { buildHandler as readHandler } from '../../lambdas/functions/read-operation/handler.ts';
import { buildHandler as relayHandler } from '../../lambdas/functions/relay-events/handler.ts';
import { buildFormHandler as buildRevealForm } from '../../lambdas/functions/reveal-arguments/form-handler.ts';
import { buildHandler as revealHandler } from '../../lambdas/functions/reveal-arguments/handler.ts';
import { buildHandler as renewHandler } from '../../lambdas/functions/renew-lease/handler.ts';
import { buildHandler as runHandler } from '../../lambdas/functions/run-tool/handler.ts';
import { buildHandler as seedHandler } from '../../lambdas/functions/seed-registry/handler.ts';
import { buildHandler as settleHandler } from '../../lambdas/functions/settle-operation/handler.ts';
import { buildHandler as fullViewHandler } from '../../lambdas/functions/show-full-view/handler.ts';
import { buildPageHandler as fullViewPageHandler } from '../../lambdas/functions/show-full-view/page-handler.ts';
import { buildHandler as pagesHandler } from '../../lambdas/functions/show-pages/handler.ts';
import { buildHandler as submitHandler } from '../../lambdas/functions/submit-operation/handler.ts';
import type { LoggedEvent } from '../../lambdas/ports/event-log.ts';
import type { Publication } from '../../lambdas/ports/event-bus.ts';
import type { GroupsClaim } from '../../lambdas/ports/registry.ts';
import { byRoute } from '../../lambdas/middleware/http-function.ts';
import { loadOperation } from '../../lambdas/record/load-operation.ts';
import { LOCAL_TABLES, openDynamodb } from './embedded-dynamodb.ts';
import { fileFormKeys } from './file-form-keys.ts';
import { fileKeyedHashes } from './file-keyed-hashes.ts';
import { fileLog } from './file-log.ts';
import { httpFront } from './http-front.ts';
import { inFlight } from './in-flight.ts';
import { inProcessTools, type LocalTool } from './in-process-tools.ts';
import { repeatedly } from './repeatedly.ts';
import { openStepFunctions } from './step-functions.ts';

const SWEEP_MILLISECONDS = 200;
const ASL_FILE = new URL('../../statemachines/approval.asl.json', import.meta.url);
const CLOSING_MILLISECONDS = 3000;
const END_OF_TIME = '9999-12-31T23:59:59.999Z';

export interface RuntimeOptions {
  /** Tables, log and key live here; a second start with the same folder goes on where the first was. */
  readonly data_folder: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly registry: RegistryInput;
  /** Seeds: a scope that was changed since keeps its policy. */
  readonly policies: readonly unknown[];
  readonly tools: Readonly<Record<string, LocalTool>>;
  /** As a deployment chooses it; its default unless said. */
  readonly max_pending_per_agent?: number;
  /** Which claim of people's tokens names groups; here the header `X-Local-Groups` fills `groups`. */
  readonly groups_claim?: GroupsClaim;
  readonly onEvent?: (event: LoggedEvent) => void;
}

export interface Runtime {
  readonly url: string;
  readonly waiting: number;
  close(): Promise<void>;
}

export async function startRuntime({ data_folder, port, registry: document, policies: seeds, tools, max_pending_per_agent = LIMITS.pending_per_agent_default, groups_claim, onEvent }: RuntimeOptions): Promise<Runtime> {
  await mkdir(data_folder, { recursive: true });
  const log = fileLog(join(data_folder, 'log.jsonl'));
  const dynamodb = await openDynamodb(join(data_folder, 'tables'));
  const system = { clock: systemClock, ids: randomIds, log };
  const eventLog = dynamodbEventLog(dynamodb.client, LOCAL_TABLES.event_log, eventSchema);
  const vault = dynamodbVault(dynamodb.client, LOCAL_TABLES.vault);
  const views = dynamodbViews(dynamodb.client, LOCAL_TABLES.views);
  const registry = registryAndDirectory(dynamodb.client, LOCAL_TABLES, system, groups_claim);
  const openOperations = dynamodbOpenOperations(dynamodb.client, LOCAL_TABLES.registry);
  const stored = {
    ...system,
    eventLog,
    outbox: eventLog,
    policyLog: dynamodbEventLog(dynamodb.client, LOCAL_TABLES.event_log, policyEventSchema),
    directoryLog: dynamodbEventLog(dynamodb.client, LOCAL_TABLES.event_log, directoryEventSchema),
    policies: dynamodbPolicies(dynamodb.client, LOCAL_TABLES.event_log, system),
    conditions: jsonataConditions(),
    vault,
    results: vault,
    tokens: vault,
    views,
    inbox: views,
    dueList: views,
    recent: views,
    operationList: dynamodbOperationList(dynamodb.client, LOCAL_TABLES.views),
    registry,
    callers: registry,
    tools: registry,
    catalogue: registry,
    directory: registry,
    standIns: registry,
    directoryEditor: registry,
    workspaces: registry,
    scopeCatalogue: registry,
    workspaceCatalogue: registry,
    people: registry,
    callKeys: registry,
    openOperations,
    leases: dynamodbLeases(dynamodb.client, LOCAL_TABLES.views),
    sameCalls: openOperations,
    runs: openOperations,
    formKeys: fileFormKeys(join(data_folder, 'form-key')),
    keyedHashes: fileKeyedHashes(join(data_folder, 'hash-key')),
    invoker: inProcessTools(tools),
    bus: { publish: async (publications: readonly Publication[]) => publications.map(({ event }) => (onEvent?.(event), 'published' as const)) },
  };
  await seedHandler(stored, document, seeds)();

  const flights = inFlight();
  const settle = flights.track(settleHandler(stored));
  const stepFunctions = openStepFunctions({
    definition: readFileSync(ASL_FILE, 'utf8'),
    functions: {
      ParkTaskTokenFunctionArn: flights.track((payload: unknown) => parkHandler({ ...stored, waker: stepFunctions })(payload)),
      RunToolFunctionArn: flights.track(runHandler(stored)),
      SettleOperationFunctionArn: settle,
    },
    // What the status-change rule delivers on AWS.
    onEnded: (name, status) => {
      if (status === 'SUCCEEDED') return;
      settle({ 'detail-type': 'Step Functions Execution Status Change', detail: { name, status } }).catch(() => log.write('CS9002', { operation_id: name, route: 'status-change' }));
    },
  });
  const ports = { ...stored, starter: stepFunctions, waker: stepFunctions };
  const relay = relayHandler(ports, { minimum_age_seconds: 0 });
  const server = httpFront({
    port,
    people: parseRegistry(document).people.map(({ subject }) => subject),
    functions: {
      'submit-operation': flights.track(submitHandler(ports, { max_pending_per_agent })),
      'read-operation': flights.track(readHandler(ports)),
      'decide-operation': flights.track(byRoute({ page: buildFormHandler(ports), api: decideHandler(ports) })),
      'cancel-operation': flights.track(cancelHandler(ports)),
      'renew-lease': flights.track(renewHandler(ports)),
      'list-inbox': flights.track(inboxHandler(ports)),
      'show-full-view': flights.track(byRoute({ page: fullViewPageHandler(ports), api: fullViewHandler(ports) })),
      'reveal-arguments': flights.track(byRoute({ page: buildRevealForm(ports), api: revealHandler(ports) })),
      'show-pages': flights.track(pagesHandler(ports)),
      'manage-directory': flights.track(directoryHandler(ports)),
      'manage-policies': flights.track(policiesHandler(ports)),
      'explain-policy': flights.track(byRoute({ page: policiesPageHandler(ports), api: explainHandler(ports) })),
      'list-tools': flights.track(toolsHandler(ports)),
    },
  });

  // What a crash left unrelayed is relayed before anybody looks.
  await relay({ sweep: true });
  // The engine keeps nothing over a restart: what was open is started again, by name, and goes on waiting.
  const open = await views.due(END_OF_TIME, Infinity);
  for (const operation_id of open) {
    const operation = await loadOperation(eventLog, operation_id);
    if (operation !== undefined) await tryToStart(ports, operation);
  }
  const sweeping = repeatedly(SWEEP_MILLISECONDS, () => relay({ sweep: true }), () => log.write('CS9002', { route: 'sweep' }));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting: open.length,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await sweeping.stop();
      await stepFunctions.close();
      await flights.settled(CLOSING_MILLISECONDS);
      server.closeAllConnections();
      await closed;
      await dynamodb.close();
      await log.close();
    },
  };
}
