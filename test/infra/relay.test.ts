import { describe, expect, it } from 'vitest';
import { only, readable, resourcesOf, synthesise, type Statement } from './synthesis.ts';

const template = synthesise();
const mapping = only(template, 'AWS::Lambda::EventSourceMapping').Properties;
const rules = Object.entries(resourcesOf(template, 'AWS::Events::Rule'));

describe('the stream of the event log', () => {
  it('reaches the relay with new events only, so that the outbox mark wakes nobody', () => {
    expect(readable(mapping.EventSourceArn)).toBe('EventLogTable/stream');
    const [filter, ...others] = mapping.FilterCriteria.Filters as { readonly Pattern: string }[];
    expect(others).toEqual([]);
    expect(JSON.parse(filter?.Pattern ?? '')).toEqual({ eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: 'event#' }] } } } });
  });

  it('loses nothing at the start and is not stopped by one bad record', () => {
    expect(mapping).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: 10,
      MaximumRecordAgeInSeconds: 3600,
    });
    expect(readable(mapping.DestinationConfig.OnFailure.Destination)).toBe('UndeliveredQueue');
  });
});

describe('the queue of what was not delivered', () => {
  it('is encrypted, keeps its messages for two weeks and takes them over TLS only', () => {
    expect(only(template, 'AWS::SQS::Queue').Properties).toMatchObject({ SqsManagedSseEnabled: true, MessageRetentionPeriod: 14 * 24 * 3600 });
    const statements = only(template, 'AWS::SQS::QueuePolicy').Properties.PolicyDocument.Statement as Statement[];
    expect(statements).toContainEqual(expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }));
  });
});

describe('the clock', () => {
  it('has the relay sweep every minute, and does not repeat a sweep', () => {
    const [, sweep] = rules.find(([id]) => id.startsWith('RelaySweep')) ?? expect.fail('no sweep');
    expect(sweep.Properties.ScheduleExpression).toBe('rate(1 minute)');
    const [target] = sweep.Properties.Targets as { readonly Input: string; readonly RetryPolicy: unknown; readonly Arn: unknown }[];
    expect(JSON.parse(target?.Input ?? '')).toEqual({ sweep: true });
    expect(target?.RetryPolicy).toEqual({ MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 });
    expect(readable(target?.Arn)).toBe('FunctionsrelayeventsFunction');
  });
});

describe('executions that ended without being done', () => {
  const [, rule] = rules.find(([id]) => id.startsWith('StoppedExecutions')) ?? expect.fail('no rule');

  it('are told to settle-operation as the service says it', () => {
    expect(rule.Properties.EventPattern).toMatchObject({
      source: ['aws.states'],
      'detail-type': ['Step Functions Execution Status Change'],
      detail: { status: ['ABORTED', 'FAILED', 'TIMED_OUT'] },
    });
    expect(readable(rule.Properties.EventPattern.detail.stateMachineArn[0])).toBe('StateMachine');
    const [target] = rule.Properties.Targets as Readonly<Record<string, unknown>>[];
    expect(readable(target?.Arn)).toBe('FunctionssettleoperationFunction');
    expect(target).not.toHaveProperty('Input');
    expect(target).not.toHaveProperty('InputTransformer');
  });

  it('end in the queue when they cannot be told', () => {
    const [target] = rule.Properties.Targets as { readonly DeadLetterConfig: { readonly Arn: unknown } }[];
    expect(readable(target?.DeadLetterConfig.Arn)).toBe('UndeliveredQueue');
  });
});

describe('the alarms', () => {
  it('watch late, undelivered and failing events, and executions that ended badly', () => {
    const watched = Object.values(resourcesOf(template, 'AWS::CloudWatch::Alarm')).map(
      ({ Properties }) => `${String(Properties.Namespace)} ${String(Properties.MetricName)} ${readable(Properties.Dimensions[0].Value)}`,
    );
    expect(watched.sort()).toEqual([
      'AWS/Lambda Errors FunctionsrelayeventsFunction',
      'AWS/Lambda Errors FunctionssettleoperationFunction',
      'AWS/Lambda IteratorAge FunctionsrelayeventsFunction',
      'AWS/SQS ApproximateNumberOfMessagesVisible UndeliveredQueue',
      'AWS/States ExecutionsAborted StateMachine',
      'AWS/States ExecutionsFailed StateMachine',
    ]);
  });
});
