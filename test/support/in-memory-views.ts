// Views that behave: each row moves only forward, a closed operation's rows stay and are not listed.
import { passes } from '../../lambdas/domain/inbox-filter.ts';
import type { InboxEntry, OperationSummary, OperationViews } from '../../lambdas/domain/operation-views.ts';
import type { Instant } from '../../lambdas/domain/times.ts';
import type { DueList, Inbox, OperationList, RecentOperations, Views } from '../../lambdas/ports/views.ts';
import { elsewhere } from './in-memory-system.ts';

interface Row {
  readonly sequence: number;
  readonly recent?: { readonly operation_id: string; readonly workspace_id: string; readonly requested_at: Instant };
  readonly listed?: { readonly workspace_id: string; readonly order: string; readonly summary: OperationSummary };
  readonly due?: { readonly operation_id: string; readonly at: Instant };
  readonly shown?: { readonly inbox: string; readonly order: string; readonly entry: InboxEntry };
}

export function inMemoryViews(): Views & Inbox & OperationList & DueList & RecentOperations {
  const rows = new Map<string, Row>();
  const putNewer = async (key: string, row: Row): Promise<void> => {
    await elsewhere();
    const standing = rows.get(key);
    if (standing === undefined || standing.sequence < row.sequence) rows.set(key, row);
  };
  return {
    write: async ({ operation_id, workspace_id, sequence, due_at, inboxes, requested_at, summary, entry, review }: OperationViews) => {
      const order = `${requested_at}#${operation_id}`;
      const listed = { workspace_id, order, summary: structuredClone(summary) };
      await putNewer(operation_id, { sequence, recent: { operation_id, workspace_id, requested_at }, listed, ...(due_at === undefined ? {} : { due: { operation_id, at: due_at } }) });
      for (const inbox of inboxes) {
        const shown = inbox === review?.inbox ? review.entry : entry;
        await putNewer(`${inbox} ${order}`, { sequence, ...(shown === undefined ? {} : { shown: { inbox, order, entry: structuredClone(shown) } }) });
      }
    },
    list: async (references, { limit, cursor, filter = {} }) => {
      await elsewhere();
      const wanted = new Set(references);
      const listed = new Map<string, InboxEntry>();
      for (const { shown } of rows.values()) if (shown !== undefined && wanted.has(shown.inbox) && shown.order > (cursor ?? '') && passes(shown.entry, filter)) listed.set(shown.order, shown.entry);
      const page = [...listed].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, limit);
      const last = page.at(-1)?.[0];
      return { entries: page.map(([, entry]) => entry), ...(listed.size > limit && last !== undefined ? { cursor: last } : {}) };
    },
    listOperations: async (workspaces, { limit, cursor = '~', status, since = '' }) => {
      await elsewhere();
      const wanted = [...rows.values()].flatMap(({ listed }) => (listed !== undefined && workspaces.includes(listed.workspace_id) && (status ?? listed.summary.status) === listed.summary.status ? [listed] : []));
      const older = wanted.filter(({ order }) => order < cursor && order >= since).sort((a, b) => (a.order < b.order ? 1 : -1));
      const page = older.slice(0, limit);
      const last = page.at(-1)?.order;
      return { operations: page.map(({ summary }) => summary), ...(older.length > limit && last !== undefined ? { cursor: last } : {}) };
    },
    recent: async (workspace_id, most) => {
      await elsewhere();
      const here = [...rows.values()].flatMap(({ recent }) => (recent?.workspace_id === workspace_id ? [recent] : []));
      return here.sort((one, other) => (one.requested_at < other.requested_at ? 1 : -1)).slice(0, most).map(({ operation_id, requested_at }) => ({ operation_id, requested_at }));
    },
    due: async (now, most) => {
      await elsewhere();
      const due = [...rows.values()].flatMap((row) => (row.due !== undefined && row.due.at <= now ? [row.due] : []));
      return due
        .sort((a, b) => (a.at < b.at ? -1 : 1))
        .slice(0, most)
        .map(({ operation_id }) => operation_id);
    },
  };
}
