// The product's own handlers over ports in memory, one fresh invocation at a time, and the outside that calls them:
// API Gateway, the stream, the sweep's schedule, Step Functions. What runs without AWS and without waiting.
import type { OperationEvent } from '../../lambdas/domain/events.ts';
import { isClosed, type Operation } from '../../lambdas/domain/operation.ts';
import { buildHandler as cancel } from '../../lambdas/functions/cancel-operation/handler.ts';
import { buildHandler as decide } from '../../lambdas/functions/decide-operation/handler.ts';
import { buildHandler as explain } from '../../lambdas/functions/explain-policy/handler.ts';
import { buildHandler as listInbox } from '../../lambdas/functions/list-inbox/handler.ts';
import { buildHandler as listTools } from '../../lambdas/functions/list-tools/handler.ts';
import { buildHandler as managePolicies } from '../../lambdas/functions/manage-policies/handler.ts';
import { buildHandler as park } from '../../lambdas/functions/park-task-token/handler.ts';
import { buildHandler as read } from '../../lambdas/functions/read-operation/handler.ts';
import { buildHandler as relay } from '../../lambdas/functions/relay-events/handler.ts';
import { buildHandler as renew } from '../../lambdas/functions/renew-lease/handler.ts';
import { buildHandler as reveal } from '../../lambdas/functions/reveal-arguments/handler.ts';
import { buildHandler as run } from '../../lambdas/functions/run-tool/handler.ts';
import { buildHandler as settle } from '../../lambdas/functions/settle-operation/handler.ts';
import { buildHandler as showFullView } from '../../lambdas/functions/show-full-view/handler.ts';
import { buildHandler as submit } from '../../lambdas/functions/submit-operation/handler.ts';
import type { SubmitSettings } from '../../lambdas/functions/submit-operation/submit-operation.ts';
import type { HttpHandler } from '../../lambdas/middleware/http-function.ts';
import { loadOperation } from '../../lambdas/record/load-operation.ts';
import { injector, type Injector } from './crash-points.ts';
import { gatewayEvent, type Asked } from './gateway-events.ts';
import { inMemoryPorts, type Ports } from './in-memory-ports.ts';

/** What tests look at by name; the rest of a body is reached through `body` all the same. */
export interface ReplyBody extends Readonly<Record<string, unknown>> {
  readonly operation_id: string;
  readonly status: string | number;
  readonly arguments_hash: string;
  readonly code: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReplyBody;
}

const HTTP: Readonly<Record<string, (ports: Ports, settings: SubmitSettings) => HttpHandler>> = {
  'POST /agent/operations': submit,
  'GET /agent/operations/{id}': read,
  'GET /agent/operations/{id}/events': read,
  'POST /agent/operations/{id}/cancel': cancel,
  'POST /agent/operations/{id}/renew': renew,
  'GET /agent/runs/{run_id}': read,
  'POST /agent/runs/{run_id}/cancel': cancel,
  'GET /api/inbox': listInbox,
  'GET /api/operations': listInbox,
  'GET /api/operations/{id}': read,
  'GET /api/operations/{id}/events': read,
  'POST /api/operations/{id}/decisions': decide,
  'POST /api/operations/{id}/extend': decide,
  'POST /api/operations/{id}/break-glass': decide,
  'POST /api/operations/{id}/break-glass/review': decide,
  'POST /api/decisions': decide,
  'POST /api/operations/{id}/cancel': cancel,
  'GET /api/operations/{id}/full': showFullView,
  'POST /api/operations/{id}/reveal': reveal,
  'GET /agent/tools': listTools,
  'GET /api/policies/{scope}': managePolicies,
  'PUT /api/policies/{scope}': managePolicies,
  'DELETE /api/policies/{scope}': managePolicies,
  'GET /api/agents/{id}/tools/{tool}': managePolicies,
  'PUT /api/agents/{id}/tools/{tool}': managePolicies,
  'POST /api/policies/explain': explain,
  'POST /api/policies/simulate': explain,
};

