// By what an entry is found: the identities that are its own, and the lists that it stands in. These are hints for finding
// it; whether one holds, only the entry itself says.
import type { DirectoryEntry, DirectoryKind } from './entries.ts';
import type { Standing } from './directory-log.ts';

/** `oidc:<issuer>#<subject>`, `email:<address>`, `slack:<team>/<user>`, `iam:<ARN>`; one each in the whole directory. */
export type Identity = string;

/** A list is named by what it is of: `member#user:ana`, `listed#user`. */
export type ListName = string;

export const listOfMemberships = (reference: string): ListName => `member#${reference}`;
export const listOfKind = (kind: DirectoryKind): ListName => `listed#${kind}`;
export const LIST_OF_ADMINISTRATORS: ListName = 'listed#administrator';
export const listOfSpeakers = (agent_id: string): ListName => `speaker#${agent_id}`;
export const LIST_OF_CLAIMABLE: ListName = 'listed#from_claim';
export const listOfStandIns = (subject: string): ListName => `standin#${subject}`;

/** Subjects that look alike are one identity, so that nobody can be mistaken for somebody. */
export function identitiesOf(subject: string, entry: DirectoryEntry | undefined): ReadonlySet<Identity> {
  return new Set(entry === undefined ? [] : [`subject:${subject.toLowerCase()}`, ...provenBy(entry)]);
}

export function listsOf({ entry, stand_in }: Pick<Standing, 'entry' | 'stand_in'>): ReadonlySet<ListName> {
  if (entry === undefined) return new Set();
  return new Set([
    listOfKind(entry.kind),
    ...('members' in entry ? entry.members.map(listOfMemberships) : []),
    ...('agent_ids' in entry ? entry.agent_ids.map(listOfSpeakers) : []),
    ...(entry.kind === 'group' && entry.from_claim ? [LIST_OF_CLAIMABLE] : []),
    ...(canAdminister(entry) ? [LIST_OF_ADMINISTRATORS] : []),
    ...(stand_in === undefined ? [] : [listOfStandIns(stand_in.to)]),
  ]);
}

/** An administrator who cannot sign in keeps nobody from being locked out. */
export function canAdminister(entry: DirectoryEntry | undefined): boolean {
  return entry?.kind === 'user' && entry.administrator && entry.identities.oidc.length > 0;
}

/** What proves that somebody is this subject, once a channel has verified it. A name never does. */
export function provenBy(entry: DirectoryEntry): readonly Identity[] {
  switch (entry.kind) {
    case 'user': {
      const { oidc, email, slack, iam } = entry.identities;
      return [...oidc.map(({ issuer, subject }) => `oidc:${issuer}#${subject}`), ...email.map((address) => `email:${address}`), ...slack.map(({ team, user }) => `slack:${team}/${user}`), ...iam];
    }
    case 'agent':
    case 'service':
      return entry.principals;
    case 'group':
    case 'relation':
      return [];
  }
}
