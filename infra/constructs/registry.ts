// Workspaces and tools, as the deployment names them, the hints by which the directory's entries are found, the keys of
// calls, and what is open together. They have different writers, told apart by key.
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Configuration } from '../config.ts';
import { allowRows, createTable, tellName } from './tables.ts';

const DOCUMENT_ROWS = ['tool#', 'workspace#', 'organisation#', 'document#'];
/** What a seed before the directory had left: the next one takes it away. */
const EARLIER_ROWS = ['principal#', 'person#', 'group#', 'agent#'];
const IDENTITIES = ['identity#'];
const MEMBERSHIPS = ['member#'];
const CLAIMABLE = ['listed#from_claim'];
const SPEAKERS = ['speaker#', 'listed#agent', 'listed#service'];
const STAND_INS = ['standin#'];
const LISTS = [...MEMBERSHIPS, 'listed#', ...STAND_INS, 'speaker#'];

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

  /** Who a credential is, which groups that subject is in, and which a token may name. */
  letFindCallers(...functions: readonly LambdaFunction[]): void {
    allowRows(functions, this.table, ['GetItem'], IDENTITIES);
    allowRows(functions, this.table, ['Query'], [...MEMBERSHIPS, ...CLAIMABLE]);
  }

  /** In whose place somebody decides. */
  letFindStandIns(...functions: readonly LambdaFunction[]): void {
    allowRows(functions, this.table, ['Query'], STAND_INS);
  }

  /** Where an agent may act: which policies stand around its own. */
  letFindAgents(...functions: readonly LambdaFunction[]): void {
    allowRows(functions, this.table, ['Query'], SPEAKERS);
  }

  letMaintainDirectory(...functions: readonly LambdaFunction[]): void {
    allowRows(functions, this.table, ['GetItem'], IDENTITIES);
    allowRows(functions, this.table, ['Query'], LISTS);
    allowRows(functions, this.table, ['PutItem', 'DeleteItem'], [...IDENTITIES, ...LISTS]);
  }

  letClaimCalls(...functions: readonly LambdaFunction[]): void {
    allowRows(functions, this.table, ['GetItem', 'PutItem'], ['call#']);
  }

  /** Joining, counting and leaving open lists; which operation an identical call is; whether a run goes on. */
  letOpen(submit: LambdaFunction): void {
    allowRows([submit], this.table, ['PutItem', 'Query', 'DeleteItem'], ['open#']);
    allowRows([submit], this.table, ['GetItem', 'PutItem'], ['same#', 'run#']);
  }

  letReadRuns(...functions: readonly LambdaFunction[]): void {
    allowRows(functions, this.table, ['Query'], ['open#']);
    allowRows(functions, this.table, ['GetItem'], ['run#']);
  }

  letCancelRuns(cancel: LambdaFunction): void {
    allowRows([cancel], this.table, ['Query'], ['open#']);
    allowRows([cancel], this.table, ['PutItem'], ['run#']);
  }

  /** Leaving open lists, and listing what a run was denied. */
  letLeave(relay: LambdaFunction): void {
    allowRows([relay], this.table, ['PutItem', 'Query', 'DeleteItem'], ['open#']);
    allowRows([relay], this.table, ['GetItem'], ['run#']);
    tellName([relay], 'REGISTRY_TABLE', this.table);
  }

  letReplace(seed: LambdaFunction): void {
    allowRows([seed], this.table, ['GetItem', 'PutItem'], DOCUMENT_ROWS);
    allowRows([seed], this.table, ['DeleteItem'], [...DOCUMENT_ROWS, ...EARLIER_ROWS]);
    tellName([seed], 'REGISTRY_TABLE', this.table);
  }
}
