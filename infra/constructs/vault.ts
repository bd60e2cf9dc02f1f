// Full arguments, results and task tokens, under a key of their own: who may not use the key reads nothing, whatever
// their rights on the table. No stream and no index, so that nothing carries a secret out of it.
import { Stack } from 'aws-cdk-lib';
import { TableEncryption, type Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Configuration } from '../config.ts';
import { removalPolicy } from './removal.ts';
import { allowRows, createTable, tellName } from './tables.ts';

type Row = 'arguments#' | 'result#' | 'token#';
const READ_KEY = ['kms:Decrypt', 'kms:DescribeKey'];
const WRITE_KEY = ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];

export class Vault extends Construct {
  readonly table: Table;
  readonly key: Key;

  constructor(scope: Construct, id: string, configuration: Configuration) {
    super(scope, id);
    this.key = new Key(this, 'Key', { description: 'Countersign vault: arguments, results, task tokens', enableKeyRotation: true, removalPolicy: removalPolicy(configuration) });
    this.table = createTable(this, configuration, { timeToLiveAttribute: 'ttl', encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: this.key });
  }

  /** A repeated proposal is compared with what stands there, hence the read. */
  letKeepArguments(...functions: readonly LambdaFunction[]): void {
    this.#allow(functions, 'arguments#', ['PutItem', 'GetItem']);
  }

  letReadArguments(...functions: readonly LambdaFunction[]): void {
    this.#allow(functions, 'arguments#', ['GetItem']);
  }

  letKeepResults(...functions: readonly LambdaFunction[]): void {
    this.#allow(functions, 'result#', ['PutItem']);
  }

  letReadResults(...functions: readonly LambdaFunction[]): void {
    this.#allow(functions, 'result#', ['GetItem']);
  }

  letParkTokens(...functions: readonly LambdaFunction[]): void {
    this.#allow(functions, 'token#', ['PutItem']);
  }

  letReadTokens(...functions: readonly LambdaFunction[]): void {
    this.#allow(functions, 'token#', ['GetItem']);
  }

  #allow(functions: readonly LambdaFunction[], row: Row, actions: readonly string[]): void {
    allowRows(functions, this.table, actions, [row]);
    tellName(functions, 'VAULT_TABLE', this.table);
    const writes = actions.some((action) => action !== 'GetItem');
    for (const each of functions) each.addToRolePolicy(this.#useKey(writes ? [...READ_KEY, ...WRITE_KEY] : READ_KEY));
  }

  /** DynamoDB uses the key in the caller's name; by itself the caller can do nothing with it. */
  #useKey(actions: readonly string[]): PolicyStatement {
    return new PolicyStatement({
      actions: [...actions],
      resources: [this.key.keyArn],
      conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${Stack.of(this).region}.amazonaws.com` } },
    });
  }
}
