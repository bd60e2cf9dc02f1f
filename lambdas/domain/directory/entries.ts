// The directory's entries, by subject: people, programs, groups, relations. What is written here is read strictly, and
// read so again from the log; a reference always says its kind, since a bare id could be anybody's.
import * as z from 'zod';
import { LIMITS } from '../limits.ts';

const ID = '[A-Za-z0-9._-]{1,128}';
const USER = /^user:[A-Za-z0-9._@-]{1,128}$/;
const PROGRAM = new RegExp(`^(agent|service):${ID}$`);
const GROUP = new RegExp(`^group:${ID}$`);
const RELATION = new RegExp(`^(?!(?:user|agent|service|group):)[a-z][a-z0-9_-]{0,31}:${ID}#[a-z][a-z0-9_-]{0,31}$`);

export const DIRECTORY_KINDS = ['user', 'agent', 'service', 'group', 'relation'] as const;
export type DirectoryKind = (typeof DIRECTORY_KINDS)[number];

/** Undefined for what no entry can stand under, a bare id among others. */
export function kindOf(reference: string): DirectoryKind | undefined {
  if (USER.test(reference)) return 'user';
  if (PROGRAM.test(reference)) return reference.startsWith('agent:') ? 'agent' : 'service';
  if (GROUP.test(reference)) return 'group';
  return RELATION.test(reference) ? 'relation' : undefined;
}

/** The one normalisation of addresses: white space around goes, A to Z become a to z, and nothing else is folded. */
export function normaliseEmail(address: string): string {
  return address.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

const name = z.string().min(1).max(LIMITS.name_length);
const userRef = z.string().regex(USER, 'a person is named as user:<id>');
const memberRef = z.string().refine((reference) => kindOf(reference) !== undefined, 'a member is user:, agent:, service:, group:<id> or <type>:<id>#<relation>');
const iamPrincipal = z.string().max(512).regex(/^iam:\S+$/, 'a program is proven by iam:<role or user ARN>');
const list = <S extends z.ZodType>(item: S, most: number) => z.array(item).max(most);

export const personEntrySchema = z.strictObject({
  identities: z
    .strictObject({
      // Without `#`, so that issuer and subject can be told apart where they stand together. A key of DynamoDB holds 2 KiB.
      oidc: list(z.strictObject({ issuer: z.string().min(1).max(200).regex(/^[^\s#]+$/, 'an issuer has neither blanks nor #'), subject: z.string().min(1).max(255) }), 20).default([]),
      email: list(z.string().max(320).transform(normaliseEmail).pipe(z.string().regex(/^[^\s@]+@[^\s@]+$/, 'an address is <name>@<host>')), 20).default([]),
      slack: list(z.strictObject({ team: z.string().regex(/^[A-Z0-9]{2,32}$/, 'a Slack team id'), user: z.string().regex(/^[A-Z0-9]{2,32}$/, 'a Slack user id') }), 20).default([]),
      iam: list(iamPrincipal, 20).default([]),
    })
    .prefault({}),
  administrator: z.boolean().default(false),
});

export const programEntrySchema = z.strictObject({
  principals: list(iamPrincipal, 20).min(1),
  agent_ids: list(name, 50).min(1),
  workspaces: list(name, 200).min(1),
  /** Without one, nobody could tell the requester apart from the approvers. */
  owner: userRef,
  may_act_for: list(userRef, 500).default([]),
});

/** `from_claim`: a verified token may also name this group; see the configuration's `groups_claim`. */
export const groupEntrySchema = z.strictObject({ members: list(memberRef, 1000), from_claim: z.boolean().default(false) });
export const relationEntrySchema = z.strictObject({ members: list(memberRef, 1000) });

export type PersonEntry = z.output<typeof personEntrySchema>;
export type ProgramEntry = z.output<typeof programEntrySchema>;
export type GroupEntry = z.output<typeof groupEntrySchema>;
export type RelationEntry = z.output<typeof relationEntrySchema>;

export type DirectoryEntry =
  | ({ readonly kind: 'user' } & PersonEntry)
  | ({ readonly kind: 'agent' | 'service' } & ProgramEntry)
  | ({ readonly kind: 'group' } & GroupEntry)
  | ({ readonly kind: 'relation' } & RelationEntry);

/** Reads what stands, or shall stand, under a subject. Throws a ZodError naming the fields at fault. */
export function parseEntry(subject: string, input: unknown): DirectoryEntry {
  const kind = kindOf(subject);
  switch (kind) {
    case 'user':
      return { kind, ...personEntrySchema.parse(input) };
    case 'agent':
    case 'service':
      return { kind, ...programEntrySchema.parse(input) };
    case 'group':
      return { kind, ...groupEntrySchema.parse(input) };
    case 'relation':
      return { kind, ...relationEntrySchema.parse(input) };
    case undefined:
      throw new RangeError('no entry can stand under this subject');
  }
}

/** Who else must stand in the directory for this entry to mean something, with the field that names them. */
export function referencesOf(entry: DirectoryEntry): readonly { readonly reference: string; readonly field: string }[] {
  switch (entry.kind) {
    case 'user':
      return [];
    case 'agent':
    case 'service':
      return [{ reference: entry.owner, field: 'owner' }, ...entry.may_act_for.map((reference, index) => ({ reference, field: `may_act_for.${index}` }))];
    case 'group':
    case 'relation':
      return entry.members.map((reference, index) => ({ reference, field: `members.${index}` }));
  }
}
