// Executions that were stopped, failed or timed out by hand or by the service: settle-operation hears of each and
// closes its operation, so that a dead execution leaves nobody waiting.
import { Duration } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';

export interface StoppedExecutionsProps {
  readonly machine: StateMachine;
  readonly settleOperation: LambdaFunction;
  readonly undelivered: Queue;
}

export class StoppedExecutions extends Construct {
  constructor(scope: Construct, id: string, { machine, settleOperation, undelivered }: StoppedExecutionsProps) {
    super(scope, id);
    const maxEventAge = Duration.hours(2);
    new Rule(this, 'Rule', {
      description: 'Executions of Countersign that ended without being done',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: { stateMachineArn: [machine.stateMachineArn], status: ['ABORTED', 'FAILED', 'TIMED_OUT'] },
      },
      targets: [new FunctionTarget(settleOperation, { deadLetterQueue: undelivered, maxEventAge, retryAttempts: 20 })],
    });
    settleOperation.configureAsyncInvoke({ maxEventAge, retryAttempts: 2, onFailure: new SqsDestination(undelivered) });
  }
}