/** A stream batch as Lambda delivers it, one INSERT per event of these operations unless told otherwise. */
export function streamBatch(records: readonly { readonly pk: string; readonly sk: string; readonly number: string; readonly eventName?: string }[]): object {
  return {
    Records: records.map(({ pk, sk, number, eventName = 'INSERT' }) => ({
      eventID: `event-${number}`,
      eventName,
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'eu-central-1',
      dynamodb: { ApproximateCreationDateTime: 1793610000, Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: number, SizeBytes: 1024, StreamViewType: 'KEYS_ONLY' },
      eventSourceARN: 'arn:aws:dynamodb:eu-central-1:123456789012:table/EventLog/stream/2026-11-01T00:00:00.000',
    })),
  };
}

export function corridor({ ports = inMemoryPorts(), inject = injector(), max_pending_per_agent = 100 }: { readonly ports?: Ports; readonly inject?: Injector; readonly max_pending_per_agent?: number } = {}) {
  const alive = (): Ports => inject.invocation(ports);
  const executions = ports.starter;

  const http = async (asked: Asked): Promise<Reply> => {
    const handler = HTTP[asked.route];
    if (handler === undefined) throw new Error(`no handler stands behind ${asked.route}`);
    const { statusCode = 200, headers = {}, body = '' } = await handler(alive(), { max_pending_per_agent })(gatewayEvent(asked));
    return { status: statusCode, headers: headers as Record<string, string>, body: JSON.parse(body === '' ? '{}' : body) as ReplyBody };
  };
  const tasks = { park: (payload: unknown) => park(alive())(payload), run: (payload: unknown) => run(alive())(payload), settle: (payload: unknown) => settle(alive())(payload) };
  const relaying = (payload: unknown, minimum_age_seconds = 0) => relay(alive(), { minimum_age_seconds })(payload);

  const propose = (tool: string, args: unknown, more: Readonly<Record<string, unknown>> = {}, as = 'agent:billing-bot'): Promise<Reply> =>
    http({ route: 'POST /agent/operations', as, body: { tool, arguments: args, scope: { workspace_id: 'w1', agent_id: 'billing-bot' }, ...more } });
  const vote = (operation: Reply['body'], as: string, decision: 'approve' | 'deny' = 'approve', more: Readonly<Record<string, unknown>> = {}): Promise<Reply> =>
    http({ route: 'POST /api/operations/{id}/decisions', as, id: operation.operation_id, body: { arguments_hash: operation.arguments_hash, decision, ...more } });
  const eventsOf = async (operation_id: string): Promise<readonly OperationEvent[]> => (await ports.eventLog.load(operation_id)).map(({ event }) => event);
  const operationOf = async (operation_id: string): Promise<Operation> => {
    const operation = await loadOperation(ports.eventLog, operation_id);
    if (operation === undefined) throw new Error(`${operation_id} is not stored`);
    return operation;
  };

  /** Everything that goes on by itself at this moment: state machine and sweep, until neither has more to do. */
  const quiet = async (): Promise<void> => {
    for (let rounds = 0; rounds < 200; rounds += 1) {
      const before = progress(ports);
      while (await executions.turn(tasks));
      await relaying({ sweep: true }).catch(() => undefined);
      if (progress(ports) === before) return;
    }
    throw new Error('it goes in circles');
  };
  const left = async (): Promise<number> => (await ports.dueList.due('9999-12-31T00:00:00.000Z', Infinity)).length + (await ports.outbox.unpublished('9999-12-31T00:00:00.000Z')).length;
  /** Lets time pass from timer to timer until no execution waits, no operation is open and no event is left to tell. */
  const toTheEnd = async (): Promise<void> => {
    for (let timers = 0; timers < 100; timers += 1) {
      await quiet();
      const next = executions.nextTimer();
      if (next !== undefined) await ports.clock.set(next);
      else if ((await left()) > 0) await ports.clock.advance(3600_000);
      else return;
    }
    throw new Error('it never ends');
  };
  const isOver = async (operation_id: string): Promise<boolean> => isClosed(await operationOf(operation_id));

  return { ports, executions, http, tasks, relay: relaying, propose, vote, eventsOf, operationOf, quiet, toTheEnd, isOver };
}

/** What is done again for want of an acknowledgement is no progress. */
function progress({ eventLog, bus, starter, waker, invoker }: Ports): string {
  const { starts } = starter;
  const { wakes, tokens } = waker;
  return [eventLog.texts().length, new Set(bus.taken.map(({ event }) => event.id)).size, starts.length, wakes.length, tokens.length, invoker.ledger.length].join(' ');
}
