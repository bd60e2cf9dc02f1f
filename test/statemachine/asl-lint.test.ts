import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { lintApprovalMachine, type Machine } from '../support/asl-lint.ts';

/** The package brings no types. It also writes into what it is given: it gets a copy. */
type Validate = (definition: unknown) => { readonly isValid: boolean; readonly errors: readonly unknown[] };
const validate = createRequire(import.meta.url)('asl-validator') as Validate;

const text = readFileSync(new URL('../../statemachines/approval.asl.json', import.meta.url), 'utf8');
const approval = JSON.parse(text) as Machine;
const withAws = (machine: Machine): unknown => JSON.parse(JSON.stringify(machine).replaceAll('${Partition}', 'aws'));

type Fields = Readonly<Record<string, unknown>>;
const change = (state: string, fields: Fields): Machine => ({ ...approval, States: { ...approval.States, [state]: { ...approval.States[state], ...fields } as never } });
const without = (state: string, field: string): Machine => change(state, { [field]: undefined });
const payload = (state: string, fields: Fields): Machine => change(state, { Parameters: { ...approval.States[state]?.Parameters, Payload: { ...approval.States[state]?.Parameters?.Payload, ...fields } } });
const catching = (state: string, fields: Fields): Machine => change(state, { Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: 'Settle', ...fields }] });
const choices = (fields: Fields, at: number): Machine => change('Route', { Choices: approval.States.Route?.Choices?.map((rule, n) => (n === at ? { ...rule, ...fields } : rule)) });

describe('the approval machine', () => {
  test('is valid in the States Language', () => {
    expect(validate(withAws(approval))).toMatchObject({ isValid: true, errors: [] });
  });

  test('keeps our own rules', () => {
    expect(lintApprovalMachine(approval)).toEqual([]);
  });
});

describe('the validator reports', () => {
  test.each([
    ['a target that does not exist', change('Settle', { Next: 'Rout' })],
    ['a field that is not there', change('Settle', { TimeoutSecond: 60 })],
    ['two time-outs', change('AwaitDecision', { TimeoutSeconds: 60 })],
    ['a state without a way on', without('Settle', 'Next')],
  ])('%s', (_what, broken) => {
    expect(validate(withAws(broken)).isValid).toBe(false);
  });
});

describe('our lint reports', () => {
  const planted: readonly (readonly [what: string, machine: Machine, report: string])[] = [
    ['a wait without a time-out', without('AwaitDecision', 'TimeoutSecondsPath'), 'AwaitDecision has no time-out'],
    ['a run without a time-out', without('RunTool', 'TimeoutSecondsPath'), 'RunTool has no time-out'],
    ['a Settle without a time-out', without('Settle', 'TimeoutSeconds'), 'Settle has no time-out'],
    ['a wait without a Catch', without('AwaitDecision', 'Catch'), 'AwaitDecision does not catch States.ALL'],
    ['a Catch of time-outs only', catching('RunTool', { ErrorEquals: ['States.Timeout'] }), 'RunTool does not catch States.ALL'],
    ['a Catch that skips the log', catching('AwaitDecision', { Next: 'Done' }), 'AwaitDecision catches, but does not ask the log'],
    ['a Catch that keeps the error', catching('RunTool', { ResultPath: '$.error' }), 'RunTool keeps an error in the state'],
    ['a Catch that puts the error in place of the state', catching('RunTool', { ResultPath: undefined }), 'RunTool keeps an error in the state'],
    ['a heartbeat on a human wait', change('AwaitDecision', { HeartbeatSeconds: 60 }), 'AwaitDecision has HeartbeatSeconds'],
    ['a heartbeat by path', change('RunTool', { HeartbeatSecondsPath: '$.run.beat' }), 'RunTool has HeartbeatSecondsPath'],
    ['a result of the tool in the state', change('RunTool', { ResultPath: '$.result' }), 'RunTool keeps a result in the state'],
    ['a result in place of the state', without('AwaitDecision', 'ResultPath'), 'AwaitDecision keeps a result in the state'],
    ['a run that is retried', change('RunTool', { Retry: [{ ErrorEquals: ['Lambda.ServiceException'] }] }), 'RunTool may run a tool twice'],
    ['a wait that a time-out begins anew', change('AwaitDecision', { Retry: [{ ErrorEquals: ['States.Timeout'] }] }), 'AwaitDecision waits again after its end'],
    ['a wait that a denial begins anew', change('AwaitDecision', { Retry: [{ ErrorEquals: ['States.ALL'] }] }), 'AwaitDecision waits again after its end'],
    ['a state that nothing leads to', change('Spare', { Type: 'Succeed' }), 'Spare is never reached'],
    ['arguments in a payload', payload('RunTool', { 'arguments.$': '$.arguments' }), 'RunTool is handed something else'],
    ['the whole state as a payload', change('Settle', { Parameters: { FunctionName: '${SettleOperationFunctionArn}', 'Payload.$': '$' } }), 'Settle is handed something else'],
    ['a token for Settle', payload('Settle', { 'task_token.$': '$$.Task.Token' }), 'Settle is handed something else'],
    ['a wait that is not told its entry', payload('AwaitDecision', { 'entered_at.$': undefined }), 'AwaitDecision is handed something else'],
    ['a typing slip in an answer', choices({ StringEquals: 'await_decison' }, 0), 'Settle: the answer "await_decision" does not lead to AwaitDecision'],
    ['two answers changed over', choices({ Next: 'BackOff' }, 1), 'Settle: the answer "run_tool" does not lead to RunTool'],
    ['a back-off that nobody knows', choices({ StringEquals: 'backoff' }, 2), 'Settle: the answer "back_off" does not lead to BackOff'],
    ['a run for done', choices({ StringEquals: 'done' }, 1), 'Settle: the answer "done" does not lead to Done'],
    ['a run for whatever is unknown', change('Route', { Default: 'RunTool' }), 'Settle: the answer "something_else" does not lead to Done'],
    ['a run for another case', choices({ StringEquals: 'RUN_TOOL' }, 1), 'Settle: the answer "RUN_TOOL" does not lead to Done'],
    ['no answer at all leading to a run', change('Settle', { ResultSelector: { 'last.$': '$.Payload' }, Next: 'RunTool' }), 'Settle: no answer leads on'],
    ['an unreadable log that ends well', catching('Settle', { Next: 'Done' }), 'Settle: an unreadable log does not fail the execution'],
    ['a fourth function', change('Done', { Comment: '${NotifyFunctionArn}' }), 'the machine has the substitutions'],
    ['an address written out', change('Settle', { Resource: 'arn:aws:states:::lambda:invoke', Parameters: { ...approval.States.Settle?.Parameters, FunctionName: 'settle' } }), 'the machine has the substitutions'],
  ];

  test.each(planted)('%s', (_what, broken, report) => {
    expect(lintApprovalMachine(JSON.parse(JSON.stringify(broken)) as Machine)).toContainEqual(expect.stringContaining(report));
  });
});
