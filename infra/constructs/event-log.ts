// The numbered events of every operation, policy and directory entry. Its stream drives the relay; nobody may delete from it, whatever else
// they may do in this account, because the record decides.
import { ProjectionType, StreamViewType, type Table } from 'aws-cdk-lib/aws-dynamodb';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Configuration } from '../config.ts';
import { allowIndex, allowRows, createTable, tellName } from './tables.ts';

const OPERATIONS = ['op_'];
const POLICIES = ['policy#'];
const DIRECTORY = ['directory#'];

export class EventLog extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string, configuration: Configuration) {
    super(scope, id);
    this.table = createTable(this, configuration, {
      stream: StreamViewType.NEW_IMAGE,
      indexes: [{ name: 'unpublished', partitionKey: 'unpublished_shard', sortKey: 'unpublished_since', projection: ProjectionType.KEYS_ONLY }],
      resourcePolicy: new PolicyDocument({ statements: [nobodyDeletes()] }),
    });
  }

  letLoad(...functions: readonly LambdaFunction[]): void {
    allowRows(functions, this.table, ['Query'], OPERATIONS);
    tellName(functions, 'EVENT_LOG_TABLE', this.table);
  }

  letAppend(...functions: readonly LambdaFunction[]): void {
    allowRows(functions, this.table, ['PutItem'], OPERATIONS);
  }

  letLoadPolicies(...functions: readonly LambdaFunction[]): void {
    allowRows(functions, this.table, ['Query'], POLICIES);
    tellName(functions, 'EVENT_LOG_TABLE', this.table);
  }

  letChangePolicies(...functions: readonly LambdaFunction[]): void {
    allowRows(functions, this.table, ['PutItem'], POLICIES);
  }

  letLoadDirectory(...functions: readonly LambdaFunction[]): void {
    allowRows(functions, this.table, ['Query'], DIRECTORY);
    tellName(functions, 'EVENT_LOG_TABLE', this.table);
  }

  letChangeDirectory(...functions: readonly LambdaFunction[]): void {
    allowRows(functions, this.table, ['PutItem'], DIRECTORY);
  }

  /** The outbox mark is the one change that an event ever sees. */
  letPublish(relay: LambdaFunction): void {
    allowRows([relay], this.table, ['UpdateItem'], [...OPERATIONS, ...POLICIES, ...DIRECTORY]);
    allowIndex([relay], this.table, 'unpublished');
  }
}

function nobodyDeletes(): PolicyStatement {
  return new PolicyStatement({
    sid: 'NobodyDeletes',
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ['dynamodb:DeleteItem', 'dynamodb:BatchWriteItem', 'dynamodb:PartiQLDelete', 'dynamodb:PartiQLUpdate'],
    // A table's own policy speaks of this table only, and its name is not known before it exists.
    resources: ['*'],
  });
}
