// The directory on the event log's table, found through hints in the registry's. Every answer is read from the newest event
// of the entry itself: a hint that is stale, or was never followed by its entry, finds nobody, and never somebody else.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { BEFORE_FIRST, type Tail } from '../../domain/chain.ts';
import { kindOf } from '../../domain/directory/entries.ts';
import { directoryEventSchema, directorySubject, sealDirectoryChange, standingIn, standsInAt, type DirectoryEvent, type Standing } from '../../domain/directory/directory-log.ts';
import { canAdminister, identitiesOf, LIST_OF_ADMINISTRATORS, LIST_OF_CLAIMABLE, listOfKind, listOfMemberships, listOfSpeakers, listOfStandIns, listsOf, provenBy, type Identity, type ListName } from '../../domain/directory/lookups.ts';
import { groupsAround, peopleBehind } from '../../domain/directory/walk.ts';
import { Fault } from '../../domain/faults.ts';
import { epochSeconds } from '../../domain/times.ts';
import type { AgentDirectory, DirectoryEditor, Listed, StandInDirectory } from '../../ports/directory.ts';
import type { CallerRegistry, Directory, GroupsClaim, People } from '../../ports/registry.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import { directoryHints } from './dynamodb-directory-hints.ts';
import { dynamodbEventLog } from './dynamodb-event-log.ts';

/** No writer lives this long, so a hint of this age whose entry does not want it never will. */
const WRITER_SECONDS = 60;
const LOOKS = 5;
const AT_ONCE = 25;

interface Tables {
  readonly event_log: string;
  readonly registry: string;
}

export type DynamodbDirectory = CallerRegistry & Omit<Directory, 'organisationOf'> & People & AgentDirectory & DirectoryEditor & StandInDirectory;

