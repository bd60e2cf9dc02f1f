// The right to run tools: exactly the functions that the registry of this deployment names, and none without one.
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Configuration } from '../config.ts';

export function letInvokeTools(runTool: LambdaFunction, { registry }: Configuration): void {
  const executors = new Set(registry.tools.flatMap((tool) => tool.executor?.function ?? []));
  if (executors.size > 0) runTool.addToRolePolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [...executors].sort() }));
}
