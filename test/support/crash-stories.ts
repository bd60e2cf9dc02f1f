// Whole lives of one operation, told so that they can be cut off at any effect: the people and the agent in them come
// back when they got no answer (or do not), and afterwards the same promises must hold whatever was cut.
import { expect } from 'vitest';
import { argumentsHash } from '../../lambdas/domain/binding.ts';
import { isClosed, type Status } from '../../lambdas/domain/operation.ts';
import type { Asked } from './gateway-events.ts';
import { corridor, type Reply, type ReplyBody } from './in-memory-corridor.ts';
import { injector, type CrashPoint } from './crash-points.ts';
import { inMemoryPorts } from './in-memory-ports.ts';

export type Patience = 'comes back' | 'gives up';

interface Stage {
  readonly corridor: ReturnType<typeof corridor>;
  /** Asks once, and once more where no answer came and the asker is patient. */
  readonly ask: (asked: Asked) => Promise<Reply | undefined>;
}

export interface Story {
  readonly title: string;
  readonly tool: string;
  /** What happens once the operation is proposed and everything that goes on by itself has gone on. */
  readonly then: (stage: Stage, operation: ReplyBody) => Promise<unknown>;
  /** What it comes to where nothing is cut. */
  readonly ends: Status;
  readonly before?: (stage: Stage) => void;
  /** Further members of the proposal; its scope is that of every story, in this run. */
  readonly more?: Readonly<Record<string, unknown>> & { readonly run_id?: string };
}

export interface Ending {
  readonly status: Status | 'never stored';
  readonly events: readonly string[];
  readonly runs: number;
  readonly effects: readonly string[];
  /** The effect that was cut, as `port.method`. */
  readonly struck: string | undefined;
}

const ARGUMENTS = { amount: 5, to: 'c-1' };
const CANONICAL = '{"amount":5,"to":"c-1"}';

export function vote(operation: ReplyBody, as: string, decision: 'approve' | 'deny' = 'approve', arguments_hash: string = operation.arguments_hash): Asked {
  return { route: 'POST /api/operations/{id}/decisions', as, id: operation.operation_id, body: { arguments_hash, decision } };
}

export function cancelling(operation: ReplyBody): Asked {
  return { route: 'POST /agent/operations/{id}/cancel', as: 'agent:billing-bot', id: operation.operation_id, body: {} };
}

/** Tells the story with one cut, or whole, and holds the end to every promise. */
export async function play(story: Story, point: CrashPoint | undefined, patience: Patience): Promise<Ending> {
  const inject = injector(point);
  const ports = inMemoryPorts();
  const stage: Stage = { corridor: corridor({ ports, inject }), ask: (asked) => ask(asked) };
  const ask = async (asked: Asked): Promise<Reply | undefined> => {
    const first = await stage.corridor.http(asked);
    if (first.status < 500) return first;
    return patience === 'comes back' ? stage.corridor.http(asked) : undefined;
  };
  story.before?.(stage);
  const { run_id, ...more } = story.more ?? {};
  const scope = { workspace_id: 'w1', agent_id: 'billing-bot', ...(run_id === undefined ? {} : { run_id }) };
  const proposed = await ask({ route: 'POST /agent/operations', as: 'agent:billing-bot', body: { tool: story.tool, arguments: ARGUMENTS, call_id: 'call-1', scope, ...more } });
  await stage.corridor.quiet();
  if (proposed !== undefined) await story.then(stage, proposed.body);
  await stage.corridor.toTheEnd();
  return promisesKept(stage, proposed?.body.operation_id, inject.seen, point);
}

async function promisesKept({ corridor: { ports, executions, eventsOf, operationOf } }: Stage, told_id: string | undefined, effects: readonly string[], point: CrashPoint | undefined): Promise<Ending> {
  const { eventLog, bus, invoker, vault, dueList, inbox, leases } = ports;
  const ids = new Set(eventLog.texts().map((text) => (JSON.parse(text) as { subject: string }).subject));
  expect(ids.size, 'one operation').toBeLessThanOrEqual(1);
  const [operation_id] = ids;
  const struck = point === undefined ? undefined : effects[point.effect - 1];
  if (told_id !== undefined) expect(operation_id, 'the operation that was told').toBe(told_id);
  expect((await inbox.list(['user:ana', 'user:ben', 'group:finance'], { limit: 9 })).entries, 'nobody is asked any more').toEqual([]);
  if (operation_id === undefined) {
    expect([bus.taken.length, executions.starts.length, invoker.ledger.length], 'nothing half done').toEqual([0, 0, 0]);
    return { status: 'never stored', events: [], runs: 0, effects, struck };
  }
  const events = await eventsOf(operation_id);
  const types = events.map(({ type }) => type);
  const operation = await operationOf(operation_id);
  const count = (type: string): number => types.filter((each) => each === type).length;
  expect(isClosed(operation), 'it is over').toBe(true);
  expect(await dueList.due('9999', 9), 'nothing is due any more').toEqual([]);
  expect(await leases.lapsedLeases('9999', 9), 'no lease is left').toEqual([]);
  expect(vault.argumentsKept().get(operation_id)?.value, 'no operation without its arguments').toBe(CANONICAL);
  for (const decided of ['approval.granted', 'approval.denied', 'approval.cancelled', 'tool.started', 'tool.completed']) expect(count(decided), decided).toBeLessThanOrEqual(1);
  expect(new Set(bus.taken.map(({ event }) => event.id)), 'every event is published').toEqual(new Set(events.map(({ id }) => id)));
  for (const { event, text } of bus.taken) expect(text, 'the same event under the same id').toBe(eventLog.texts()[event.data.sequence - 1]);
  expect((await eventLog.load(operation_id)).every(({ relayed }) => relayed), 'the outbox is empty').toBe(true);
  expect(executions.starts.length, 'one execution').toBeLessThanOrEqual(1);
  expect(executions.walk(operation_id), 'no execution is left waiting').toMatch(/never started|Done$/);
  for (const run of invoker.ledger) expect(argumentsHash(run.arguments), 'the bytes that ran').toBe(operation.opening.operation.arguments_hash);
  const runs = invoker.ledger.length;
  if (!operation.opening.details.idempotent) expect(runs, 'at most one run').toBeLessThanOrEqual(count('tool.started'));
  if (runs > 0) expect(['completed', 'failed', 'unknown'], 'a run is never hidden').toContain(operation.status);
  if (operation.status === 'completed') expect(runs, 'nothing is completed that did not run').toBeGreaterThan(0);
  return { status: operation.status, events: types, runs, effects, struck };
}
