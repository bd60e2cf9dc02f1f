import { describe, expect, test } from 'vitest';
import { loadDefinition } from '../../../infra/local/asl-loading.ts';
import { calling, definitionOf, waiting, type States } from '../../support/small-machines.ts';

const load = (states: States, more: object = {}) => loadDefinition(definitionOf(states, more), ['Ask', 'Call']);
const retry = (fields: object) => ({ Call: { ...calling, Retry: [{ ErrorEquals: ['States.ALL'], ...fields }] } });
const choice = (rule: object) => ({ Route: { Type: 'Choice', Choices: [{ Variable: '$.next', ...rule, Next: 'Done' }], Default: 'Done' }, Done: { Type: 'Succeed' } });

describe('what the local engine loads', () => {
  test('tasks, waits and their time-outs become tasks that the bridge answers', () => {
    const machine = load({ Pause: { Type: 'Wait', SecondsPath: '$.wait.timeout_seconds', Next: 'Ask' }, Ask: waiting });

    expect([...machine.tasks]).toEqual([
      ['Pause', { kind: 'sleep', function_name: '' }],
      ['Ask', { kind: 'token', function_name: 'Ask' }],
    ]);
    expect(machine.definition.States.Ask).toMatchObject({ Parameters: { 'seconds.$': '$.wait.timeout_seconds' } });
  });

  test('the engine never counts a time-out down itself: its own default of 60 seconds is not that of AWS', () => {
    const patient = { ...calling, TimeoutSeconds: undefined };

    expect(load({ Call: patient }).definition.States.Call).toMatchObject({ TimeoutSeconds: 2_147_483, Parameters: { seconds: 99_999_999 } });
  });
});

describe('what it refuses, by state and field', () => {
  const refused: readonly (readonly [what: string, states: States, message: string])[] = [
    ['heartbeats', { Ask: { ...waiting, HeartbeatSeconds: 60 } }, 'state Ask, HeartbeatSeconds: not supported'],
    ['heartbeats by path', { Ask: { ...waiting, HeartbeatSecondsPath: '$.beat' } }, 'state Ask, HeartbeatSecondsPath: not supported'],
    ['JSONata in a state', { Ask: { ...waiting, QueryLanguage: 'JSONata' } }, 'state Ask, QueryLanguage'],
    ['Arguments', { Call: { ...calling, Arguments: {} } }, 'state Call, Arguments: not supported'],
    ['Output', { Call: { ...calling, Output: '{% 1 %}' } }, 'state Call, Output: not supported'],
    ['Assign', { Call: { ...calling, Assign: { x: 1 } } }, 'state Call, Assign: not supported'],
    ['Assign in a Catch', { Call: { ...calling, Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Done', Assign: {} }] } }, 'state Call, Catch.0.Assign: not supported'],
    ['InputPath on a task', { Ask: { ...waiting, InputPath: '$.wait' } }, 'state Ask, InputPath: not supported'],
    ['an unknown resource', { Call: { ...calling, Resource: 'arn:aws:states:::sqs:sendMessage' } }, 'state Call, Resource'],
    ['an unknown parameter', { Call: { ...calling, Parameters: { FunctionName: '${Call}', Payload: {}, InvocationType: 'Event' } } }, 'state Call, Parameters.InvocationType: not supported'],
    ['a function that is not there', { Call: { ...calling, Parameters: { FunctionName: '${Cal}', Payload: {} } } }, 'state Call, Parameters.FunctionName: no such function'],
    ['a substitution that is not there', { End: { Type: 'Fail', Error: '${Stage}' } }, 'state End, ${Stage}: nothing to put there'],
    ['a value that the context does not have', { Ask: { ...waiting, Parameters: { FunctionName: '${Ask}', Payload: { 'x.$': '$$.Execution.RoleArn' } } } }, 'state Ask, $$.Execution.RoleArn: nothing to put there'],
    ['a token where none is made', { Call: { ...calling, Parameters: { FunctionName: '${Call}', Payload: { 't.$': '$$.Task.Token' } } } }, 'state Call, Parameters: only a waitForTaskToken task has a token'],
    ['the whole input as ResultPath', { Call: { ...calling, ResultPath: '$' } }, 'state Call, ResultPath'],
    ['a time-out beyond the limit of AWS', { Call: { ...calling, TimeoutSeconds: 100_000_000 } }, 'state Call, TimeoutSeconds'],
    ['States.TaskFailed', retry({ ErrorEquals: ['States.TaskFailed'] }), 'state Call, Retry.0.ErrorEquals.0'],
    ['pauses that outgrow the timers', retry({ MaxAttempts: 40 }), 'state Call, Retry.0.MaxDelaySeconds'],
    ['a comparison that ignores types', choice({ NumericLessThan: 3 }), 'state Route, Choices.0.NumericLessThan: not supported'],
    ['a test that never matches', choice({ IsPresent: false }), 'state Route, Choices.0.IsPresent'],
    ['a Wait without a time', { Pause: { Type: 'Wait', End: true } }, 'state Pause, Seconds: one of'],
    ['a Wait until a moment', { Pause: { Type: 'Wait', Timestamp: '2030-01-01T00:00:00Z', End: true } }, 'state Pause, Timestamp: not supported'],
    ['parallel branches', { Both: { Type: 'Parallel', Branches: [], End: true } }, 'state Both, Type'],
  ];

  test.each(refused)('%s', (_what, states, message) => {
    expect(() => load({ ...states, Done: { Type: 'Succeed' } })).toThrow(message);
  });

  test.each([
    ['JSONata for all', { QueryLanguage: 'JSONata' }, 'the machine, QueryLanguage'],
    ['a time-out for all', { TimeoutSeconds: 60 }, 'the machine, TimeoutSeconds: not supported'],
  ])('%s', (_what, more, message) => {
    expect(() => load({ Done: { Type: 'Succeed' } }, more)).toThrow(message);
  });

  test('a target that does not exist', () => {
    expect(() => load({ Call: { ...calling, End: undefined, Next: 'Nowhere' } })).toThrow('Nowhere');
  });

  test('everything at once, not the first thing only', () => {
    expect(() => load({ Ask: { ...waiting, HeartbeatSeconds: 1, End: undefined, Next: 'Call' }, Call: { ...calling, Assign: {} } })).toThrow(/HeartbeatSeconds.*Assign/s);
  });
});