export function dynamodbDirectory(client: DynamoDBDocumentClient, tables: Tables, { clock, ids }: { readonly clock: Clock; readonly ids: Ids }, groups_claim?: GroupsClaim): DynamodbDirectory {
  const log = dynamodbEventLog(client, tables.event_log, directoryEventSchema);
  const hints = directoryHints(client, tables.registry);
  const newest = async (subject: string): Promise<DirectoryEvent | undefined> => (kindOf(subject) === undefined ? undefined : (await log.newest(directorySubject(subject)))?.event);
  const standing = async (subject: string): Promise<Standing> => readStanding(subject, await newest(subject));
  const entryOf = async (subject: string) => (await standing(subject)).entry;
  const named = async (list: ListName): Promise<readonly Listed[]> => standingsOn(list, (await hints.everyone(list)).map(({ subject }) => subject));
  const standingsOn = async (list: ListName, subjects: readonly string[]): Promise<readonly Listed[]> =>
    (await Promise.all(subjects.map(async (subject) => ({ subject, ...(await standing(subject)) })))).filter((each) => listsOf(each).has(list));
  const groupsNaming = async (reference: string) => (await named(listOfMemberships(reference))).map(({ subject }) => subject);

  const groupsNamed = async (names: readonly string[]) => {
    const wanted = new Set(names.map((name) => `group:${name}`));
    const candidates = (await hints.everyone(LIST_OF_CLAIMABLE)).map(({ subject }) => subject).filter((subject) => wanted.has(subject));
    const claimed = (await standingsOn(LIST_OF_CLAIMABLE, candidates)).map(({ subject }) => subject);
    return { claimed, around: await groupsAround(claimed, groupsNaming) };
  };

  /** True once the identity is found under this subject; otherwise who has it. */
  const claim = async (identity: Identity, subject: string, revision: number): Promise<true | string> => {
    const mine = { subject, revision, claimed_at: epochSeconds(clock.now()) };
    for (let look = 0; look < LOOKS; look += 1) {
      if (await hints.claim(identity, mine)) return true;
      const held = await hints.holder(identity);
      if (held?.subject === subject) return true;
      if (held === undefined) continue;
      const wanted = identitiesOf(held.subject, await entryOf(held.subject)).has(identity);
      if (wanted || mine.claimed_at - held.claimed_at < WRITER_SECONDS) return held.subject;
      if (await hints.takeOver(identity, mine, held)) return true;
    }
    throw new Fault('Unavailable', 'an identity changed hands at every look');
  };

  return {
    newest,
    standing,
    callerOf: async (principal) => {
      const held = await hints.holder(principal);
      if (held === undefined) return undefined;
      const entry = await entryOf(held.subject);
      if (entry === undefined || !provenBy(entry).includes(principal)) return undefined;
      if (entry.kind === 'user') return { kind: 'person', person: { subject: held.subject, administrator: entry.administrator }, groups: await groupsAround([held.subject], groupsNaming) };
      if (!('principals' in entry)) return undefined;
      const { principals, agent_ids, workspaces, owner, may_act_for } = entry;
      return { kind: 'program', program: { subject: held.subject, principals, agent_ids, workspaces, owner, may_act_for } };
    },
    ...(groups_claim === undefined ? {} : { groupClaims: { ...groups_claim, groupsNamed } }),
    peopleBehind: (reference) => peopleBehind(reference, entryOf),
    approverEntry: async (reference) => {
      const { entry, revision, stand_in } = await standing(reference);
      if (entry?.kind === 'user') return { kind: 'person', revision, ...(stand_in === undefined ? {} : { stand_in }) };
      if (entry === undefined || !('members' in entry)) return undefined;
      return { kind: 'group', revision, members: entry.members, from_claim: entry.kind === 'group' && entry.from_claim };
    },
    list: async (kind, { limit, cursor: after }) => {
      const { hints: found, cursor } = await hints.page(listOfKind(kind), limit, after);
      return { entries: await standingsOn(listOfKind(kind), found.map(({ subject }) => subject)), ...(cursor === undefined ? {} : { cursor }) };
    },
    workspacesOfAgent: async (agent_id) => unique((await named(listOfSpeakers(agent_id))).flatMap(({ entry }) => (entry !== undefined && 'workspaces' in entry ? entry.workspaces : []))),
    agentIds: async () => unique((await Promise.all([named(listOfKind('agent')), named(listOfKind('service'))])).flat().flatMap(({ entry }) => (entry !== undefined && 'agent_ids' in entry ? entry.agent_ids : []))).toSorted(),
    standInsTo: (subject) => named(listOfStandIns(subject)),
    standsInFor: async (subject, now) => {
      const holding = (await named(listOfStandIns(subject))).filter(({ stand_in }) => standsInAt(stand_in, now));
      return Promise.all(holding.map(async (each) => ({ subject: each.subject, groups: await groupsAround([each.subject], groupsNaming) })));
    },
    mayLeaveAdministration: async (subject) => {
      // First the mark, then the look: of two who leave at once, at least one sees the other leave.
      const now = epochSeconds(clock.now());
      const own = (await hints.everyone(LIST_OF_ADMINISTRATORS)).find((hint) => hint.subject === subject);
      if (own !== undefined && !(await hints.markLeaving(LIST_OF_ADMINISTRATORS, own, now))) return false;
      const staying = (await hints.everyone(LIST_OF_ADMINISTRATORS)).filter((hint) => hint.subject !== subject && now - (hint.leaving_at ?? 0) >= WRITER_SECONDS);
      if ((await Promise.all(staying.map(async (each) => canAdminister(await entryOf(each.subject))))).includes(true)) return true;
      if (own !== undefined) await hints.markLeaving(LIST_OF_ADMINISTRATORS, own, undefined);
      return false;
    },
    change: async (change, expected, causation_id) => {
      const { subject } = change;
      const event = await newest(subject);
      const tail: Tail = event === undefined ? BEFORE_FIRST : { sequence: event.data.sequence, hash: event.data.hash };
      if (tail.sequence !== expected) return { kind: 'conflict' };
      const revision = expected + 1;
      const before = readStanding(subject, event);
      const sealed = sealDirectoryChange(change, tail, clock.now(), causation_id);
      const after = readStanding(subject, sealed.event);
      const [had, has] = [identitiesOf(subject, before.entry), identitiesOf(subject, after.entry)];
      const [stood, stands] = [listsOf(before), listsOf(after)];
      for (const identity of missing(has, had)) {
        const by = await claim(identity, subject, revision);
        if (by !== true) return { kind: 'taken', identity, by };
      }
      for (const lists of batches(missing(stands, stood))) await Promise.all(lists.map((list) => hints.enlist(list, subject, revision)));
      if ((await log.append(sealed, ids.uniqueId())) === 'conflict') return { kind: 'conflict' };
      // The change stands. What is left over now is stale, which every reader sees, so a failure here is none of the change.
      const left = [...missing(stood, stands).map((list) => hints.strike(list, subject, revision)), ...missing(had, has).map((identity) => hints.release(identity, subject, revision))];
      await Promise.allSettled(left);
      return { kind: 'changed', event: sealed.event };
    },
  };
}

/** A group may name a thousand. */
function batches<T>(these: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(these.length / AT_ONCE) }, (_, index) => these.slice(index * AT_ONCE, (index + 1) * AT_ONCE));
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

function missing<T>(these: ReadonlySet<T>, there: ReadonlySet<T>): readonly T[] {
  return [...these].filter((each) => !there.has(each));
}

/** A stored entry that no longer reads is nobody that may be passed over: nothing is decided without it. */
function readStanding(subject: string, event: DirectoryEvent | undefined): Standing {
  try {
    return standingIn(event);
  } catch (cause) {
    throw new Fault('CorruptRecord', `the directory entry of ${subject} cannot be read`, { cause });
  }
}
