// What waits for one person: in the own name, in those of the person's groups, and in place of whoever has named this
// person to stand in. Each is a list of its own, read up to the page, so that what else is pending costs nothing.
import type { Caller } from '../domain/caller.ts';
import { LIMITS } from '../domain/limits.ts';
import { mergedPage, type Stretch } from '../domain/merged-pages.ts';
import { decidableEntries, type InboxEntry, type InboxItem } from '../domain/operation-views.ts';
import type { StandInDirectory } from '../ports/directory.ts';
import type { Clock } from '../ports/system.ts';
import type { Inbox, InboxQuery } from '../ports/views.ts';

export interface InboxPorts {
  readonly inbox: Inbox;
  readonly standIns: StandInDirectory;
  readonly clock: Clock;
}

export interface InboxItems {
  readonly items: readonly InboxItem[];
  readonly cursor?: string;
}

export async function inboxOf({ inbox, standIns, clock }: InboxPorts, caller: Caller, query: InboxQuery): Promise<InboxItems> {
  const now = clock.now();
  const absent = caller.kind === 'user' ? (await standIns.standsInFor(caller.subject, now)).slice(0, LIMITS.stands_in_for) : [];
  const stretches = await Promise.all(
    [...absent, caller].map(async ({ subject, groups }): Promise<Stretch<InboxItem>> => {
      const { entries, cursor } = await inbox.list([subject, ...groups], query);
      // Nobody decides about an operation of their own, nor does whoever stands in for them.
      const decidable = decidableEntries(decidableEntries(entries, subject, now), caller.subject, now).filter(({ review }) => subject === caller.subject || review === undefined);
      const rows = decidable.map((entry) => [orderOf(entry), subject === caller.subject ? entry : { ...entry, stands_in_for: subject }] as const);
      return { rows, ...(cursor === undefined ? {} : { looked_to: cursor }) };
    }),
  );
  // The last of the same order stands: what is the reader's own is told as the reader's own.
  const { rows, cursor } = mergedPage(stretches, query.limit, 'oldest_first');
  return { items: rows, ...(cursor === undefined ? {} : { cursor }) };
}

function orderOf({ requested_at, operation_id }: InboxEntry): string {
  return `${requested_at}#${operation_id}`;
}
