// Directory changes as events of a log of their own, `directory#<subject>`, chained like an operation's. The newest event
// is the entry: its sequence is the revision, and whatever else stands somewhere is only a hint to it.
import * as z from 'zod';
import type { Actor } from '../caller.ts';
import { sealEvent, type Tail } from '../chain.ts';
import { actorSchema, loggedEvent } from '../events.ts';
import type { JsonObject } from '../json/json-value.ts';
import { hasCome, type Instant } from '../times.ts';
import { kindOf, parseEntry, type DirectoryEntry } from './entries.ts';

const instant = z.iso.datetime({ precision: 3 });
export const standInSchema = z.object({ to: z.string(), from: instant, until: instant });

export const directoryEventSchema = loggedEvent('directory.changed', {
  directory_subject: z.string().refine((subject) => kindOf(subject) !== undefined),
  actor: actorSchema,
  revision: z.int().min(1),
  /** The entry as it is now; null where it was removed. */
  entry: z.record(z.string(), z.unknown()).nullable(),
  /** Who wrote the entry last. Naming a stand-in writes no entry. */
  entry_by: z.string(),
  /** Whom this person has named to decide in their place, and when. */
  stand_in: standInSchema.optional(),
});

export type DirectoryEvent = z.infer<typeof directoryEventSchema>;
export type StandIn = z.infer<typeof standInSchema>;

export interface DirectoryChange {
  readonly subject: string;
  readonly entry: JsonObject | null;
  readonly entry_by: string;
  readonly stand_in?: StandIn | undefined;
  readonly actor: Actor;
}

/** What stands under a subject now. `entry` is undefined where there is nothing, or nothing any more. */
export interface Standing {
  readonly revision: number;
  readonly entry: DirectoryEntry | undefined;
  readonly entry_by: string | undefined;
  readonly stand_in: StandIn | undefined;
}

/** From its first instant on, and at its last no more. */
export function standsInAt(stand_in: StandIn | undefined, now: Instant): stand_in is StandIn {
  return stand_in !== undefined && hasCome(stand_in.from, now) && !hasCome(stand_in.until, now);
}

export const NOTHING_STANDS: Standing = { revision: 0, entry: undefined, entry_by: undefined, stand_in: undefined };

/** Throws a ZodError where the stored entry cannot be read any more. */
export function standingIn(event: DirectoryEvent | undefined): Standing {
  if (event === undefined) return NOTHING_STANDS;
  const { directory_subject, revision, entry, entry_by, stand_in } = event.data;
  return { revision, entry: entry === null ? undefined : parseEntry(directory_subject, entry), entry_by, stand_in: entry === null ? undefined : stand_in };
}

export function directorySubject(subject: string): string {
  return `directory#${subject}`;
}

export function sealDirectoryChange({ subject, entry, entry_by, stand_in, actor }: DirectoryChange, tail: Tail, time: Instant, causation_id: string) {
  const data = { directory_subject: subject, actor, revision: tail.sequence + 1, entry, entry_by, stand_in: entry === null ? undefined : stand_in };
  return sealEvent(directoryEventSchema, { type: 'directory.changed', data }, tail, { subject: directorySubject(subject), time, causation_id });
}
