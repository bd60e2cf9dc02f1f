import { describe, expect, test } from 'vitest';
import { LOCAL_TABLES, openDynamodb } from '../../infra/local/embedded-dynamodb.ts';
import { dynamodbOperationList } from '../../lambdas/adapters/aws/dynamodb-operation-list.ts';
import { dynamodbViews } from '../../lambdas/adapters/aws/dynamodb-views.ts';
import { passes } from '../../lambdas/domain/inbox-filter.ts';
import type { DueList, Inbox, OperationList, RecentOperations, Views } from '../../lambdas/ports/views.ts';
import { inMemoryViews } from '../support/in-memory-views.ts';
import { brokenPromises } from '../support/port-contract.ts';
import { VIEWS_CONTRACT, viewsContract } from './views-contract.ts';

type Port = Views & Inbox & OperationList & DueList & RecentOperations;

describe('views', () => {
  viewsContract('in memory', async () => ({ port: inMemoryViews() }));
  viewsContract('on DynamoDB', async () => {
    const dynamodb = await openDynamodb();
    const port = { ...dynamodbViews(dynamodb.client, LOCAL_TABLES.views), ...dynamodbOperationList(dynamodb.client, LOCAL_TABLES.views) };
    return { port, close: () => dynamodb.close() };
  });
});

describe('the contract of views bites', () => {
  const without = (change: (real: Port) => Partial<Port>) => (): Port => {
    const real = inMemoryViews();
    return { ...real, ...change(real) };
  };
  /** A new sequence with every write, whatever the views say theirs is: the last writer always wins. */
  const lastWriterWins = (real: Port): Partial<Port> => {
    let writes = 0;
    return { write: async (views) => real.write({ ...views, sequence: (writes += 1) }) };
  };

  test.each<[string, (real: Port) => Partial<Port>, string]>([
    ['go backwards', lastWriterWins, 'never brings a closed operation back, in whatever order relays write'],
    ['skip what closes', (real) => ({ write: async (views) => (views.entry === undefined ? undefined : real.write(views)) }), 'takes a decided operation out of every inbox and leaves it in the due list, and a closed one out of both'],
    ['tend one inbox only', (real) => ({ write: async (views) => real.write({ ...views, inboxes: views.inboxes.slice(0, 1) }) }), 'shows a pending operation to each of its approvers, as it was written'],
    ['list the newest first', (real) => ({ list: async (references, page) => ({ ...(await real.list(references, page)), entries: (await real.list(references, page)).entries.toReversed() }) }), 'lists the oldest first, and the same moment by operation'],
    ['begin each page anew', (real) => ({ list: async (references, { limit }) => real.list(references, { limit }).then(({ entries }) => ({ entries })) }), 'walks an inbox page by page without a gap or a repeat, and says when there is no more'],
    ['name a page that is empty', (real) => ({ list: async (references, page) => ({ cursor: '2026', ...(await real.list(references, page)) }) }), 'names no further page when the last one is exactly full'],
    [
      'put inbox after inbox',
      (real) => ({ list: async (references, page) => ({ entries: (await Promise.all(references.map((each) => real.list([each], page)))).flatMap(({ entries }) => entries).slice(0, page.limit) }) }),
      'merges the inboxes of all references in time order, and shows an operation once that stands in several',
    ],
    ['narrow by the tool alone', (real) => ({ list: async (references, { filter = {}, ...page }) => real.list(references, { ...page, filter: filter.tool === undefined ? {} : { tool: filter.tool } }) }), 'lists of a narrowed inbox what passes every part of the filter, and nothing else'],
    [
      'end where a whole page was let go',
      (real) => ({
        list: async (references, { filter = {}, ...page }) => {
          const whole = await real.list(references, page);
          const entries = whole.entries.filter((entry) => passes(entry, filter));
          return entries.length === 0 ? { entries } : { ...whole, entries };
        },
      }),
      'leads through a narrowed inbox to the last entry that passes, in order and each once',
    ],
    ['are due too early', (real) => ({ due: async (_, most) => real.due('9999', most) }), 'calls an operation due at its very deadline and not a moment before'],
    ['are due too late', (real) => ({ due: async (now, most) => real.due(new Date(Date.parse(now) - 1).toISOString(), most) }), 'calls an operation due at its very deadline and not a moment before'],
    ['give one page of what is due', (real) => ({ due: async (now, most) => (await real.due(now, most)).slice(0, 100) }), 'finds everything that is due, over all shards and more than one page of them'],
    ['mix workspaces', (real) => ({ write: async (views) => real.write({ ...views, workspace_id: 'any' }), recent: async (_, most) => real.recent('any', most) }), 'lists the newest operations of one workspace and of no other, newest first, whatever has become of them'],
    ['list the oldest first', (real) => ({ recent: async (workspace, most) => (await real.recent(workspace, most)).toReversed() }), 'lists the newest operations of one workspace and of no other, newest first, whatever has become of them'],
    ['forget what closed', (real) => ({ write: async (views) => (views.due_at === undefined ? real.write({ ...views, workspace_id: '' }) : real.write(views)) }), 'lists the newest operations of one workspace and of no other, newest first, whatever has become of them'],
    [
      'tell a page of the oldest operations first',
      (real) => ({ listOperations: async (workspaces, query) => ({ ...(await real.listOperations(workspaces, query)), operations: (await real.listOperations(workspaces, query)).operations.toReversed() }) }),
      'lists the operations of a workspace newest first, as they are now, and those of no other',
    ],
    ['lose closed operations', (real) => ({ listOperations: async (workspaces, query) => real.listOperations(workspaces, { ...query, status: 'pending' }) }), 'lists the operations of a workspace newest first, as they are now, and those of no other'],
    ['take any status', (real) => ({ listOperations: async (workspaces, { limit }) => real.listOperations(workspaces, { limit }) }), 'lists an operation under the status that it has and under no earlier one, in whatever order relays write'],
    [
      'go on after a moment',
      (real) => ({
        listOperations: async (workspaces, { cursor, ...query }) => real.listOperations(workspaces, { ...query, ...(cursor === undefined ? {} : { cursor: cursor.slice(0, 24) }) }),
      }),
      'merges the lists of workspaces page by page without a gap or a repeat, also where many came at the same moment',
    ],
    ['leave out the moment itself', (real) => ({ listOperations: async (workspaces, { since, ...query }) => real.listOperations(workspaces, { ...query, ...(since === undefined ? {} : { since: `${since}~` }) }) }), 'lists what was requested since a moment, that moment included, and then ends'],
    ['know no bound', (real) => ({ due: async (now) => (await real.due(now, Infinity)).concat(Array.from({ length: 9 }, () => '')) }), 'returns at most about as many as asked for, the longest overdue of a shard first'],
  ])('views that %s', async (_, change, promise) => {
    expect(await brokenPromises(VIEWS_CONTRACT, without(change))).toContain(promise);
  });

  test('and finds nothing at fault in the double itself', async () => {
    expect(await brokenPromises(VIEWS_CONTRACT, inMemoryViews)).toEqual([]);
  });
});
