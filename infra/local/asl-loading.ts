// Turns the text of the ASL file into what the local engine can run: refuses what it cannot, and rewrites what only the bridge can
// do (time-outs, waits, tokens) into plain tasks that the bridge answers. Apart from the file itself nothing describes the machine.
import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import { LONGEST_ENGINE_SECONDS, LONGEST_SECONDS, RESOURCES, readSubset, type State } from './asl-subset.ts';

/** No error of the machine: the bridge asks to be called again, because the engine's own timer is about to overflow. */
export const STILL_WAITING = 'Local.StillWaiting';

export interface LoadedTask {
  /** `call`: the function's answer ends it. `token`: a wake-up does. `sleep`: only time does (a Wait state). */
  readonly kind: 'call' | 'token' | 'sleep';
  readonly function_name: string;
}

/** What the engine calls a rewritten task with. */
export interface TaskInput {
  readonly payload?: unknown;
  readonly seconds: number;
}

export interface LoadedMachine {
  /** To be run without validation: it is no AWS definition any more. */
  readonly definition: StateMachineDefinition;
  readonly tasks: ReadonlyMap<string, LoadedTask>;
  /** How many retriers of its own each task has; the engine sees one more, in front of them. */
  readonly retriers: ReadonlyMap<string, number>;
}

type TaskState = Extract<State, { Type: 'Task' }>;

/** Throws one message that names every state and field in the way. `${Name}` stands for a function, `${Partition}` for `aws`. */
export function loadDefinition(text: string, functionNames: readonly string[]): LoadedMachine {
  const plain: unknown = JSON.parse(text.replaceAll('${Partition}', 'aws'));
  const { machine, problems } = readSubset(plain, functionNames);
  if (machine === undefined || problems.length > 0) throw new Error(`The local Step Functions engine cannot run this definition: ${problems.join('; ')}`);
  new StateMachine(plain as StateMachineDefinition); // for its validator, which knows missing targets and unreachable states
  const states = Object.entries(machine.States);
  const tasks = states.flatMap(([name, s]) => (s.Type === 'Task' || s.Type === 'Wait' ? [[name, describeTask(s)] as const] : []));
  const retriers = states.flatMap(([name, s]) => (s.Type === 'Task' ? [[name, s.Retry?.length ?? 0] as const] : []));
  const definition = { StartAt: machine.StartAt, States: Object.fromEntries(states.map(([name, s]) => [name, rewrite(s)])) };
  return { definition: definition as unknown as StateMachineDefinition, tasks: new Map(tasks), retriers: new Map(retriers) };
}

function describeTask(s: Exclude<State, { Type: 'Choice' | 'Succeed' | 'Fail' }>): LoadedTask {
  if (s.Type === 'Wait') return { kind: 'sleep', function_name: '' };
  return { kind: s.Resource === RESOURCES.token ? 'token' : 'call', function_name: s.Parameters.FunctionName.slice(2, -1) };
}

function rewrite(s: State): object {
  if (s.Type === 'Wait') {
    const { Seconds, SecondsPath, ...rest } = s;
    return { ...rest, ResultPath: null, ...asTask({ seconds: Seconds, seconds_path: SecondsPath }) };
  }
  return s.Type === 'Task' ? rewriteTask(s) : s;
}

function rewriteTask({ TimeoutSeconds, TimeoutSecondsPath, Parameters, Retry = [], ...rest }: TaskState): object {
  return { ...rest, ...asTask({ seconds: TimeoutSeconds, seconds_path: TimeoutSecondsPath, payload: Parameters.Payload }, Retry) };
}

interface Timed {
  readonly seconds: number | undefined;
  readonly seconds_path: string | undefined;
  readonly payload?: object;
}

/** Seconds become a parameter, since Parameters is what the engine resolves against the input of the state. */
function asTask({ seconds = LONGEST_SECONDS, seconds_path, payload }: Timed, retry: readonly object[] = []): object {
  return {
    Type: 'Task',
    Resource: RESOURCES.call,
    Parameters: { payload, ...(seconds_path === undefined ? { seconds } : { 'seconds.$': seconds_path }) },
    TimeoutSeconds: LONGEST_ENGINE_SECONDS,
    Retry: [{ ErrorEquals: [STILL_WAITING], IntervalSeconds: 0, MaxAttempts: LONGEST_SECONDS }, ...retry],
  };
}
