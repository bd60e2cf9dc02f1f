import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCENARIOS, inputFor, scriptOf, type Script, type Stage, type TaskPayload } from '../support/approval-scenarios.ts';
import { motoIsMissing, openMotoStepFunctions, type MotoStepFunctions } from '../support/moto-step-functions.ts';

const definition = readFileSync(new URL('../../statemachines/approval.asl.json', import.meta.url), 'utf8');
const missing = motoIsMissing();
if (missing !== undefined) process.stderr.write(`SKIPPED: the approval machine on moto, because ${missing}\n`);

const scripts = new Map<string, Script>();
const play = (part: keyof Script) => async (payload: unknown) => scripts.get((payload as TaskPayload).operation_id)?.[part](payload as TaskPayload);

describe.skipIf(missing !== undefined)('the approval machine on moto, an engine that is not ours', () => {
  let moto: MotoStepFunctions;
  beforeAll(async () => {
    moto = await openMotoStepFunctions(definition, { ParkTaskTokenFunctionArn: play('park'), RunToolFunctionArn: play('run'), SettleOperationFunctionArn: play('settle') });
  });
  afterAll(() => moto.close());

  test.concurrent.each(SCENARIOS.map((scenario, number) => ({ ...scenario, name: `op_${number}` })))('$title', async ({ name, ...scenario }) => {
    const stage: Stage = { wake: moto.wake, noted: [] };
    scripts.set(name, scriptOf(scenario, stage));

    expect(await moto.run(name, inputFor(name, scenario))).toBe(scenario.seen);
    expect(stage.noted).toEqual(scenario.noted ?? []);
  });
});
