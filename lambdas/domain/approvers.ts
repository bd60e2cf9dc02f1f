// Who may decide, as the directory has it at this moment. One function for every channel; what it cannot resolve (a
// reference that is gone, leads back to itself, or names a program) stands for nobody, and empty means nobody.
import { once, walkDown, type Seen } from './directory/walk.ts';
import { standsInAt, type StandIn } from './directory/directory-log.ts';
import type { Requester, Requirement, Vote } from './events.ts';
import { isFault } from './faults.ts';
import { requesterSet } from './operation.ts';
import { hasCome, type Instant } from './times.ts';

/** What makes one person an approver. */
export interface Place {
  /** The person's own name, a reference of the requirement, or the person that it stands in for. */
  readonly via: string;
  /** Of a stand-in, everybody that it stands in for here. */
  readonly stands_in_for?: readonly string[];
  /** Every reference of the requirement that leads to this person, or to whom it stands in for. */
  readonly references: readonly string[];
  /** The entries from the first of them to the person, each with the revision that was read. */
  readonly path: readonly Step[];
}

export interface Step {
  readonly reference: string;
  readonly revision: number;
}

/** One requirement's people by subject. */
export interface Eligible extends ReadonlyMap<string, Place> {
  /** A token may put further people here: how many, nobody can count. */
  readonly from_claim?: boolean;
  /** Who would be here, were the operation not its own. Such a person may say no. */
  readonly own?: ReadonlyMap<string, Place>;
  /** Each reference that stands for nobody, and why. */
  readonly nobody?: ReadonlyMap<string, WhyNobody>;
}

/** `unreadable`: the record is there and not as it was written. What cannot be read at this moment is a fault instead. */
export type WhyNobody = 'empty' | 'unresolvable' | 'cyclic' | 'unreadable' | 'own_operation';

const BECAUSE: Readonly<Record<WhyNobody, string>> = {
  empty: 'has nobody in it',
  unresolvable: 'is not in the directory',
  cyclic: 'leads back to itself, or too deep',
  unreadable: 'cannot be read',
  own_operation: 'would decide about its own operation',
};

/** Over all requirements, each reference once. */
export function whoIsNobody(eligible: readonly Eligible[]): { approver: string; because: WhyNobody }[] {
  const because = new Map(eligible.flatMap(({ nobody }) => [...(nobody ?? [])]));
  return [...because].map(([approver, why]) => ({ approver, because: why }));
}

/** "group:finance has nobody in it; user:zoe is not in the directory". */
export function nobodyText(nobody: readonly { readonly approver: string; readonly because: WhyNobody }[]): string {
  return nobody.map(({ approver, because }) => `${approver} ${BECAUSE[because]}`).join('; ');
}

/** One approver reference, one step deep: a person as itself, a group or a relation with the references it holds. */
export type ApproverEntry =
  | { readonly kind: 'person'; readonly revision: number; readonly stand_in?: StandIn }
  | { readonly kind: 'group'; readonly revision: number; readonly members: readonly string[]; readonly from_claim: boolean };

export interface ApproverSource {
  /** Undefined for what is not there, and for what can be no approver, such as an agent. Read consistently. */
  readonly entryOf: (reference: string) => Promise<ApproverEntry | undefined>;
  readonly now: Instant;
  /** Groups that people's tokens name, as long as their word holds. */
  readonly claimed?: ReadonlyMap<string, readonly string[]>;
}

/** Resolves each requirement to people. The requester set never counts, nor does anybody standing in for one of it, unless the requirement says so. */
export async function resolveApprovers(requirements: readonly Requirement[], requester: Requester, source: ApproverSource): Promise<readonly Eligible[]> {
  const read = once(source.entryOf);
  const requesters = requesterSet(requester);
  return Promise.all(
    requirements.map(async ({ approvers, separation_of_duties }): Promise<Eligible> => {
      const excluded = separation_of_duties === false ? new Set<string>() : requesters;
      const [people, own, nobody] = [new Map<string, Place>(), new Map<string, Place>(), new Map<string, WhyNobody>()];
      let from_claim = false;
      for (const reference of approvers) {
        const found = await behind(reference, read, source.claimed);
        if (typeof found === 'string') nobody.set(reference, found);
        else if (!found.from_claim && [...found.people.keys()].every((subject) => excluded.has(subject))) nobody.set(reference, 'own_operation');
        if (typeof found === 'string') continue;
        from_claim ||= found.from_claim;
        for (const [subject, path] of found.people) addPlace(excluded.has(subject) ? own : people, subject, { via: reference, references: [reference], path });
      }
      for (const [subject, place] of await standIns(people, read, source.now)) if (!excluded.has(subject)) addStandIn(people, subject, place);
      return Object.assign(people, from_claim ? { from_claim } : {}, own.size === 0 ? {} : { own }, nobody.size === 0 ? {} : { nobody });
    }),
  );
}

