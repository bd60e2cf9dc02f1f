// The key that signs the one-use field of page forms. AWS makes it up at deployment, so that no template and no
// environment variable ever holds it.
import { Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Configuration } from '../config.ts';
import { removalPolicy } from './removal.ts';

export class FormKey extends Construct {
  readonly secret: Secret;

  constructor(scope: Construct, id: string, configuration: Configuration) {
    super(scope, id);
    this.secret = new Secret(this, 'Secret', {
      description: 'Countersign: signs the one-use field of page forms',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: removalPolicy(configuration),
    });
    Validations.of(this.secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'The key guards forms for minutes and opens nothing else; replacing it only makes open forms be loaded again, so an operator does it when there is cause.',
    });
  }

  letSignForms(...functions: readonly LambdaFunction[]): void {
    for (const each of functions) {
      each.addToRolePolicy(new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [this.secret.secretArn] }));
      each.addEnvironment('FORM_KEY_SECRET_ARN', this.secret.secretArn);
    }
  }
}
