// What waits for one person, oldest first. A page costs the page, however many operations are pending.
import { fingerprintOf } from '../../domain/binding.ts';
import type { Caller } from '../../domain/caller.ts';
import type { InboxItem } from '../../domain/operation-views.ts';
import type { InboxQuery } from '../../ports/views.ts';
import { inboxOf, type InboxPorts } from '../../record/inbox-of.ts';

export interface InboxWish extends InboxQuery {
  /** Waits up to this long for a first entry; a page that has entries is answered at once. */
  readonly wait_seconds: number;
}

export interface ListedInbox {
  readonly operations: readonly (InboxItem & { readonly fingerprint: string })[];
  readonly cursor?: string;
}

export async function listInbox(ports: InboxPorts, caller: Caller, { wait_seconds, ...query }: InboxWish): Promise<ListedInbox> {
  for (let second = 0; ; second += 1) {
    const { items, cursor: next } = await inboxOf(ports, caller, query);
    // A page of which nothing is left to show leads on to the next; only the last one is waited for.
    if (items.length > 0 || next !== undefined || second >= wait_seconds) {
      const operations = items.map((entry) => ({ ...entry, fingerprint: fingerprintOf(entry.binding_hash) }));
      return { operations, ...(next === undefined ? {} : { cursor: next }) };
    }
    await ports.clock.sleep(1000);
  }
}
