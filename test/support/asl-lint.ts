// What a validator of the States Language does not ask: our own rules for the approval machine. Each failure it prevents has
// happened somewhere: a human wait with a heartbeat, an answer that no Choice knew, a tool run by a Retry, a value in the history.
// The lint walks the definition itself, so that it holds for any file that is given the name.
import { isDeepStrictEqual } from 'node:util';

export interface State {
  readonly Type: string;
  readonly Resource?: string;
  readonly Parameters?: { readonly FunctionName?: string; readonly Payload?: Readonly<Record<string, unknown>> };
  readonly ResultSelector?: Readonly<Record<string, string>>;
  readonly ResultPath?: string | null;
  readonly Retry?: readonly { readonly ErrorEquals: readonly string[] }[];
  readonly Catch?: readonly { readonly ErrorEquals: readonly string[]; readonly ResultPath?: string | null; readonly Next: string }[];
  readonly Choices?: readonly { readonly Variable?: string; readonly StringEquals?: string; readonly Next: string }[];
  readonly Default?: string;
  readonly Next?: string;
  readonly [field: string]: unknown;
}

export interface Machine {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, State>>;
}

type Rule = (machine: Machine) => readonly string[];

const SETTLE = '${SettleOperationFunctionArn}';
const RUN = '${RunToolFunctionArn}';
const SUBSTITUTIONS = ['${ParkTaskTokenFunctionArn}', '${Partition}', RUN, SETTLE];
const WAITING_PAYLOAD = {
  'operation_id.$': '$.operation_id',
  'arguments_hash.$': '$.arguments_hash',
  'task_token.$': '$$.Task.Token',
  'entered_at.$': '$$.State.EnteredTime',
  'retry_count.$': '$$.State.RetryCount',
};
const SETTLE_PAYLOAD = { 'operation_id.$': '$.operation_id', 'arguments_hash.$': '$.arguments_hash', 'wait.$': '$.wait' };
/** What Settle may answer, and the state that must then follow. */
const TURNS: Readonly<Record<string, string>> = {
  await_decision: 'AwaitDecision',
  run_tool: 'RunTool',
  back_off: 'BackOff',
  done: 'Done',
  something_else: 'Done',
  RUN_TOOL: 'Done',
  Run_Tool: 'Done',
  '': 'Done',
};

/** Every broken rule as one line that begins with the state; empty for a sound machine. */
export function lintApprovalMachine(machine: Machine): readonly string[] {
  const rules: readonly Rule[] = [
    everyTaskTimesOut, tasksCatchEverything, nothingBeats, resultsAreDiscarded, runIsNotRetried, endsAreNotRetried,
    everyStateIsReached, payloadsHoldNoValues, answersAreRouted, unreadableIsNotDone, substitutionsAreKnown,
  ];
  return rules.flatMap((rule) => rule(machine));
}

const everyTaskTimesOut: Rule = (machine) => tasks(machine).filter(([, s]) => s.TimeoutSeconds === undefined && s.TimeoutSecondsPath === undefined).map(([name]) => `${name} has no time-out`);

const tasksCatchEverything: Rule = (machine) =>
  tasks(machine).flatMap(([name, s]) => {
    const last = s.Catch?.at(-1);
    if (last === undefined || !isDeepStrictEqual(last.ErrorEquals, ['States.ALL'])) return [`${name} does not catch States.ALL`];
    const next = functionOf(machine.States[last.Next]);
    return waits(s) && next !== SETTLE ? [`${name} catches, but does not ask the log`] : [];
  });

const nothingBeats: Rule = (machine) => states(machine).flatMap(([name, s]) => Object.keys(s).filter((field) => field.startsWith('Heartbeat')).map((field) => `${name} has ${field}, and nobody sends heartbeats`));

const resultsAreDiscarded: Rule = (machine) =>
  tasks(machine).flatMap(([name, s]) => [
    ...(waits(s) && s.ResultPath !== null ? [`${name} keeps a result in the state`] : []),
    ...(s.Catch ?? []).filter((catcher) => catcher.ResultPath !== null).map(() => `${name} keeps an error in the state`),
  ]);

