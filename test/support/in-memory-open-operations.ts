// Open lists, identical calls and runs that behave: whoever joined before a look is seen by it, the first cancel of a
// run stays, and an identical call is replaced only over what the replacer saw.
import type { CancelledRun, OpenOperations, Place, Runs, SameCalls } from '../../lambdas/ports/open-operations.ts';
import type { Instant } from '../../lambdas/domain/times.ts';
import { elsewhere } from './in-memory-system.ts';

type Standing = Place & { readonly joined_at: Instant };

export interface InMemoryOpenOperations extends OpenOperations, SameCalls, Runs {
  /** Places over all lists. */
  readonly places: () => readonly Standing[];
}

export function inMemoryOpenOperations(): InMemoryOpenOperations {
  const lists = new Map<string, Map<string, Standing>>();
  const same = new Map<string, string>();
  const runs = new Map<string, { readonly cancelled?: CancelledRun }>();
  const of = (list: string): Map<string, Standing> => {
    const standing = lists.get(list) ?? new Map<string, Standing>();
    lists.set(list, standing);
    return standing;
  };
  return {
    join: async (list, place) => {
      await elsewhere();
      of(list).set(`${place.operation_id}#${place.attempt}`, structuredClone(place));
    },
    leave: async (list, { operation_id, attempt }) => {
      await elsewhere();
      of(list).delete(`${operation_id}#${attempt}`);
    },
    leaveAll: async (list, operation_id) => {
      await elsewhere();
      for (const [key, place] of of(list)) if (place.operation_id === operation_id) of(list).delete(key);
    },
    listed: async (list, most) => {
      await elsewhere();
      const ids = [...new Set([...of(list).values()].map(({ operation_id }) => operation_id))].sort().slice(0, most);
      return structuredClone([...of(list).values()].filter(({ operation_id }) => ids.includes(operation_id)));
    },
    claimSame: async (call, mine, over) => {
      await elsewhere();
      const standing = same.get(call);
      if (standing !== undefined && standing !== over) return standing;
      same.set(call, mine);
      return mine;
    },
    beginRun: async (run) => {
      await elsewhere();
      if (!runs.has(run)) runs.set(run, {});
    },
    run: async (run) => {
      await elsewhere();
      return structuredClone(runs.get(run));
    },
    cancelRun: async (run, cancelled) => {
      await elsewhere();
      if (runs.get(run)?.cancelled === undefined) runs.set(run, { cancelled: structuredClone(cancelled) });
    },
    places: () => [...lists.values()].flatMap((list) => [...list.values()]),
  };
}
