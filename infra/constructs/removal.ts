// What `removal` of the configuration means to CloudFormation, in one place for tables, keys, logs and the user pool.
import { RemovalPolicy } from 'aws-cdk-lib';
import type { Configuration } from '../config.ts';

export function removalPolicy(configuration: Configuration): RemovalPolicy {
  return configuration.removal === 'retain' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
}

export function isKept(configuration: Configuration): boolean {
  return configuration.removal === 'retain';
}
