// Groups in groups: who is in one, which ones somebody is in, and whether one would be in itself. Every walk is bounded,
// and what it cannot follow adds nobody.
import type { DirectoryEntry } from './entries.ts';

/** How many groups may stand in one another. */
export const DEEPEST = 8;

export type EntryOf = (reference: string) => Promise<DirectoryEntry | undefined>;

export interface Membership {
  /** Live people only, whatever else is a member. */
  readonly people: readonly string[];
  /** A group is among them that a token may name: how many people are in it nobody can count. */
  readonly from_claim: boolean;
}

/** What a walk sees of an entry. */
export interface Seen {
  readonly person: boolean;
  readonly members: readonly string[];
  /** A token may name further people for it. */
  readonly from_claim: boolean;
}

export interface WalkedDown {
  /** Each person, with the references that led there, the first and the last included. */
  readonly people: ReadonlyMap<string, readonly string[]>;
  /** Groups that tokens may add to, likewise. */
  readonly open: ReadonlyMap<string, readonly string[]>;
}

/** Undefined for a reference that leads back to itself, or deeper than anybody follows. */
export async function walkDown(reference: string, see: (reference: string) => Promise<Seen | undefined>): Promise<WalkedDown | undefined> {
  const people = new Map<string, readonly string[]>();
  const open = new Map<string, readonly string[]>();
  const walkedAt = new Map<string, number>();
  const walk = async (each: string, above: readonly string[]): Promise<boolean> => {
    if (above.includes(each) || above.length > DEEPEST) return false;
    if ((walkedAt.get(each) ?? -1) >= above.length) return true;
    const seen = await see(each);
    const path = [...above, each];
    if (seen?.person === true && !people.has(each)) people.set(each, path);
    if (seen?.from_claim === true && !open.has(each)) open.set(each, path);
    const members = seen?.members ?? [];
    // All at once, before one after the other: a walk costs as many turns as groups are deep.
    await Promise.all(members.map(see));
    for (const member of members) if (!(await walk(member, path))) return false;
    walkedAt.set(each, above.length);
    return true;
  };
  return (await walk(reference, [])) ? { people, open } : undefined;
}

/** Who stands behind a reference now; nobody, where it leads back to itself. */
export async function peopleBehind(reference: string, read: EntryOf): Promise<Membership> {
  const entryOf = once(read);
  const walked = await walkDown(reference, async (each) => {
    const entry = await entryOf(each);
    return entry && { person: entry.kind === 'user', members: 'members' in entry ? entry.members : [], from_claim: entry.kind === 'group' && entry.from_claim };
  });
  return { people: [...(walked?.people.keys() ?? [])], from_claim: (walked?.open.size ?? 0) > 0 };
}

/** Every group and relation that a subject is in, through others too; `groupsNaming` answers for one step. */
export async function groupsAround(subjects: readonly string[], groupsNaming: (reference: string) => Promise<readonly string[]>): Promise<readonly string[]> {
  const found = new Set<string>();
  let frontier = subjects;
  for (let depth = 0; depth < DEEPEST && frontier.length > 0; depth += 1) {
    const next = (await Promise.all(frontier.map(groupsNaming))).flat().filter((group) => !found.has(group));
    for (const group of next) found.add(group);
    frontier = [...new Set(next)];
  }
  return [...found].sort();
}

/** The way on which `subject`, given these members, would come to be in itself, or deeper than anybody follows; undefined if none. */
export async function pathBack(subject: string, members: readonly string[], read: EntryOf): Promise<readonly string[] | undefined> {
  const entryOf = once(read);
  const harmlessAt = new Map<string, number>();
  const walk = async (each: string, above: readonly string[]): Promise<readonly string[] | undefined> => {
    const path = [...above, each];
    if (above.includes(each) || above.length > DEEPEST) return path;
    if ((harmlessAt.get(each) ?? -1) >= above.length) return undefined;
    const entry = await entryOf(each);
    for (const member of entry !== undefined && 'members' in entry ? entry.members : []) {
      const back = await walk(member, path);
      if (back !== undefined) return back;
    }
    harmlessAt.set(each, above.length);
    return undefined;
  };
  for (const member of members) {
    const back = await walk(member, [subject]);
    if (back !== undefined) return back;
  }
  return undefined;
}

/** In one walk every entry is read once, and is the same wherever it is met. */
export function once<E>(read: (reference: string) => Promise<E>): (reference: string) => Promise<E> {
  const known = new Map<string, Promise<E>>();
  return (reference) => {
    const entry = known.get(reference) ?? read(reference);
    known.set(reference, entry);
    return entry;
  };
}
