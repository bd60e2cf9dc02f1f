// What every set of views promises: rows move only forward, closed operations are not listed, and a page of an inbox
// is a page, whichever references a person is asked under.
import { expect } from 'vitest';
import type { InboxFilter } from '../../lambdas/domain/inbox-filter.ts';
import type { Operation } from '../../lambdas/domain/operation.ts';
import { operationViews, type InboxEntry, type OperationViews } from '../../lambdas/domain/operation-views.ts';
import { plusSeconds, type Instant } from '../../lambdas/domain/times.ts';
import type { DueList, Inbox, OperationList, OperationQuery, RecentOperations, Views } from '../../lambdas/ports/views.ts';
import { START_OF_TEST } from '../support/in-memory-system.ts';
import { registerContract, type Contract, type Opened } from '../support/port-contract.ts';
import { approve, cancel, freshOperationId, tell, type Telling } from '../support/port-samples.ts';

type Port = Views & Inbox & OperationList & DueList & RecentOperations;

const MUCH_LATER: Instant = plusSeconds(START_OF_TEST, 10 * 24 * 3600);
let people = 0;

/** An inbox that no other clause writes to. */
function somebody(kind: 'user' | 'group' = 'user'): string {
  people += 1;
  return `${kind}:person-${people}`;
}

async function opened(port: Port, telling: Telling): Promise<string> {
  const { last } = tell(telling);
  await port.write(operationViews(last));
  return last.operation_id;
}

async function idsIn(port: Port, references: readonly string[], limit = 50, cursor?: string): Promise<readonly string[]> {
  const { entries } = await port.list(references, { limit, ...(cursor === undefined ? {} : { cursor }) });
  return entries.map(({ operation_id }) => operation_id);
}

async function openedAs(port: Port, telling: Telling, shown: Partial<InboxEntry>): Promise<string> {
  const { last } = tell(telling);
  const { entry, ...views } = operationViews(last);
  await port.write({ ...views, entry: { ...(entry ?? expect.fail('it is pending')), ...shown } });
  return last.operation_id;
}

let workspaces = 0;

/** A workspace that no other clause writes to. */
function somewhere(): string {
  workspaces += 1;
  return `w-of-clause-${workspaces}`;
}

async function openedIn(port: Port, workspace_id: string, telling: Telling = {}): Promise<string> {
  const { last } = tell(telling);
  await port.write(viewsIn(workspace_id, last));
  return last.operation_id;
}

function viewsIn(workspace_id: string, operation: Operation): OperationViews {
  const views = operationViews(operation);
  return { ...views, workspace_id, summary: { ...views.summary, workspace_id } };
}

async function listedIn(port: Port, inThese: readonly string[], query: Partial<OperationQuery> = {}): Promise<readonly string[]> {
  return (await port.listOperations(inThese, { limit: 50, ...query })).operations.map(({ operation_id }) => operation_id);
}

async function listPages(port: Port, inThese: readonly string[], query: OperationQuery): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  let cursor: string | undefined;
  do {
    const page = await port.listOperations(inThese, { ...query, ...(cursor === undefined ? {} : { cursor }) });
    pages.push(page.operations.map(({ operation_id }) => operation_id));
    cursor = page.cursor;
    expect(pages.length).toBeLessThan(20);
  } while (cursor !== undefined);
  return pages;
}

/** All pages in order; a port that never ends is caught, not followed. */
async function pagesIn(port: Port, references: readonly string[], limit: number, filter: InboxFilter = {}): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  let cursor: string | undefined;
  do {
    const page = await port.list(references, { limit, filter, ...(cursor === undefined ? {} : { cursor }) });
    pages.push(page.entries.map(({ operation_id }) => operation_id));
    cursor = page.cursor;
    expect(pages.length).toBeLessThan(40);
  } while (cursor !== undefined);
  return pages;
}

async function isDue(port: Port, operation_id: string, now: Instant = MUCH_LATER): Promise<boolean> {
  return (await port.due(now, Infinity)).includes(operation_id);
}

