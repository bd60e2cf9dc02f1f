// Executions that behave: started once per name as AWS words it, waiting on tokens of which only the newest is alive.
// `turn` plays the next step of the approval machine by hand, so that a test can stop between any two of them.
import { isDeepStrictEqual } from 'node:util';
import { plusSeconds, type Instant } from '../../lambdas/domain/times.ts';
import type { ExecutionInput, ExecutionStarter, TaskWaker } from '../../lambdas/ports/executions.ts';
import type { Clock } from '../../lambdas/ports/system.ts';
import { elsewhere } from './in-memory-system.ts';

export type Task = (payload: unknown) => Promise<unknown>;

export interface MachineTasks {
  readonly park: Task;
  readonly run: Task;
  readonly settle: Task;
}

type StateName = 'AwaitDecision' | 'RunTool' | 'Settle' | 'BackOff';

interface Execution {
  readonly input: ExecutionInput;
  wait: { timeout_seconds: number; next?: string; last?: unknown };
  state: StateName | 'Done';
  entered_at: Instant;
  retry_count: number;
  entered: boolean;
  task_token?: string;
  woken?: 'success' | 'failure';
  rings_at?: Instant;
  readonly walked: string[];
}

export interface InMemoryExecutions extends ExecutionStarter, TaskWaker {
  /** One step of one execution that can take one; false when all of them wait or are done. */
  turn(tasks: MachineTasks): Promise<boolean>;
  /** When the next timer rings, if anything waits at all. */
  nextTimer(): Instant | undefined;
  readonly tokens: readonly string[];
  /** The wake-ups that reached a living task. */
  readonly wakes: readonly string[];
  readonly starts: readonly ExecutionInput[];
  walk(operation_id: string): string;
  /** StopExecution: it is gone, and its tokens are dead. */
  stop(operation_id: string): void;
}

const PARK_RETRIES = 4;

export function inMemoryExecutions(clock: Clock): InMemoryExecutions {
  const executions = new Map<string, Execution>();
  const tokens: string[] = [];
  const wakes: string[] = [];
  const starts: ExecutionInput[] = [];
  const wake = (task_token: string, how: 'success' | 'failure'): 'woken' | 'dead' => {
    const waiting = [...executions.values()].find((execution) => execution.task_token === task_token && execution.woken === undefined);
    if (waiting === undefined) return 'dead';
    waiting.woken = how;
    wakes.push(`${waiting.state} ${how}`);
    return 'woken';
  };
  const freshToken = (): string => {
    const token = `AAAA+b/c==${String(tokens.length)}`;
    tokens.push(token);
    return token;
  };
  return {
    start: async (input) => {
      await elsewhere();
      const standing = executions.get(input.operation_id);
      // The same input while it runs is the same start; everything else is ExecutionAlreadyExists.
      if (standing !== undefined) return standing.state !== 'Done' && isDeepStrictEqual(standing.input, input) ? 'started' : 'exists';
      starts.push(structuredClone(input));
      executions.set(input.operation_id, { input: structuredClone(input), wait: { ...input.wait }, state: 'AwaitDecision', entered_at: clock.now(), retry_count: 0, entered: false, walked: ['AwaitDecision'] });
      return 'started';
    },
    succeed: async (task_token) => {
      await elsewhere();
      return wake(task_token, 'success');
    },
    fail: async (task_token) => {
      await elsewhere();
      return wake(task_token, 'failure');
    },
    turn: async (tasks) => {
      for (const execution of executions.values()) if (await step(execution, tasks, clock, freshToken)) return true;
      return false;
    },
    nextTimer: () =>
      [...executions.values()]
        .flatMap(({ state, rings_at }) => (state !== 'Done' && rings_at !== undefined ? [rings_at] : []))
        .sort()
        .at(0),
    tokens,
    wakes,
    starts,
    walk: (operation_id) => executions.get(operation_id)?.walked.join(' > ') ?? 'never started',
    stop: (operation_id) => {
      const execution = executions.get(operation_id);
      if (execution !== undefined) enter(execution, 'Done', clock);
    },
  };
}

async function step(execution: Execution, tasks: MachineTasks, clock: Clock, freshToken: () => string): Promise<boolean> {
  const rung = execution.rings_at !== undefined && clock.now() >= execution.rings_at;
  switch (execution.state) {
    case 'Done':
      return false;
    case 'AwaitDecision':
    case 'RunTool':
      return waitingStep(execution, tasks, clock, rung, freshToken);
    case 'BackOff':
      execution.rings_at ??= plusSeconds(clock.now(), execution.wait.timeout_seconds);
      if (!rung) return false;
      enter(execution, 'Settle', clock);
      return true;
    case 'Settle':
      await settleStep(execution, tasks, clock);
      return true;
  }
}

async function waitingStep(execution: Execution, tasks: MachineTasks, clock: Clock, rung: boolean, freshToken: () => string): Promise<boolean> {
  const parking = execution.state === 'AwaitDecision';
  if (!execution.entered) {
    execution.entered = true;
    execution.task_token = freshToken();
    const { operation_id, arguments_hash } = execution.input;
    execution.rings_at = plusSeconds(clock.now(), parking ? execution.wait.timeout_seconds : execution.input.run.timeout_seconds);
    const { task_token, entered_at, retry_count } = execution;
    try {
      await tasks[parking ? 'park' : 'run']({ operation_id, arguments_hash, task_token, entered_at, retry_count });
    } catch (thrown) {
      // Woken before the function failed: the task has ended already, and its end stands.
      if (execution.woken === undefined) afterError(execution, clock, thrown, parking);
    }
    return true;
  }
  if (execution.woken === undefined && !rung) return false;
  if (execution.woken !== 'success') enter(execution, 'Settle', clock);
  else enter(execution, parking ? 'RunTool' : 'Done', clock);
  return true;
}

function afterError(execution: Execution, clock: Clock, thrown: unknown, parking: boolean): void {
  const passes = parking && thrown instanceof Error && thrown.name === 'Unavailable' && execution.retry_count < PARK_RETRIES;
  if (passes) {
    execution.retry_count += 1;
    execution.entered = false;
  } else {
    enter(execution, 'Settle', clock);
  }
}

async function settleStep(execution: Execution, tasks: MachineTasks, clock: Clock): Promise<void> {
  const { operation_id, arguments_hash } = execution.input;
  let answer: { next: string; timeout_seconds: number };
  try {
    answer = (await tasks.settle({ operation_id, arguments_hash, wait: execution.wait })) as typeof answer;
  } catch {
    return; // It has a long Retry: the next turn asks again.
  }
  execution.wait = { next: answer.next, timeout_seconds: answer.timeout_seconds, last: answer };
  const next = { await_decision: 'AwaitDecision', run_tool: 'RunTool', back_off: 'BackOff' }[answer.next] as StateName | undefined;
  enter(execution, next ?? 'Done', clock);
}

function enter(execution: Execution, state: Execution['state'], clock: Clock): void {
  execution.state = state;
  execution.entered_at = clock.now();
  execution.retry_count = 0;
  execution.entered = false;
  delete execution.task_token;
  delete execution.woken;
  delete execution.rings_at;
  execution.walked.push(state);
}
