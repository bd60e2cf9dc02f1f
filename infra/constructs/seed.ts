// Stores the registry document after each deployment that changed it. The document is part of the function's code,
// so a change of it is a change of the function, and that is what makes CloudFormation run it again.
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Trigger } from 'aws-cdk-lib/triggers';
import { Construct } from 'constructs';
import type { Registry } from './registry.ts';

export class Seed extends Construct {
  constructor(scope: Construct, id: string, seedRegistry: LambdaFunction, registry: Registry) {
    super(scope, id);
    new Trigger(this, 'Trigger', { handler: seedRegistry, executeAfter: [registry] });
  }
}
