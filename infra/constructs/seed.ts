// Stores the registry document and the policies after each deployment that changed them. They are part of the
// function's code, so a change of them is a change of the function, and that is what makes CloudFormation run it again.
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Trigger } from 'aws-cdk-lib/triggers';
import { Construct } from 'constructs';
import type { EventLog } from './event-log.ts';
import type { Registry } from './registry.ts';

export interface SeedProps {
  readonly seedRegistry: LambdaFunction;
  readonly registry: Registry;
  readonly eventLog: EventLog;
}

export class Seed extends Construct {
  constructor(scope: Construct, id: string, { seedRegistry, registry, eventLog }: SeedProps) {
    super(scope, id);
    new Trigger(this, 'Trigger', { handler: seedRegistry, executeAfter: [registry, eventLog] });
  }
}
