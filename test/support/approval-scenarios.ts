// What the approval machine must do, told once and played on two engines that share no code: ours on this machine and moto's.
// A scenario scripts the three functions and says which states are to be seen; what a script notes down is compared too.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionInput, TaskWaker } from '../../lambdas/ports/executions.ts';

export interface TaskPayload {
  readonly operation_id: string;
  readonly arguments_hash: string;
  readonly task_token: string;
  readonly entered_at: string;
  readonly retry_count: number;
  readonly wait: unknown;
}

export type Script = Readonly<Record<'park' | 'run' | 'settle', (payload: TaskPayload) => Promise<unknown>>>;

/** What the scripts of one scenario share. */
export interface Stage {
  readonly wake: TaskWaker;
  readonly noted: unknown[];
}

export interface Scenario {
  readonly title: string;
  /** Three where it is to time out: moto garbles its history when a time-out overtakes the call of the function. */
  readonly wait_seconds?: number;
  readonly script: (stage: Stage) => Partial<Script>;
  /** Status and states, as `SUCCEEDED: AwaitDecision > RunTool`. */
  readonly seen: string;
  readonly noted?: readonly unknown[];
}

export function inputFor(operation_id: string, { wait_seconds = 60 }: Scenario): ExecutionInput {
  return { operation_id, arguments_hash: 'sha256:00', wait: { timeout_seconds: wait_seconds }, run: { timeout_seconds: 60 } };
}

/** Where a scenario scripts nothing: nobody decides, the tool runs well, the log says done. */
export function scriptOf(scenario: Scenario, stage: Stage): Script {
  return { park: async () => ({}), run: async ({ task_token }) => later(() => stage.wake.succeed(task_token)), settle: async () => settled('done'), ...scenario.script(stage) };
}

/** As the functions on AWS do it: the wake-up comes from elsewhere, after the function has answered. */
function later(wake: () => Promise<unknown>): unknown {
  void sleep(60).then(wake);
  return {};
}

function settled(next: string, timeout_seconds = 1): object {
  return { next, timeout_seconds, turns: 0, sequence: 1 };
}

function broken(name: string): Error {
  return Object.assign(new Error('words that nobody may see'), { name });
}

const grant = ({ wake }: Stage): Script['park'] => async ({ task_token }) => later(() => wake.succeed(task_token));
const close = ({ wake }: Stage): Script['park'] => async ({ task_token }) => later(() => wake.fail(task_token, 'Closed'));
const inTurn = (...answers: readonly unknown[]): Script['settle'] => {
  let turn = 0;
  return async () => answers[Math.min(turn++, answers.length - 1)];
};

export const SCENARIOS: readonly Scenario[] = [
  { title: 'granted while waiting: two states and no more', script: (stage) => ({ park: grant(stage) }), seen: 'SUCCEEDED: AwaitDecision > RunTool' },
  {
    title: 'decided before the token was parked: the parking function itself wakes it',
    script: ({ wake }) => ({ park: async ({ task_token }) => ({ woken: await wake.succeed(task_token) }) }),
    seen: 'SUCCEEDED: AwaitDecision > RunTool',
  },
  { title: 'nobody decides: the wait times out and the log is asked', wait_seconds: 3, script: () => ({}), seen: 'SUCCEEDED: AwaitDecision > Settle > Route > Done' },
  { title: 'denied or cancelled: the failure Closed', script: (stage) => ({ park: close(stage) }), seen: 'SUCCEEDED: AwaitDecision > Settle > Route > Done' },
  {
    title: 'escalated: waits again with a new token, and the old one wakes nothing',
    wait_seconds: 3,
    script: ({ wake, noted }) => {
      const tokens: string[] = [];
      const park: Script['park'] = async ({ task_token }) => {
        const old = tokens.at(-1);
        tokens.push(task_token);
        if (old === undefined) return {};
        await wake.succeed(old);
        return later(async () => noted.push(old !== task_token, await wake.succeed(task_token)));
      };
      return { park, settle: inTurn(settled('await_decision', 20)) };
    },
    seen: 'SUCCEEDED: AwaitDecision > Settle > Route > AwaitDecision > RunTool',
    noted: [true, 'woken'],
  },
  {
    title: 'the tool run throws: it is not run again, the log is asked',
    script: (stage) => ({ park: grant(stage), run: async () => { stage.noted.push('ran'); throw broken('OutcomeUnknown'); } }),
    seen: 'SUCCEEDED: AwaitDecision > RunTool > Settle > Route > Done',
    noted: ['ran'],
  },
  {
    title: 'the tool run throws before its claim: the log sends it there once more',
    script: (stage) => {
      let runs = 0;
      const run: Script['run'] = async ({ task_token }) => {
        if (runs++ === 0) throw broken('Unavailable');
        return later(() => stage.wake.succeed(task_token));
      };
      return { park: grant(stage), run, settle: inTurn(settled('run_tool')) };
    },
    seen: 'SUCCEEDED: AwaitDecision > RunTool > Settle > Route > RunTool',
  },
  {
    title: 'no turn brought anything new: backs off, then asks again and is given its last answer',
    script: (stage) => {
      const next = inTurn(settled('back_off'), settled('done'));
      return { park: close(stage), settle: async (payload) => { stage.noted.push(payload.wait); return next(payload); } };
    },
    seen: 'SUCCEEDED: AwaitDecision > Settle > Route > BackOff > Settle > Route > Done',
    noted: [{ timeout_seconds: 60 }, { next: 'back_off', timeout_seconds: 1, last: settled('back_off') }],
  },
  ...['something_else', 'Run_Tool', 'RUN_TOOL', ''].map((next) => ({
    title: `an answer that is no turn of this machine (${next || 'empty'}) is done, without a run`,
    script: (stage: Stage) => ({ park: close(stage), settle: inTurn(settled(next)), run: async () => stage.noted.push('ran') }),
    seen: 'SUCCEEDED: AwaitDecision > Settle > Route > Done',
  })),
  {
    title: 'parking fails for a moment: tried again within the state, with the next count',
    script: ({ wake, noted }) => {
      const park: Script['park'] = async ({ task_token, retry_count }) => {
        noted.push(retry_count);
        if (retry_count === 0) throw broken('Unavailable');
        return later(() => wake.succeed(task_token));
      };
      return { park };
    },
    seen: 'SUCCEEDED: AwaitDecision > RunTool',
    noted: [0, 1],
  },
  {
    title: 'parking is refused for good: no second try, the log is asked',
    script: ({ noted }) => ({ park: async ({ retry_count }) => { noted.push(retry_count); throw broken('CorruptRecord'); } }),
    seen: 'SUCCEEDED: AwaitDecision > Settle > Route > Done',
    noted: [0],
  },
];
