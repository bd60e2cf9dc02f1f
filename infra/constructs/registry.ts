// Callers, people, groups, workspaces and tools, as the deployment names them, and the call keys of proposals.
// The document's rows and the call keys have different writers, told apart by key.
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Configuration } from '../config.ts';
import { allowRows, createTable, tellName } from './tables.ts';

const DOCUMENT_ROWS = ['tool#', 'principal#', 'person#', 'workspace#', 'organisation#', 'agent#', 'group#', 'document#'];

export class Registry extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string, configuration: Configuration) {
    super(scope, id);
    this.table = createTable(this, configuration, { timeToLiveAttribute: 'ttl' });
  }

  letRead(...functions: readonly LambdaFunction[]): void {
    allowRows(functions, this.table, ['GetItem'], DOCUMENT_ROWS);
    tellName(functions, 'REGISTRY_TABLE', this.table);
  }

  letClaimCalls(...functions: readonly LambdaFunction[]): void {
    allowRows(functions, this.table, ['GetItem', 'PutItem'], ['call#']);
  }

  letReplace(seed: LambdaFunction): void {
    allowRows([seed], this.table, ['GetItem', 'PutItem', 'DeleteItem'], DOCUMENT_ROWS);
    tellName([seed], 'REGISTRY_TABLE', this.table);
  }
}
