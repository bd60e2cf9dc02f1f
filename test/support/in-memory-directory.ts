// A directory that behaves: the newest event of a log is the entry, an identity belongs to one live entry, and one of two
// who write on the same revision loses.
import { BEFORE_FIRST } from '../../lambdas/domain/chain.ts';
import { directoryEventSchema, directorySubject, sealDirectoryChange, standingIn, standsInAt, type DirectoryEvent, type Standing } from '../../lambdas/domain/directory/directory-log.ts';
import { canAdminister, identitiesOf, LIST_OF_CLAIMABLE, listOfKind, listOfMemberships, listOfSpeakers, listOfStandIns, listsOf, provenBy, type ListName } from '../../lambdas/domain/directory/lookups.ts';
import { groupsAround, peopleBehind } from '../../lambdas/domain/directory/walk.ts';
import { Fault } from '../../lambdas/domain/faults.ts';
import type { ApproverEntry } from '../../lambdas/domain/approvers.ts';
import type { AgentDirectory, DirectoryEditor, Listed, StandInDirectory } from '../../lambdas/ports/directory.ts';
import type { CallerRegistry, Directory, GroupsClaim, People } from '../../lambdas/ports/registry.ts';
import type { Clock, Ids } from '../../lambdas/ports/system.ts';
import { inMemoryEventLog, type InMemoryEventLog } from './in-memory-event-log.ts';

export type DirectoryStore = CallerRegistry & Omit<Directory, 'organisationOf'> & People & AgentDirectory & DirectoryEditor & StandInDirectory;

export interface InMemoryDirectory extends DirectoryStore {
  readonly log: InMemoryEventLog<DirectoryEvent>;
}

export function inMemoryDirectory({ clock, ids }: { readonly clock: Clock; readonly ids: Ids }, groups_claim?: GroupsClaim): InMemoryDirectory {
  const log = inMemoryEventLog(directoryEventSchema);
  const subjects = new Set<string>();
  const newest = async (subject: string): Promise<DirectoryEvent | undefined> => (await log.newest(directorySubject(subject)))?.event;
  const standing = async (subject: string): Promise<Standing> => readStanding(subject, await newest(subject));
  const entryOf = async (subject: string) => (await standing(subject)).entry;
  const everybody = async (): Promise<readonly Listed[]> => Promise.all([...subjects].sort().map(async (subject) => ({ subject, ...(await standing(subject)) })));
  const named = async (list: ListName): Promise<readonly Listed[]> => (await everybody()).filter((each) => listsOf(each).has(list));
  const holderOf = async (identity: string, but: string) => (await everybody()).find(({ subject, entry }) => subject !== but && identitiesOf(subject, entry).has(identity));
  const groupsNaming = async (reference: string) => (await named(listOfMemberships(reference))).map((each) => each.subject);
  const groupsNamed = async (names: readonly string[]) => {
    const claimed = (await named(LIST_OF_CLAIMABLE)).map(({ subject }) => subject).filter((subject) => names.includes(subject.slice('group:'.length)));
    return { claimed, around: await groupsAround(claimed, groupsNaming) };
  };
  return {
    log,
    ...(groups_claim === undefined ? {} : { groupClaims: { ...groups_claim, groupsNamed } }),
    newest,
    standing,
    callerOf: async (principal) => {
      const held = (await everybody()).find(({ entry }) => entry !== undefined && provenBy(entry).includes(principal));
      if (held?.entry === undefined) return undefined;
      const { subject, entry } = held;
      if (entry.kind === 'user') return { kind: 'person', person: { subject, administrator: entry.administrator }, groups: await groupsAround([subject], groupsNaming) };
      if (!('principals' in entry)) return undefined;
      const { principals, agent_ids, workspaces, owner, may_act_for } = entry;
      return { kind: 'program', program: { subject, principals, agent_ids, workspaces, owner, may_act_for } };
    },
    peopleBehind: (reference) => peopleBehind(reference, entryOf),
    approverEntry: async (reference) => approverEntryIn(await standing(reference)),
    list: async (kind, { limit, cursor }) => {
      const after = (await named(listOfKind(kind))).filter(({ subject }) => cursor === undefined || subject > cursor);
      const last = after.length > limit ? after[limit - 1] : undefined;
      return { entries: after.slice(0, limit), ...(last === undefined ? {} : { cursor: last.subject }) };
    },
    workspacesOfAgent: async (agent_id) => [...new Set((await named(listOfSpeakers(agent_id))).flatMap(({ entry }) => (entry !== undefined && 'workspaces' in entry ? entry.workspaces : [])))],
    agentIds: async () => [...new Set((await everybody()).flatMap(({ entry }) => (entry !== undefined && 'agent_ids' in entry ? entry.agent_ids : [])))].sort(),
    standInsTo: (subject) => named(listOfStandIns(subject)),
    standsInFor: async (subject, now) => {
      const holding = (await named(listOfStandIns(subject))).filter(({ stand_in }) => standsInAt(stand_in, now));
      return Promise.all(holding.map(async (each) => ({ subject: each.subject, groups: await groupsAround([each.subject], groupsNaming) })));
    },
    mayLeaveAdministration: async (subject) => (await everybody()).some((each) => each.subject !== subject && canAdminister(each.entry)),
    change: async (change, revision, causation_id) => {
      const { subject } = change;
      const before = await newest(subject);
      const tail = before === undefined ? BEFORE_FIRST : { sequence: before.data.sequence, hash: before.data.hash };
      if (tail.sequence !== revision) return { kind: 'conflict' };
      const sealed = sealDirectoryChange(change, tail, clock.now(), causation_id);
      for (const identity of identitiesOf(subject, readStanding(subject, sealed.event).entry)) {
        const held = await holderOf(identity, subject);
        if (held !== undefined) return { kind: 'taken', identity, by: held.subject };
      }
      if ((await log.append(sealed, ids.uniqueId())) === 'conflict') return { kind: 'conflict' };
      subjects.add(subject);
      return { kind: 'changed', event: sealed.event };
    },
  };
}

export function approverEntryIn({ entry, revision, stand_in }: Standing): ApproverEntry | undefined {
  if (entry?.kind === 'user') return { kind: 'person', revision, ...(stand_in === undefined ? {} : { stand_in }) };
  if (entry === undefined || !('members' in entry)) return undefined;
  return { kind: 'group', revision, members: entry.members, from_claim: entry.kind === 'group' && entry.from_claim };
}

function readStanding(subject: string, event: DirectoryEvent | undefined): Standing {
  try {
    return standingIn(event);
  } catch (cause) {
    throw new Fault('CorruptRecord', `the directory entry of ${subject} cannot be read`, { cause });
  }
}
