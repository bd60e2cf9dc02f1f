// What waits for one person, oldest first. A page costs the page, however many operations are pending.
import { fingerprintOf } from '../../domain/binding.ts';
import type { Caller } from '../../domain/caller.ts';
import { decidableEntries, type InboxEntry } from '../../domain/operation-views.ts';
import type { Clock } from '../../ports/system.ts';
import type { Inbox, InboxQuery } from '../../ports/views.ts';

export interface InboxPorts {
  readonly inbox: Inbox;
  readonly clock: Clock;
}

export interface InboxWish extends InboxQuery {
  /** Waits up to this long for a first entry; a page that has entries is answered at once. */
  readonly wait_seconds: number;
}

export interface ListedInbox {
  readonly operations: readonly (InboxEntry & { readonly fingerprint: string })[];
  readonly cursor?: string;
}

export async function listInbox({ inbox, clock }: InboxPorts, caller: Caller, { wait_seconds, ...query }: InboxWish): Promise<ListedInbox> {
  const references = [caller.subject, ...caller.groups];
  for (let second = 0; ; second += 1) {
    const { entries: listed, cursor: next } = await inbox.list(references, query);
    const entries = decidableEntries(listed, caller.subject, clock.now());
    // A page of which nothing is left to show leads on to the next; only the last one is waited for.
    if (entries.length > 0 || next !== undefined || second >= wait_seconds) {
      const operations = entries.map((entry) => ({ ...entry, fingerprint: fingerprintOf(entry.binding_hash) }));
      return { operations, ...(next === undefined ? {} : { cursor: next }) };
    }
    await clock.sleep(1000);
  }
}
