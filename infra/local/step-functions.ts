// Step Functions on this machine: the product's own definition on aws-local-stepfunctions. It follows AWS where that can be seen:
// a name is used once for ever, a token works once and dies with its attempt, a function's error is known by its name only.
// All of it lives in memory: after a restart every name is free again, and what still waits has to be started again.
import { StateMachine, type RunOptions, type StateMachineDefinition } from 'aws-local-stepfunctions';
import { Fault } from '../../lambdas/domain/faults.ts';
import type { ExecutionInput, ExecutionStarter, TaskWaker } from '../../lambdas/ports/executions.ts';
import { loadDefinition, type LoadedMachine, type TaskInput } from './asl-loading.ts';
import { named, openTaskAttempts, uncatchable, type Attempt, type LocalFunction, type TaskAttempts, type Visit } from './task-attempts.ts';

export type EndStatus = 'SUCCEEDED' | 'FAILED' | 'ABORTED';

export interface StepFunctionsOptions {
  /** The text of the ASL file, its `${…}` substitutions still in it. */
  readonly definition: string;
  /** By substitution name, such as `ParkTaskTokenFunctionArn`. They take and give JSON. */
  readonly functions: Readonly<Record<string, LocalFunction>>;
  readonly random?: (bytes: number) => Uint8Array;
  /** Instead of every pause between retries, so that tests need not sit them out. */
  readonly retry_pause_ms?: number;
  /** Not called for what `close` aborts: the end of this program is the end of no operation. */
  onEnded?(name: string, status: EndStatus, error?: string): void;
  state_entered?(execution: string, state: string): void;
}

/**
 * `start` answers `exists` to every name that was ever started here, whatever its input and whether it still runs. (AWS answers a
 * running name with the same input by success, any other used name by ExecutionAlreadyExists. To our port they are all `exists`.)
 */
export interface LocalStepFunctions extends ExecutionStarter, TaskWaker {
  running(): readonly string[];
  stop(name: string): void;
  close(): Promise<void>;
}

interface Execution {
  readonly name: string;
  readonly visit: Visit;
  readonly abort: () => void;
  readonly ended: Promise<void>;
}

export function openStepFunctions(options: StepFunctionsOptions): LocalStepFunctions {
  const machine = loadDefinition(options.definition, Object.keys(options.functions));
  const attempts = openTaskAttempts(options.functions, options.random);
  const executions = new Map<string, Execution>();
  const used = new Set<string>();
  let closed = false;

  const refuseIfClosed = (): void => {
    if (closed) throw new Fault('Unavailable', 'The local Step Functions are closed');
  };
  const onEnded = (name: string, status: EndStatus, error?: string): void => {
    executions.delete(name);
    if (!closed) options.onEnded?.(name, status, error);
  };
  const wake = (task_token: string, end: (attempt: Attempt) => void): 'woken' | 'dead' => {
    refuseIfClosed();
    const attempt = attempts.waitingOn(task_token);
    if (attempt === undefined) return 'dead';
    end(attempt);
    return 'woken';
  };

  return {
    async start(input) {
      refuseIfClosed();
      if (used.has(input.operation_id)) return 'exists';
      used.add(input.operation_id);
      executions.set(input.operation_id, launch(machine, attempts, input, { ...options, onEnded }));
      return 'started';
    },
    succeed: async (task_token) => wake(task_token, (attempt) => attempt.succeed({})),
    fail: async (task_token, error) => wake(task_token, (attempt) => attempt.fail(named(error))),
    running: () => [...executions.keys()],
    stop(name) {
      const execution = executions.get(name);
      if (execution !== undefined) halt(execution);
    },
    async close() {
      closed = true;
      const last = [...executions.values()];
      last.forEach(halt);
      await Promise.all(last.map(({ ended }) => ended));
    },
  };
}

function halt({ visit, abort }: Execution): void {
  visit.stopped = true;
  abort();
  visit.attempt?.fail(uncatchable('Local.Stopped')); // or the engine's own timer would outlive the execution
}

type Launch = Pick<StepFunctionsOptions, 'retry_pause_ms' | 'state_entered'> & Required<Pick<StepFunctionsOptions, 'onEnded'>>;
type EngineInput = Parameters<StateMachine['run']>[0];

function launch(machine: LoadedMachine, attempts: TaskAttempts, input: ExecutionInput, options: Launch): Execution {
  const name = input.operation_id;
  const visit: Visit = { state: '', entered_at_ms: 0, retry_count: 0, token: '', stopped: false };
  const definition = noticing(machine.definition, (state) => {
    if (visit.stopped) return;
    attempts.enter(visit, state);
    options.state_entered?.(name, state);
  });
  const handlers = [...machine.tasks].map(([state, task]) => [state, (given: unknown) => attempts.answer(visit, task, given as TaskInput) as Promise<EngineInput>] as const);
  const { abort, result } = new StateMachine(definition, { validationOptions: { noValidate: true } }).run(structuredClone(input) as unknown as EngineInput, {
    overrides: { taskResourceLocalHandlers: Object.fromEntries(handlers), retryIntervalOverrides: pauses(machine, options.retry_pause_ms) },
    noThrowOnAbort: true,
    context: contextOf(name, visit),
  });
  const ended = result.then(
    () => options.onEnded(name, visit.stopped ? 'ABORTED' : 'SUCCEEDED'),
    (error: unknown) => options.onEnded(name, 'FAILED', error instanceof Error && error.cause instanceof Error ? error.cause.name : undefined),
  );
  return { name, visit, abort, ended };
}

/** -1 leaves the pause that the definition asks for. The first retrier is the bridge's own. */
function pauses(machine: LoadedMachine, pause_ms = -1): Record<string, number[]> {
  return Object.fromEntries([...machine.retriers].map(([state, count]) => [state, [-1, ...Array<number>(count).fill(pause_ms)]]));
}

/** The engine keeps one context object for a whole execution: what changes is read through getters. */
function contextOf(name: string, visit: Visit): NonNullable<RunOptions['context']> {
  const enteredAt = (): string => new Date(visit.entered_at_ms).toISOString();
  return {
    Execution: { Id: `arn:aws:states:local:000000000000:execution:approval:${name}`, Name: name },
    State: getters<unknown>({ Name: () => visit.state, EnteredTime: enteredAt, RetryCount: () => visit.retry_count }),
    Task: getters({ Token: () => visit.token }),
  };
}

/** The engine looks a state up exactly when it enters it; its event log tells the same too late, when parameters are long read. */
function noticing(definition: StateMachineDefinition, entered: (state: string) => void): StateMachineDefinition {
  const states = Object.entries(definition.States).map(([name, state]) => [name, () => (entered(name), state)] as const);
  return { ...definition, States: getters(Object.fromEntries(states)) };
}

function getters<T>(read: Readonly<Record<string, () => T>>): Record<string, T> {
  return Object.defineProperties({}, Object.fromEntries(Object.entries(read).map(([key, get]) => [key, { enumerable: true, get }])));
}
