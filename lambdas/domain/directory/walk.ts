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

/** Who stands behind a reference now. A reference that leads back to itself, or deeper than that, stands for nobody. */
export async function peopleBehind(reference: string, read: EntryOf): Promise<Membership> {
  const entryOf = once(read);
  const people = new Set<string>();
  const walkedAt = new Map<string, number>();
  let from_claim = false;
  const walk = async (each: string, above: readonly string[]): Promise<boolean> => {
    if (above.includes(each) || above.length > DEEPEST) return false;
    if ((walkedAt.get(each) ?? -1) >= above.length) return true;
    const entry = await entryOf(each);
    if (entry?.kind === 'user') people.add(each);
    if (entry?.kind === 'group' && entry.from_claim) from_claim = true;
    const members = entry !== undefined && 'members' in entry ? entry.members : [];
    await Promise.all(members.map(entryOf));
    for (const member of members) if (!(await walk(member, [...above, each]))) return false;
    walkedAt.set(each, above.length);
    return true;
  };
  return (await walk(reference, [])) ? { people: [...people], from_claim } : { people: [], from_claim: false };
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
function once(read: EntryOf): EntryOf {
  const known = new Map<string, ReturnType<EntryOf>>();
  return (reference) => {
    const entry = known.get(reference) ?? read(reference);
    known.set(reference, entry);
    return entry;
  };
}