/** All orders in which two sequences of steps can be mixed. */
function interleavings<T>(left: readonly T[], right: readonly T[]): readonly (readonly T[])[] {
  const [l, ...ls] = left;
  const [r, ...rs] = right;
  if (l === undefined) return [right];
  if (r === undefined) return [left];
  return [...interleavings(ls, right).map((rest) => [l, ...rest]), ...interleavings(left, rs).map((rest) => [r, ...rest])];
}

export const VIEWS_CONTRACT: Contract<Port> = [
  {
    promise: 'lists nothing for whom nothing waits',
    holds: async (port) => {
      expect(await port.list([somebody()], { limit: 10 })).toEqual({ entries: [] });
      expect(await port.list([], { limit: 10 })).toEqual({ entries: [] });
    },
  },
  {
    promise: 'shows a pending operation to each of its approvers, as it was written',
    holds: async (port) => {
      const [ana, ben, other] = [somebody(), somebody(), somebody()];
      const { last } = tell({ approvers: [ana, ben] });
      const views = operationViews(last);
      await port.write(views);
      for (const reference of [ana, ben]) expect(await port.list([reference], { limit: 10 })).toEqual({ entries: [views.entry] });
      expect(await idsIn(port, [other])).toEqual([]);
      expect(await isDue(port, last.operation_id)).toBe(true);
    },
  },
  {
    promise: 'takes a decided operation out of every inbox and leaves it in the due list, and a closed one out of both',
    holds: async (port) => {
      const [ana, ben] = [somebody(), somebody()];
      const { folds, last } = tell({ approvers: [ana, ben], steps: [approve, cancel] });
      for (const [index, fold] of folds.entries()) {
        await port.write(operationViews(fold));
        expect(await idsIn(port, [ana])).toEqual(index === 0 ? [last.operation_id] : []);
        expect(await idsIn(port, [ben])).toEqual(index === 0 ? [last.operation_id] : []);
        expect(await isDue(port, last.operation_id)).toBe(index < 2);
      }
    },
  },
  {
    promise: 'never brings a closed operation back, in whatever order relays write',
    holds: async (port) => {
      const orders = interleavings(['first relay: 1', 'first relay: 2', 'first relay: 3'], ['second relay: 2', 'second relay: 3', 'second relay: 1']);
      expect(orders).toHaveLength(20);
      for (const order of orders) {
        const ana = somebody();
        const { folds, last } = tell({ approvers: [ana], steps: [approve, cancel] });
        for (const step of order) await port.write(operationViews(folds[Number(step.slice(-1)) - 1]!));
        expect(await idsIn(port, [ana]), order.join(', ')).toEqual([]);
        expect(await isDue(port, last.operation_id), order.join(', ')).toBe(false);
      }
    },
  },
  {
    promise: 'never goes backwards when relays write at the same moment',
    holds: async (port) => {
      for (let round = 0; round < 4; round += 1) {
        const ana = somebody();
        const { folds, last } = tell({ approvers: [ana, somebody(), somebody()], steps: [cancel] });
        await Promise.all([folds[0], folds[1]!, folds[0]].map((fold) => port.write(operationViews(fold))));
        expect(await idsIn(port, [ana])).toEqual([]);
        expect(await isDue(port, last.operation_id)).toBe(false);
      }
    },
  },
  {
    promise: 'lists the oldest first, and the same moment by operation',
    holds: async (port) => {
      const ana = somebody();
      const [third, first, second] = [await opened(port, { approvers: [ana], at: plusSeconds(START_OF_TEST, 2) }), await opened(port, { approvers: [ana] }), await opened(port, { approvers: [ana] })];
      expect(await idsIn(port, [ana])).toEqual([first, second, third]);
    },
  },
  {
    promise: 'walks an inbox page by page without a gap or a repeat, and says when there is no more',
    holds: async (port) => {
      const ana = somebody();
      const all: string[] = [];
      for (let seconds = 0; seconds < 7; seconds += 1) all.push(await opened(port, { approvers: [ana], at: plusSeconds(START_OF_TEST, seconds) }));
      expect(await pagesIn(port, [ana], 3)).toEqual([all.slice(0, 3), all.slice(3, 6), all.slice(6)]);
    },
  },
  {
    promise: 'names no further page when the last one is exactly full',
    holds: async (port) => {
      const ana = somebody();
      for (let seconds = 0; seconds < 3; seconds += 1) await opened(port, { approvers: [ana], at: plusSeconds(START_OF_TEST, seconds) });
      const page = await port.list([ana], { limit: 3 });
      expect(page.entries).toHaveLength(3);
      expect(page.cursor).toBeUndefined();
    },
  },
  {
    promise: 'merges the inboxes of all references in time order, and shows an operation once that stands in several',
    holds: async (port) => {
      const [ana, finance, audit] = [somebody(), somebody('group'), somebody('group')];
      const all: string[] = [];
      for (const [seconds, approvers] of [[finance], [ana, finance], [audit], [ana, finance, audit], [ana]].entries()) all.push(await opened(port, { approvers, at: plusSeconds(START_OF_TEST, seconds) }));
      expect(await idsIn(port, [ana, finance, audit])).toEqual(all);
      expect(await pagesIn(port, [audit, ana, finance], 2)).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
    },
  },
  {
    promise: 'goes on after the cursor even when the entry that it names has gone',
    holds: async (port) => {
      const ana = somebody();
      const gone = tell({ approvers: [ana], steps: [cancel] });
      await port.write(operationViews(gone.folds[0]));
      const next = await opened(port, { approvers: [ana], at: plusSeconds(START_OF_TEST, 1) });
      const { cursor } = await port.list([ana], { limit: 1 });
      await port.write(operationViews(gone.last));
      expect(await idsIn(port, [ana], 10, cursor)).toEqual([next]);
    },
  },
  {
    promise: 'lists of a narrowed inbox what passes every part of the filter, and nothing else',
    holds: async (port) => {
      const ana = somebody();
      const low: InboxEntry['risk'] = { level: 'low', reasons: [] };
      const high: InboxEntry['risk'] = { level: 'high', reasons: [] };
      const kinds: Partial<InboxEntry>[] = [{ tool: 'a', workspace_id: 'w1', risk: low }, { tool: 'a', workspace_id: 'w1', risk: high }, { tool: 'a', workspace_id: 'w2', risk: high }, { tool: 'b', workspace_id: 'w1', risk: high }];
      const ids: string[] = [];
      for (const [seconds, kind] of kinds.entries()) ids.push(await openedAs(port, { approvers: [ana], at: plusSeconds(START_OF_TEST, seconds) }, kind));
      const listed = async (filter: InboxFilter): Promise<readonly number[]> => (await port.list([ana], { limit: 50, filter })).entries.map(({ operation_id }) => ids.indexOf(operation_id));
      expect(await listed({})).toEqual([0, 1, 2, 3]);
      expect(await listed({ tool: 'a' })).toEqual([0, 1, 2]);
      expect(await listed({ workspace: 'w1' })).toEqual([0, 1, 3]);
      expect(await listed({ risk: 'high' })).toEqual([1, 2, 3]);
      expect(await listed({ tool: 'a', workspace: 'w1', risk: 'high' })).toEqual([1]);
      expect(await listed({ tool: 'c' })).toEqual([]);
    },
  },
  {
    promise: 'leads through a narrowed inbox to the last entry that passes, in order and each once',
    holds: async (port) => {
      const [ana, finance] = [somebody(), somebody('group')];
      const wanted: string[] = [];
      for (let seconds = 0; seconds < 40; seconds += 1) {
        const approvers = seconds % 3 === 0 ? [ana, finance] : [seconds % 2 === 0 ? ana : finance];
        const rare = seconds % 13 === 12;
        const operation_id = await openedAs(port, { approvers, at: plusSeconds(START_OF_TEST, seconds) }, { tool: rare ? 'rare' : 'frequent' });
        if (rare) wanted.push(operation_id);
      }
      expect((await pagesIn(port, [ana, finance], 1, { tool: 'rare' })).flat()).toEqual(wanted);
    },
  },
  {
    promise: 'does not count tombstones against a page',
    holds: async (port) => {
      const ana = somebody();
      for (let seconds = 0; seconds < 6; seconds += 1) {
        const { folds, last } = tell({ approvers: [ana], at: plusSeconds(START_OF_TEST, seconds), steps: [cancel] });
        await port.write(operationViews(folds[0]));
        await port.write(operationViews(last));
      }
      const open = await opened(port, { approvers: [ana], at: plusSeconds(START_OF_TEST, 60) });
      expect(await port.list([ana], { limit: 1 })).toMatchObject({ entries: [{ operation_id: open }] });
    },
  },
  {
    promise: 'calls an operation due at its very deadline and not a moment before',
    holds: async (port) => {
      const operation_id = await opened(port, {});
      expect(await isDue(port, operation_id, plusSeconds(START_OF_TEST, 3599.999))).toBe(false);
      expect(await isDue(port, operation_id, plusSeconds(START_OF_TEST, 3600))).toBe(true);
    },
  },
  {
    promise: 'moves the due row to the deadline of the new status',
    holds: async (port) => {
      const { folds, last } = tell({ steps: [approve] });
      await port.write(operationViews(folds[0]));
      await port.write(operationViews(last));
      expect(last.status === 'granted' && last.use_by < plusSeconds(START_OF_TEST, 3600)).toBe(true);
      expect(await isDue(port, last.operation_id, plusSeconds(START_OF_TEST, 1200))).toBe(true);
    },
  },
  {
    promise: 'finds everything that is due, over all shards and more than one page of them',
    holds: async (port) => {
      const all = await Promise.all(Array.from({ length: 115 }, () => opened(port, { operation_id: freshOperationId('4') })));
      all.push(...(await Promise.all(Array.from('0123456789abcdef', (digit) => opened(port, { operation_id: freshOperationId(digit) })))));
      const found = new Set(await port.due(MUCH_LATER, Infinity));
      expect(all.filter((id) => !found.has(id))).toEqual([]);
      for (const operation_id of all) await port.write({ ...operationViews(tell({ operation_id, steps: [cancel] }).last), sequence: 99 });
    },
  },
  {
    promise: 'returns at most about as many as asked for, the longest overdue of a shard first',
    holds: async (port) => {
      const before = '2020-01-01T00:00:00.000Z';
      const ids: string[] = [];
      for (const seconds of [30, 10, 20, 50, 40, 60, 70, 80]) ids.push(await opened(port, { operation_id: freshOperationId('8'), at: plusSeconds(before, seconds) }));
      const found = await port.due(plusSeconds(before, 24 * 3600), 4);
      expect(found.length).toBeGreaterThan(0);
      expect(found.length).toBeLessThanOrEqual(8);
      expect(found[0]).toBe(ids[1]);
    },
  },
  {
    promise: 'lists the operations of a workspace newest first, as they are now, and those of no other',
    holds: async (port) => {
      const [here, elsewhere] = [somewhere(), somewhere()];
      const [pending, closed] = [tell({ at: plusSeconds(START_OF_TEST, 20) }), tell({ at: plusSeconds(START_OF_TEST, 30), steps: [approve, cancel] })];
      for (const fold of [...pending.folds, ...closed.folds]) await port.write(viewsIn(here, fold));
      await openedIn(port, elsewhere);
      const { operations, cursor } = await port.listOperations([here], { limit: 10 });
      expect(operations).toEqual([viewsIn(here, closed.last).summary, viewsIn(here, pending.last).summary]);
      expect(operations.map(({ status }) => status)).toEqual(['cancelled', 'pending']);
      expect(cursor).toBeUndefined();
      expect(await port.listOperations([somewhere()], { limit: 10 })).toEqual({ operations: [] });
      expect(await port.listOperations([], { limit: 10 })).toEqual({ operations: [] });
    },
  },
  {
    promise: 'lists an operation under the status that it has and under no earlier one, in whatever order relays write',
    holds: async (port) => {
      for (const order of [[0, 1, 2], [2, 1, 0], [1, 0, 2, 0, 1]]) {
        const here = somewhere();
        const { folds, last } = tell({ steps: [approve, cancel] });
        for (const index of order) await port.write(viewsIn(here, folds[index] ?? last));
        expect(await listedIn(port, [here], { status: 'cancelled' })).toEqual([last.operation_id]);
        for (const status of ['pending', 'granted', 'denied'] as const) expect(await listedIn(port, [here], { status })).toEqual([]);
      }
    },
  },
  {
    promise: 'merges the lists of workspaces page by page without a gap or a repeat, also where many came at the same moment',
    holds: async (port) => {
      const [one, two, three] = [somewhere(), somewhere(), somewhere()];
      const all: { readonly order: string; readonly id: string }[] = [];
      for (const [index, workspace] of [one, two, one, one, three, two, one].entries()) {
        const at = plusSeconds(START_OF_TEST, Math.floor(index / 4));
        const id = await openedIn(port, workspace, { at });
        all.push({ order: `${at}#${id}`, id });
      }
      const newest = all.toSorted((a, b) => (a.order < b.order ? 1 : -1)).map(({ id }) => id);
      expect(await listPages(port, [one, two, three], { limit: 2 })).toEqual([newest.slice(0, 2), newest.slice(2, 4), newest.slice(4, 6), newest.slice(6)]);
      expect((await listPages(port, [two, one, three], { limit: 3, status: 'pending' })).flat()).toEqual(newest);
    },
  },
  {
    promise: 'lists what was requested since a moment, that moment included, and then ends',
    holds: async (port) => {
      const here = somewhere();
      const ids: string[] = [];
      for (const seconds of [0, 1, 2, 3, 4]) ids.push(await openedIn(port, here, { at: plusSeconds(START_OF_TEST, seconds) }));
      expect(await listPages(port, [here], { limit: 2, since: plusSeconds(START_OF_TEST, 2) })).toEqual([[ids[4], ids[3]], [ids[2]]]);
      expect(await listPages(port, [here], { limit: 3, since: plusSeconds(START_OF_TEST, 2) })).toEqual([[ids[4], ids[3], ids[2]]]);
      expect(await listedIn(port, [here], { since: plusSeconds(START_OF_TEST, 4.001) })).toEqual([]);
    },
  },
  {
    promise: 'lists the newest operations of one workspace and of no other, newest first, whatever has become of them',
    holds: async (port) => {
      const [here, elsewhere] = [`w-${freshOperationId()}`, `w-${freshOperationId()}`];
      const ids: string[] = [];
      for (const seconds of [30, 10, 20]) {
        const { folds, last } = tell({ at: plusSeconds(START_OF_TEST, seconds), steps: seconds === 20 ? [cancel] : [] });
        for (const fold of folds) await port.write({ ...operationViews(fold), workspace_id: here });
        ids.push(last.operation_id);
      }
      await port.write({ ...operationViews(tell({ at: plusSeconds(START_OF_TEST, 99) }).last), workspace_id: elsewhere });
      const recent = await port.recent(here, 50);
      expect(recent.map(({ operation_id }) => operation_id)).toEqual([ids[0], ids[2], ids[1]]);
      expect(recent[1]).toEqual({ operation_id: ids[2], requested_at: plusSeconds(START_OF_TEST, 20) });
      expect((await port.recent(here, 2)).map(({ operation_id }) => operation_id)).toEqual([ids[0], ids[2]]);
      expect(await port.recent(`${here}-none`, 50)).toEqual([]);
    },
  },
];

export function viewsContract(implementation: string, open: () => Promise<Opened<Port>>): void {
  registerContract(VIEWS_CONTRACT, implementation, open);
}
