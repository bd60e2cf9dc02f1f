// The deployed definition and the ASL file agree, and the file holds what asl-validator does not look for.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEFINITION_FILE } from '../../infra/constructs/state-machine.ts';
import { only, readable, synthesise } from './synthesis.ts';

interface State {
  readonly Type: string;
  readonly Resource?: string;
  readonly TimeoutSeconds?: number;
  readonly TimeoutSecondsPath?: string;
  readonly ResultPath?: string | null;
  readonly Parameters?: { readonly FunctionName: string };
  readonly Catch?: readonly { readonly ErrorEquals: readonly string[]; readonly ResultPath?: string | null; readonly Next: string }[];
}

const file = readFileSync(DEFINITION_FILE, 'utf8');
const { States } = JSON.parse(file) as { readonly States: Readonly<Record<string, State>> };
const tasks = Object.entries(States).filter(([, state]) => state.Type === 'Task');
const { Properties } = only(synthesise(), 'AWS::StepFunctions::StateMachine');

describe('the deployed state machine', () => {
  it('is the ASL file, inline, as a Standard machine', () => {
    expect(Properties.StateMachineType).toBe('STANDARD');
    expect(JSON.parse(Properties.DefinitionString as string)).toEqual(JSON.parse(file));
    expect(Properties).not.toHaveProperty('DefinitionS3Location');
  });

  it('substitutes exactly the names that the file asks for', () => {
    const asked = [...new Set([...file.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name))];
    const substitutions = Properties.DefinitionSubstitutions as Readonly<Record<string, unknown>>;
    expect(Object.keys(substitutions).sort()).toEqual(asked.sort());
    expect(Object.fromEntries(Object.entries(substitutions).map(([name, value]) => [name, readable(value)]))).toEqual({
      Partition: 'AWS::Partition',
      ParkTaskTokenFunctionArn: 'FunctionsparktasktokenFunction',
      RunToolFunctionArn: 'FunctionsruntoolFunction',
      SettleOperationFunctionArn: 'FunctionssettleoperationFunction',
    });
  });

  it('logs every transition without its data, and keeps its history under a key of its own', () => {
    expect(Properties.LoggingConfiguration).toMatchObject({ Level: 'ALL', IncludeExecutionData: false });
    expect(Properties.EncryptionConfiguration).toMatchObject({ Type: 'CUSTOMER_MANAGED_KMS_KEY' });
    expect(readable(Properties.EncryptionConfiguration.KmsKeyId)).toBe('StateMachineKey');
  });
});

describe('the ASL file', () => {
  it.each(tasks)('gives %s a time limit', (_name, state) => {
    expect(state.TimeoutSeconds !== undefined || state.TimeoutSecondsPath !== undefined).toBe(true);
  });

  it.each(tasks)('catches every error of %s and keeps nothing of it', (name, { Catch }) => {
    expect(Catch?.at(-1)).toEqual({ ErrorEquals: ['States.ALL'], ResultPath: null, Next: name === 'Settle' ? 'Unsettled' : 'Settle' });
  });

  it('keeps no result but the answer of Settle', () => {
    expect(tasks.filter(([, state]) => state.ResultPath !== null).map(([name, state]) => `${name} ${String(state.ResultPath)}`)).toEqual(['Settle $.wait']);
  });

  it('never ends as done when the log could not be read', () => {
    expect(States.Unsettled?.Type).toBe('Fail');
  });

  it('calls functions through their integration only', () => {
    for (const [, state] of tasks) expect(state.Resource).toMatch(/^arn:\$\{Partition\}:states:::lambda:invoke(\.waitForTaskToken)?$/);
  });
});
