// The directory: who is whom, who is in what, and who speaks for whom while somebody is away. Read consistently from the
// logs of its entries at the moment of use; it is written on the revision that the writer had read.
import type { ApproverEntry } from '../domain/approvers.ts';
import type { DirectoryKind } from '../domain/directory/entries.ts';
import type { DirectoryChange, DirectoryEvent, Standing } from '../domain/directory/directory-log.ts';
import type { Instant } from '../domain/times.ts';

export interface ApproverDirectory {
  /** Undefined for what is not there, and for what can be no approver, such as an agent. */
  approverEntry(reference: string): Promise<ApproverEntry | undefined>;
}

export interface StandInDirectory {
  /** Whom this person stands in for at this moment, each with the groups and relations around that person. */
  standsInFor(subject: string, now: Instant): Promise<readonly { readonly subject: string; readonly groups: readonly string[] }[]>;
}

export interface AgentDirectory {
  /** Every workspace that some program may speak for this agent in. */
  workspacesOfAgent(agent_id: string): Promise<readonly string[]>;
  /** Every agent that some program may speak for, by name. */
  agentIds(): Promise<readonly string[]>;
}

export interface Listed extends Standing {
  readonly subject: string;
}

export interface DirectoryPage {
  readonly entries: readonly Listed[];
  readonly cursor?: string;
}

export interface DirectoryReader {
  standing(subject: string): Promise<Standing>;
  newest(subject: string): Promise<DirectoryEvent | undefined>;
  /** Entries of one kind by subject, up to `limit` of them, after `cursor`. A page may hold fewer, and lead on. */
  list(kind: DirectoryKind, page: { readonly limit: number; readonly cursor?: string }): Promise<DirectoryPage>;
  /** People who have named this one as their stand-in, whenever it holds. */
  standInsTo(subject: string): Promise<readonly Listed[]>;
}

export type DirectoryWritten =
  | { readonly kind: 'changed'; readonly event: DirectoryEvent }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'taken'; readonly identity: string; readonly by: string };

export interface DirectoryEditor extends DirectoryReader {
  /** Appends the change as the revision after `revision`; `taken` where another live entry has one of its identities. */
  change(change: DirectoryChange, revision: number, causation_id: string): Promise<DirectoryWritten>;
  /** Says that this person is about to stop being an administrator. False where nobody else would be left. */
  mayLeaveAdministration(subject: string): Promise<boolean>;
}
