// How relay-events is driven: by the stream of the event log at once, and by the clock for what the stream missed.
// A record that cannot be handled is given up after a while, so that it does not stop those behind it.
import { Duration, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { FilterCriteria, StartingPosition, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/** CDK types a filter as anything; it is a pattern over the stream record. */
const NEW_EVENTS = FilterCriteria.filter({ eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: 'event#' }] } } } }) as Readonly<Record<string, string>>;

export interface RelayProps {
  readonly relayEvents: LambdaFunction;
  readonly eventLog: Table;
  readonly undelivered: Queue;
}

export class Relay extends Construct {
  constructor(scope: Construct, id: string, { relayEvents, eventLog, undelivered }: RelayProps) {
    super(scope, id);
    relayEvents.addEventSource(
      new DynamoEventSource(eventLog, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: 25,
        // Marking an event as published changes its item: without the filter the relay would feed itself.
        filters: [NEW_EVENTS],
        bisectBatchOnError: true,
        reportBatchItemFailures: true,
        retryAttempts: 10,
        maxRecordAge: Duration.hours(1),
        onFailure: new SqsDlq(undelivered),
      }),
    );
    // A sweep that failed is not repeated: the next one comes within the minute.
    const maxEventAge = Duration.minutes(1);
    relayEvents.configureAsyncInvoke({ maxEventAge, retryAttempts: 0 });
    new Rule(this, 'Sweep', {
      description: 'Countersign: publishes, wakes and expires what the stream missed',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new FunctionTarget(relayEvents, { event: RuleTargetInput.fromObject({ sweep: true }), maxEventAge, retryAttempts: 0 })],
    });
    Validations.of(relayEvents.role ?? relayEvents).acknowledge({ id: 'AwsSolutions-IAM5[Resource::*]', reason: 'dynamodb:ListStreams knows no resource; the stream itself is named.' });
  }
}
