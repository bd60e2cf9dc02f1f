// The CDK app: one stack, made from `countersign.config.ts` and checked by cdk-nag before CloudFormation sees it.
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import configuration from '../countersign.config.ts';
import { ApprovalStack } from '../infra/approval-stack.ts';
import { parseConfiguration } from '../infra/config.ts';

const app = new App();
new ApprovalStack(app, parseConfiguration(configuration));
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
