// The key of keyed hashes: an HMAC key that never leaves KMS. It has no rotation, and must have none: a hash that was
// shown is compared again at the claim. Losing it only voids what waits; nothing is encrypted under it.
import { KeySpec, KeyUsage, Key } from 'aws-cdk-lib/aws-kms';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Configuration } from '../config.ts';
import { removalPolicy } from './removal.ts';

export class HashKey extends Construct {
  readonly key: Key;

  constructor(scope: Construct, id: string, configuration: Configuration) {
    super(scope, id);
    this.key = new Key(this, 'Key', {
      description: 'Countersign: keyed hashes of confidential arguments',
      keySpec: KeySpec.HMAC_256,
      keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
      removalPolicy: removalPolicy(configuration),
    });
  }

  letKeyHashes(...functions: readonly LambdaFunction[]): void {
    for (const each of functions) {
      each.addToRolePolicy(new PolicyStatement({ actions: ['kms:GenerateMac'], resources: [this.key.keyArn], conditions: { StringEquals: { 'kms:MacAlgorithm': 'HMAC_SHA_256' } } }));
      each.addEnvironment('HASH_KEY_ARN', this.key.keyArn);
    }
  }
}
