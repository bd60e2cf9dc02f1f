// Lists that can be rebuilt from the log. Only the relay writes them, from a fresh fold, and never backwards.
import type { InboxFilter } from '../domain/inbox-filter.ts';
import type { Status } from '../domain/operation.ts';
import type { InboxEntry, OperationSummary, OperationViews } from '../domain/operation-views.ts';
import type { Instant } from '../domain/times.ts';

export interface Views {
  /** Writes all rows of one operation; a row that already shows a newer sequence stays as it is. */
  write(views: OperationViews): Promise<void>;
}

export interface InboxQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly filter?: InboxFilter;
}

/** Where a filter leaves little, a page may be short or empty and still have a cursor to go on from. */
export interface InboxPage {
  readonly entries: readonly InboxEntry[];
  readonly cursor?: string;
}

export interface Inbox {
  /** Open entries for any of these approver references, oldest first, after `cursor`. */
  list(references: readonly string[], query: InboxQuery): Promise<InboxPage>;
}

export interface OperationQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly status?: Status;
  /** Requested at this instant or later. */
  readonly since?: Instant;
}

/** May be short and still have a cursor, where an operation moved on between two looks. */
export interface OperationPage {
  readonly operations: readonly OperationSummary[];
  readonly cursor?: string;
}

export interface OperationList {
  /** The operations of these workspaces, newest first, closed ones too. */
  listOperations(workspaces: readonly string[], query: OperationQuery): Promise<OperationPage>;
}

export interface DueList {
  /** Open operations whose next deadline is at or before `now`, at most about `most`. */
  due(now: Instant, most: number): Promise<readonly string[]>;
}

export interface RecentOperations {
  /** The newest operations of one workspace, newest first. */
  recent(workspace_id: string, most: number): Promise<readonly { readonly operation_id: string; readonly requested_at: Instant }[]>;
}
