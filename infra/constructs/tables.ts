// The defaults of all four tables, and rights that follow the key: a statement names the actions, the table and
// the key prefixes that they reach. DynamoDB tells IAM the partition keys of a call as `dynamodb:LeadingKeys`.
import { AttributeType, BillingMode, Table, type ProjectionType, type TableProps } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Configuration } from '../config.ts';
import { isKept, removalPolicy } from './removal.ts';

export type TableOptions = Pick<TableProps, 'stream' | 'timeToLiveAttribute' | 'encryption' | 'encryptionKey' | 'resourcePolicy'> & { readonly indexes?: readonly Index[] };

export interface Index {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly projection: ProjectionType;
}

/** `Table`, not `TableV2`: that one wants the region of a customer-managed key at synthesis, and we are told it at deployment. */
export function createTable(scope: Construct, configuration: Configuration, { indexes = [], ...options }: TableOptions): Table {
  const table = new Table(scope, 'Table', {
    partitionKey: stringKey('pk'),
    sortKey: stringKey('sk'),
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: isKept(configuration),
    removalPolicy: removalPolicy(configuration),
    ...options,
  });
  for (const { name, partitionKey, sortKey, projection } of indexes) {
    table.addGlobalSecondaryIndex({ indexName: name, partitionKey: stringKey(partitionKey), sortKey: stringKey(sortKey), projectionType: projection });
  }
  return table;
}

function stringKey(name: string): { readonly name: string; readonly type: AttributeType.STRING } {
  return { name, type: AttributeType.STRING };
}

/** `ForAllValues` holds for a call that names no key at all, hence the second condition (IAM, multivalued keys). */
export function allowRows(functions: readonly LambdaFunction[], table: Table, actions: readonly string[], prefixes: readonly string[]): void {
  for (const each of functions) {
    each.addToRolePolicy(
      new PolicyStatement({
        actions: actions.map((action) => `dynamodb:${action}`),
        resources: [table.tableArn],
        conditions: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': prefixes.map((prefix) => `${prefix}*`) },
          Null: { 'dynamodb:LeadingKeys': 'false' },
        },
      }),
    );
  }
}

/** Reading an index reaches all of it: its keys are shards and approvers, not owners of rows. */
export function allowIndex(functions: readonly LambdaFunction[], table: Table, index: string): void {
  for (const each of functions) each.addToRolePolicy(new PolicyStatement({ actions: ['dynamodb:Query'], resources: [`${table.tableArn}/index/${index}`] }));
}

/** Who has a right on a table is told its name, and nobody else is. */
export function tellName(functions: readonly LambdaFunction[], variable: string, table: Table): void {
  for (const each of functions) each.addEnvironment(variable, table.tableName);
}
