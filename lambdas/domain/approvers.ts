// Who may decide, as the directory has it at this moment. One function for every channel; what it cannot resolve (a
// reference that is gone, leads back to itself, or names a program) stands for nobody, and empty means nobody.
import { DEEPEST } from './directory/walk.ts';
import type { StandIn } from './directory/directory-log.ts';
import type { Requester, Requirement, Vote } from './events.ts';
import { requesterSet } from './operation.ts';
import { hasCome, type Instant } from './times.ts';

/**
 * One requirement's people: subject → what put it there, which is its own name, a group or relation of the requirement,
 * or the person that it stands in for.
 */
export interface Eligible extends ReadonlyMap<string, string> {
  /** A token may put further people here: how many, nobody can count. */
  readonly from_claim?: boolean;
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

/** Resolves each requirement to people. The requester set never counts, nor does anybody standing in for one of it. */
export async function resolveApprovers(requirements: readonly Requirement[], requester: Requester, source: ApproverSource): Promise<readonly Eligible[]> {
  const excluded = requesterSet(requester);
  const read = once(source.entryOf);
  return Promise.all(
    requirements.map(async ({ approvers }): Promise<Eligible> => {
      const people = new Map<string, string>();
      let from_claim = false;
      for (const reference of approvers) {
        const found = await behind(reference, read, source.claimed);
        from_claim ||= found.from_claim;
        for (const subject of found.people) if (!excluded.has(subject) && !people.has(subject)) people.set(subject, reference);
      }
      for (const [subject, stand_in] of await standIns([...people.keys()], read, source.now)) {
        if (!excluded.has(stand_in) && !people.has(stand_in)) people.set(stand_in, subject);
      }
      return from_claim ? Object.assign(people, { from_claim }) : people;
    }),
  );
}

/** True where nobody is asked, or fewer people than the quorum could ever answer. */
export function nobodyCanApprove(requirements: readonly Requirement[], eligible: readonly Eligible[]): boolean {
  return requirements.length === 0 || requirements.some(({ quorum }, index) => eligible[index]?.from_claim !== true && authorities(eligible[index]).size < quorum);
}

/** How many approvals a requirement has: one for each person, and one for a person and whoever stands in for that person. */
export function approvalsOf(votes: readonly Vote[], eligible: Eligible | undefined): number {
  return new Set(votes.flatMap(({ subject, decision }) => (decision === 'approve' && eligible?.has(subject) === true ? authorityOf(subject, eligible) : []))).size;
}

/** The tokens' word that still holds: of whoever acts now, and of those whose votes recorded it. */
export function claimsAt(now: Instant, votes: readonly Vote[], acting?: { readonly subject: string; readonly claimed_groups?: readonly string[] }): ReadonlyMap<string, readonly string[]> {
  const holding = votes.flatMap(({ subject, claim }): [string, readonly string[]][] => (claim === undefined || hasCome(claim.holds_until, now) ? [] : [[subject, claim.groups]]));
  return new Map(acting?.claimed_groups === undefined ? holding : [...holding, [acting.subject, acting.claimed_groups]]);
}

function authorities(eligible: Eligible | undefined): ReadonlySet<string> {
  return new Set(eligible === undefined ? [] : [...eligible.keys()].map((subject) => authorityOf(subject, eligible)));
}

/** A person's own name, unless it only stands in for another. */
function authorityOf(subject: string, eligible: Eligible): string {
  const via = eligible.get(subject) ?? subject;
  return via.startsWith('user:') ? via : subject;
}

type Read = ApproverSource['entryOf'];

async function behind(reference: string, read: Read, claimed: ApproverSource['claimed']): Promise<{ readonly people: ReadonlySet<string>; readonly from_claim: boolean }> {
  const people = new Set<string>();
  let from_claim = false;
  const walkedAt = new Map<string, number>();
  const walk = async (each: string, above: readonly string[]): Promise<boolean> => {
    if (above.includes(each) || above.length > DEEPEST) return false;
    if ((walkedAt.get(each) ?? -1) >= above.length) return true;
    const entry = await read(each);
    if (entry?.kind === 'person') people.add(each);
    if (entry?.kind === 'group') {
      if (entry.from_claim) {
        from_claim = true;
        for (const [subject, groups] of claimed ?? []) if (groups.includes(each) && (await read(subject))?.kind === 'person') people.add(subject);
      }
      await Promise.all(entry.members.map(read));
      for (const member of entry.members) if (!(await walk(member, [...above, each]))) return false;
    }
    walkedAt.set(each, above.length);
    return true;
  };
  return (await walk(reference, [])) ? { people, from_claim } : { people: new Set(), from_claim: false };
}

/** Who has named whom for now. A stand-in's own stand-in is nobody: the chain has one link. */
async function standIns(people: readonly string[], read: Read, now: Instant): Promise<readonly (readonly [string, string])[]> {
  const named = await Promise.all(
    people.map(async (subject) => {
      const entry = await read(subject);
      const stand_in = entry?.kind === 'person' ? entry.stand_in : undefined;
      const holds = stand_in !== undefined && hasCome(stand_in.from, now) && !hasCome(stand_in.until, now);
      return holds && (await read(stand_in.to))?.kind === 'person' ? [[subject, stand_in.to] as const] : [];
    }),
  );
  return named.flat();
}

/** In one resolution every entry is read once, and is the same wherever it is met. */
function once(read: Read): Read {
  const known = new Map<string, ReturnType<Read>>();
  return (reference) => {
    const entry = known.get(reference) ?? read(reference);
    known.set(reference, entry);
    return entry;
  };
}
