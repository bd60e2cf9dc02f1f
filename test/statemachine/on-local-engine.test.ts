import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { openStepFunctions } from '../../infra/local/step-functions.ts';
import { SCENARIOS, inputFor, scriptOf, type Scenario, type Script, type Stage, type TaskPayload } from '../support/approval-scenarios.ts';

const definition = readFileSync(new URL('../../statemachines/approval.asl.json', import.meta.url), 'utf8');

const scripts = new Map<string, Script>();
const states = new Map<string, string[]>();
const endings = new Map<string, (ending: string) => void>();

const play = (part: keyof Script) => async (payload: unknown) => scripts.get((payload as TaskPayload).operation_id)?.[part](payload as TaskPayload);
const sfn = openStepFunctions({
  definition,
  functions: { ParkTaskTokenFunctionArn: play('park'), RunToolFunctionArn: play('run'), SettleOperationFunctionArn: play('settle') },
  retry_pause_ms: 1,
  state_entered: (name, state) => states.get(name)?.push(state),
  onEnded: (name, status, error) => endings.get(name)?.(`${status}: ${states.get(name)?.join(' > ') ?? ''}${error === undefined ? '' : ` (${error})`}`),
});
afterAll(() => sfn.close());

async function run(name: string, scenario: Scenario): Promise<{ seen: string; noted: unknown[] }> {
  const stage: Stage = { wake: sfn, noted: [] };
  const ended = new Promise<string>((resolve) => endings.set(name, resolve));
  scripts.set(name, scriptOf(scenario, stage));
  states.set(name, []);
  await sfn.start(inputFor(name, scenario));
  return { seen: await ended, noted: stage.noted };
}

describe('the approval machine on the local engine', () => {
  test.concurrent.each(SCENARIOS)('$title', async (scenario) => {
    const { seen, noted } = await run(scenario.title, scenario);

    expect(seen.replace(/ \(.*\)$/, '')).toBe(scenario.seen);
    expect(noted).toEqual(scenario.noted ?? []);
  });

  test('a log that stays unreadable ends as failed, never as done, and runs nothing', async () => {
    const { seen, noted } = await run('unreadable', {
      title: 'unreadable',
      seen: '',
      script: ({ wake, noted: tries }) => ({
        park: async ({ task_token }) => wake.fail(task_token, 'Closed'),
        settle: async () => { tries.push('settle'); throw Object.assign(new Error(), { name: 'Unavailable' }); },
      }),
    });

    expect(seen).toBe('FAILED: AwaitDecision > Settle > Unsettled (Unsettled)');
    expect(noted).toHaveLength(61);
  });

  // moto retries this one, for its States.ALL matches States.Runtime; that of AWS does not.
  test('an answer without a turn fails the execution, without a run', async () => {
    const { seen, noted } = await run('turnless', {
      title: '',
      seen: '',
      script: ({ wake, noted: runs }) => ({ park: async ({ task_token }) => wake.fail(task_token, 'Closed'), settle: async () => ({}), run: async () => runs.push('ran') }),
    });

    expect([seen, noted]).toEqual(['FAILED: AwaitDecision > Settle (States.Runtime)', []]);
  });

  test('holds ids, hash, seconds and token parameters, in what it hands to each function', async () => {
    const given: TaskPayload[] = [];
    await run('handed', { title: '', seen: '', script: ({ wake }) => ({
      park: async (payload) => { given.push(payload); return wake.succeed(payload.task_token); },
      run: async (payload) => { given.push(payload); return wake.fail(payload.task_token, 'Closed'); },
      settle: async (payload) => { given.push(payload); return { next: 'done', timeout_seconds: 1 }; },
    }) });

    const waiting = ['arguments_hash', 'entered_at', 'operation_id', 'retry_count', 'task_token'];
    expect(given.map((payload) => Object.keys(payload).sort())).toEqual([waiting, waiting, ['arguments_hash', 'operation_id', 'wait']]);
  });
});