/** Whose approval somebody may give: the own one, or that of any person that it stands in for. Each counts once. */
export function authoritiesOf(subject: string, eligible: Eligible): readonly string[] {
  return eligible.get(subject)?.stands_in_for ?? [subject];
}

/** The tokens' word that still holds: of whoever acts now, and of those whose votes recorded it. */
export function claimsAt(now: Instant, votes: readonly Vote[], acting?: { readonly subject: string; readonly claimed_groups?: readonly string[] }): ReadonlyMap<string, readonly string[]> {
  const holding = votes.flatMap(({ subject, claim }): [string, readonly string[]][] => (claim === undefined || hasCome(claim.holds_until, now) ? [] : [[subject, claim.groups]]));
  return new Map(acting?.claimed_groups === undefined ? holding : [...holding, [acting.subject, acting.claimed_groups]]);
}

type Read = ApproverSource['entryOf'];

interface Behind {
  readonly people: ReadonlyMap<string, readonly Step[]>;
  readonly from_claim: boolean;
}

async function behind(reference: string, read: Read, claimed: ApproverSource['claimed']): Promise<Behind | WhyNobody> {
  try {
    if ((await read(reference)) === undefined) return 'unresolvable';
    const walked = await walkDown(reference, async (each) => seenOf(await read(each)));
    if (walked === undefined) return 'cyclic';
    const paths = new Map(walked.people);
    for (const [group, path] of walked.open) {
      for (const [subject, groups] of claimed ?? []) if (groups.includes(group) && !paths.has(subject) && (await read(subject))?.kind === 'person') paths.set(subject, [...path, subject]);
    }
    const from_claim = walked.open.size > 0;
    if (paths.size === 0 && !from_claim) return 'empty';
    const steps = await Promise.all([...paths].map(async ([subject, path]) => [subject, await stepsOf(path, read)] as const));
    return { people: new Map(steps), from_claim };
  } catch (thrown) {
    if (isFault(thrown) && thrown.name === 'CorruptRecord') return 'unreadable';
    throw thrown;
  }
}

function seenOf(entry: ApproverEntry | undefined): Seen | undefined {
  return entry && { person: entry.kind === 'person', members: entry.kind === 'group' ? entry.members : [], from_claim: entry.kind === 'group' && entry.from_claim };
}

async function stepsOf(path: readonly string[], read: Read): Promise<readonly Step[]> {
  return Promise.all(path.map(async (reference) => ({ reference, revision: (await read(reference))?.revision ?? 0 })));
}

function addPlace(places: Map<string, Place>, subject: string, place: Place): void {
  const known = places.get(subject);
  places.set(subject, known === undefined ? place : { ...known, references: [...known.references, ...place.references] });
}

/** Whoever may decide anyway does so by its own right. */
function addStandIn(places: Map<string, Place>, subject: string, place: Place): void {
  const known = places.get(subject);
  if (known === undefined) places.set(subject, place);
  else if (known.stands_in_for !== undefined) places.set(subject, { ...known, stands_in_for: [...known.stands_in_for, ...(place.stands_in_for ?? [])], references: [...new Set([...known.references, ...place.references])] });
}

/** Whom people have named for now. A stand-in's own stand-in is nobody: the chain has one link. */
async function standIns(people: ReadonlyMap<string, Place>, read: Read, now: Instant): Promise<readonly (readonly [string, Place])[]> {
  const named = await Promise.all(
    [...people].map(async ([subject, { references, path }]) => {
      const entry = await read(subject);
      const stand_in = entry?.kind === 'person' ? entry.stand_in : undefined;
      if (!standsInAt(stand_in, now)) return [];
      const standing = await readable(stand_in.to, read);
      return standing?.kind === 'person' ? [[stand_in.to, { via: subject, stands_in_for: [subject], references, path: [...path, { reference: stand_in.to, revision: standing.revision }] }] as const] : [];
    }),
  );
  return named.flat();
}

/** A stand-in whose record cannot be read is nobody; it must not keep the others from deciding. */
async function readable(reference: string, read: Read): Promise<ApproverEntry | undefined> {
  try {
    return await read(reference);
  } catch (thrown) {
    if (isFault(thrown) && thrown.name === 'CorruptRecord') return undefined;
    throw thrown;
  }
}
