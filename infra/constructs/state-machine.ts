// The state machine that waits. Its definition is the ASL file as it stands, with the function ARNs put in; its
// history and logs hold ids and hashes, and task tokens only under its own key.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ArnFormat, Aws, Stack, Validations } from 'aws-cdk-lib';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CustomerManagedEncryptionConfiguration, DefinitionBody, LogLevel, StateMachine as Machine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { Configuration } from '../config.ts';
import { createLogGroup } from './log-groups.ts';
import { removalPolicy } from './removal.ts';

export const DEFINITION_FILE = join(import.meta.dirname, '../../statemachines/approval.asl.json');

export interface StateMachineTasks {
  readonly parkTaskToken: LambdaFunction;
  readonly runTool: LambdaFunction;
  readonly settleOperation: LambdaFunction;
}

export class StateMachine extends Construct {
  readonly machine: Machine;
  readonly #historyKey: Key;

  constructor(scope: Construct, id: string, configuration: Configuration, tasks: StateMachineTasks) {
    super(scope, id);
    this.#historyKey = new Key(this, 'Key', { description: 'Countersign execution history', enableKeyRotation: true, removalPolicy: removalPolicy(configuration) });
    this.machine = new Machine(this, 'Machine', {
      // Named, since its key is granted for exactly this ARN before the machine exists.
      stateMachineName: `${Stack.of(this).stackName}-approval`,
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromString(readFileSync(DEFINITION_FILE, 'utf8')),
      definitionSubstitutions: {
        Partition: Aws.PARTITION,
        ParkTaskTokenFunctionArn: tasks.parkTaskToken.functionArn,
        RunToolFunctionArn: tasks.runTool.functionArn,
        SettleOperationFunctionArn: tasks.settleOperation.functionArn,
      },
      logs: { destination: createLogGroup(this, 'Log', configuration), level: LogLevel.ALL, includeExecutionData: false },
      tracingEnabled: true,
      encryptionConfiguration: new CustomerManagedEncryptionConfiguration(this.#historyKey),
    });
    this.machine.addToRolePolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [tasks.parkTaskToken.functionArn, tasks.runTool.functionArn, tasks.settleOperation.functionArn] }),
    );
    this.#acknowledgeWildcards();
  }

  letStart(...functions: readonly LambdaFunction[]): void {
    for (const each of functions) {
      each.addToRolePolicy(new PolicyStatement({ actions: ['states:StartExecution'], resources: [this.machine.stateMachineArn] }));
      each.addToRolePolicy(this.#useOfHistoryKey());
      each.addEnvironment('STATE_MACHINE_ARN', this.machine.stateMachineArn);
    }
  }

  /** A policy of its own: in the role of park-task-token it would wait for the machine, which waits for that function. */
  letWake(...functions: readonly LambdaFunction[]): void {
    const roles = functions.flatMap((each) => each.role ?? []);
    const statements = [new PolicyStatement({ actions: ['states:SendTaskSuccess', 'states:SendTaskFailure'], resources: [this.machine.stateMachineArn] }), this.#useOfHistoryKey()];
    new Policy(this, 'WakePolicy', { roles, statements });
  }

  /** Whoever starts or wakes an encrypted execution may be asked for its key; it is good for this machine's data only. */
  #useOfHistoryKey(): PolicyStatement {
    const stack = Stack.of(this);
    const arn = stack.formatArn({ service: 'states', resource: 'stateMachine', resourceName: `${stack.stackName}-approval`, arnFormat: ArnFormat.COLON_RESOURCE_NAME });
    return new PolicyStatement({ actions: ['kms:Decrypt', 'kms:GenerateDataKey'], resources: [this.#historyKey.keyArn], conditions: { StringEquals: { 'kms:EncryptionContext:aws:states:stateMachineArn': arn } } });
  }

  #acknowledgeWildcards(): void {
    Validations.of(this.machine).acknowledge(
      { id: 'AwsSolutions-IAM5[Resource::*]', reason: 'CloudWatch log delivery and X-Ray know no resource that these actions could be bound to.' },
      {
        id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:*]',
        reason: 'The encryption context of a log delivery, not a resource: Step Functions documents it in this form.',
      },
    );
  }
}