const runIsNotRetried: Rule = (machine) => tasks(machine).filter(([, s]) => functionOf(s) === RUN && s.Retry !== undefined).map(([name]) => `${name} may run a tool twice`);

/** A wait that was closed or has timed out is over: waiting again is for the log to say. */
const endsAreNotRetried: Rule = (machine) => {
  const ends = ['States.ALL', 'States.TaskFailed', 'States.Timeout', 'Closed'];
  return tasks(machine).filter(([, s]) => waits(s) && s.Retry?.some((retrier) => retrier.ErrorEquals.some((error) => ends.includes(error)))).map(([name]) => `${name} waits again after its end`);
};

const everyStateIsReached: Rule = (machine) => {
  const reached = new Set<string>();
  const walk = (name: string): void => {
    const s = machine.States[name];
    if (s === undefined || reached.has(name)) return;
    reached.add(name);
    [s.Next, s.Default, ...(s.Catch ?? []).map((c) => c.Next), ...(s.Choices ?? []).map((c) => c.Next)].forEach((next) => next !== undefined && walk(next));
  };
  walk(machine.StartAt);
  return Object.keys(machine.States).filter((name) => !reached.has(name)).map((name) => `${name} is never reached`);
};

const payloadsHoldNoValues: Rule = (machine) =>
  tasks(machine).filter(([, s]) => !isDeepStrictEqual(s.Parameters?.Payload, waits(s) ? WAITING_PAYLOAD : SETTLE_PAYLOAD)).map(([name]) => `${name} is handed something else than ids, hash, seconds and its token`);

const answersAreRouted: Rule = (machine) =>
  tasks(machine).filter(([, s]) => functionOf(s) === SETTLE).flatMap(([name, s]) => [
    ...Object.entries(TURNS).filter(([next, target]) => routed(machine, s, { next }) !== target).map(([next, target]) => `${name}: the answer "${next}" does not lead to ${target}`),
    ...(['RunTool', 'AwaitDecision'].includes(routed(machine, s, {})) ? [`${name}: no answer leads on`] : []),
  ]);

const unreadableIsNotDone: Rule = (machine) =>
  tasks(machine).filter(([, s]) => !waits(s)).flatMap(([name, s]) => (s.Catch ?? []).filter((c) => machine.States[c.Next]?.Type !== 'Fail').map(() => `${name}: an unreadable log does not fail the execution`));

const substitutionsAreKnown: Rule = (machine) => {
  const found = [...new Set(JSON.stringify(machine).match(/\$\{[^}]*\}/g))].sort();
  return isDeepStrictEqual(found, SUBSTITUTIONS) ? [] : [`the machine has the substitutions ${found.join(', ')}`];
};

/** Where an answer of Settle leads: its ResultSelector and ResultPath, then the Choice. `fails` where a path finds nothing. */
function routed(machine: Machine, settle: State, answer: Readonly<Record<string, string>>): string {
  const payload = { timeout_seconds: '1', ...answer };
  const values = new Map<string, unknown>(Object.entries(settle.ResultSelector ?? {}).map(([key, path]) => [`${settle.ResultPath ?? '$'}.${key.slice(0, -2)}`, pick(payload, path)]));
  if (values.size === 0 || [...values.values()].includes(undefined)) return 'fails';
  const choice = machine.States[settle.Next ?? ''];
  if (choice?.Type !== 'Choice') return settle.Next ?? 'fails';
  const rule = choice.Choices?.find((one) => one.StringEquals !== undefined && values.get(one.Variable ?? '') === one.StringEquals);
  return rule?.Next ?? choice.Default ?? 'fails';
}

function pick(payload: Readonly<Record<string, string>>, path: string): unknown {
  return path === '$.Payload' ? payload : payload[path.replace('$.Payload.', '')];
}

function states(machine: Machine): readonly (readonly [string, State])[] {
  return Object.entries(machine.States);
}

function tasks(machine: Machine): readonly (readonly [string, State])[] {
  return states(machine).filter(([, s]) => s.Type === 'Task');
}

function waits(s: State): boolean {
  return s.Resource?.endsWith('.waitForTaskToken') ?? false;
}

function functionOf(s: State | undefined): string | undefined {
  return s?.Parameters?.FunctionName;
}
