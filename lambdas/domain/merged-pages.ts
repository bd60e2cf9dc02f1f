// One page out of several ordered stretches of rows. Each stretch was read up to a bound only, so the page ends where
// the shortest look ended: nothing is shown before what may lie unread ahead of it, and the cursor goes on from there.

/** What one bounded query found, by a key that sorts as the list does. */
export interface Stretch<T> {
  readonly rows: readonly (readonly [order: string, row: T])[];
  /** How far was looked, where there may be more beyond it. Absent where the list ended. */
  readonly looked_to?: string;
}

export interface MergedPage<T> {
  readonly rows: readonly T[];
  /** The order after which the next page begins; absent where nothing is left. */
  readonly cursor?: string;
}

export function mergedPage<T>(stretches: readonly Stretch<T>[], limit: number, direction: 'oldest_first' | 'newest_first'): MergedPage<T> {
  const before = direction === 'oldest_first' ? (a: string, b: string) => a < b : (a: string, b: string) => a > b;
  const compare = (a: string, b: string): number => (a === b ? 0 : before(a, b) ? -1 : 1);
  const [horizon] = stretches.flatMap(({ looked_to }) => looked_to ?? []).sort(compare);
  const known = new Map(stretches.flatMap(({ rows }) => rows).filter(([order]) => horizon === undefined || !before(horizon, order)));
  const orders = [...known.keys()].sort(compare);
  const shown = orders.slice(0, limit);
  const cursor = orders.length > limit ? shown.at(-1) : horizon;
  return { rows: shown.flatMap((order) => known.get(order) ?? []), ...(cursor === undefined ? {} : { cursor }) };
}
