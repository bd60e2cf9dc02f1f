// Lists that can be rebuilt from the event log: inbox rows, summaries, due dates. Only the relay writes them.
import { ProjectionType, type Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Configuration } from '../config.ts';
import { allowIndex, allowRows, createTable, tellName } from './tables.ts';

export class Views extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string, configuration: Configuration) {
    super(scope, id);
    this.table = createTable(this, configuration, {
      timeToLiveAttribute: 'ttl',
      indexes: [
        { name: 'inbox', partitionKey: 'inbox', sortKey: 'inbox_order', projection: ProjectionType.ALL },
        { name: 'due', partitionKey: 'due_shard', sortKey: 'due_at', projection: ProjectionType.KEYS_ONLY },
        { name: 'recent', partitionKey: 'workspace_id', sortKey: 'requested_at', projection: ProjectionType.KEYS_ONLY },
        // One index for both kinds of list: CloudFormation adds one to a standing table at a time.
        { name: 'listed', partitionKey: 'listed_in', sortKey: 'listed_order', projection: ProjectionType.KEYS_ONLY },
      ],
    });
  }

  letReadInbox(...functions: readonly LambdaFunction[]): void {
    allowIndex(functions, this.table, 'inbox');
    tellName(functions, 'VIEWS_TABLE', this.table);
  }

  letListOperations(...functions: readonly LambdaFunction[]): void {
    allowIndex(functions, this.table, 'listed');
    allowRows(functions, this.table, ['BatchGetItem'], ['operation#']);
    tellName(functions, 'VIEWS_TABLE', this.table);
  }

  letReadRecent(...functions: readonly LambdaFunction[]): void {
    allowIndex(functions, this.table, 'recent');
    tellName(functions, 'VIEWS_TABLE', this.table);
  }

  letReadLeases(...functions: readonly LambdaFunction[]): void {
    allowRows(functions, this.table, ['GetItem'], ['lease#']);
    tellName(functions, 'VIEWS_TABLE', this.table);
  }

  letRenewLeases(renew: LambdaFunction): void {
    allowRows([renew], this.table, ['PutItem'], ['lease#']);
  }

  letMaintain(relay: LambdaFunction): void {
    allowRows([relay], this.table, ['PutItem'], ['operation#', 'inbox#']);
    allowRows([relay], this.table, ['GetItem', 'PutItem', 'DeleteItem'], ['lease#']);
    allowIndex([relay], this.table, 'due');
    tellName([relay], 'VIEWS_TABLE', this.table);
  }
}
