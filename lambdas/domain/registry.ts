// The registry: which workspaces and tools exist, and the people, groups and programs that the directory begins with. It is
// a document that the deployment names and `seed-registry` stores; unknown fields and dangling references are refused there.
import * as z from 'zod';
import { canonicalJson } from './json/canonical-json.ts';
import { sha256Digest } from './json/digest.ts';
import { parseJson } from './json/parse-json.ts';
import { LIMITS } from './limits.ts';

const name = z.string().min(1).max(LIMITS.name_length).regex(/^\S(?:[^\p{C}\p{Zl}\p{Zp}]*\S)?$/u, 'a name has no line breaks or control characters, and no white space around it');
const userRef = z.string().regex(/^user:[A-Za-z0-9._@-]+$/, 'a person is named as user:<id>');
const groupRef = z.string().regex(/^group:[A-Za-z0-9._-]+$/, 'a group is named as group:<id>');
/** `Refund {amount} {currency} to {/customer/id}`: a member's name, or the JSON Pointer of something deeper. */
const template = z.string().min(1).max(200).regex(/^(?:[^{}]|\{[^{}]{1,128}\})*$/, 'braces enclose the name or the JSON Pointer of an argument');
const pointers = z.array(z.string().regex(/^(\/|$)/, 'a JSON Pointer starts with /'));

export const riskSchema = z.object({ level: z.enum(['low', 'medium', 'high', 'critical']), reasons: z.array(z.string()) });

export const toolSchema = z.strictObject({
  name,
  version: name,
  /** `observation` changes nothing outside; everything else is consequential. */
  consequence: z.enum(['observation', 'change', 'irreversible']),
  risk: riskSchema.extend({ reasons: z.array(z.string()).default([]) }).default({ level: 'medium', reasons: [] }),
  /** Which function runs it: a Lambda ARN on AWS, a name of `examples/tools` here. None: there is nothing to run. */
  executor: z.strictObject({ function: z.string().min(1) }).optional(),
  idempotent: z.boolean().default(false),
  /** How long one run may take. A Lambda may run 15 minutes, and the runner needs the rest. */
  timeout_seconds: z.int().min(1).max(840).default(60),
  /** How long a grant stays good. */
  use_within_seconds: z.int().min(1).max(24 * 3600).default(900),
  display: z.strictObject({ critical: pointers.optional(), always_hidden: pointers.optional(), allow_only: pointers.optional() }).default({}),
  /** The line that says what a call would do; without it the tool's name and the arguments, as far as they fit. */
  summary: template.optional(),
  /** Arguments that could be guessed from their digest, such as a PIN: events and people see a keyed hash instead. */
  confidential: z.boolean().default(false),
  /** Whether an approver may ask for the exact arguments, hidden values included. Each time is an event. */
  reveal: z.enum(['never', 'on_request']).default('never'),
});

export const programSchema = z.strictObject({
  subject: z.string().regex(/^(agent|service):[A-Za-z0-9._-]+$/, 'a caller is named as agent:<id> or service:<id>'),
  principals: z.array(z.string().regex(/^iam:/, 'a program is proven by iam:<role or user ARN>')).min(1),
  agent_ids: z.array(name).min(1),
  workspaces: z.array(name).min(1),
  owner: userRef,
  may_act_for: z.array(userRef).default([]),
});

export const personSchema = z.strictObject({
  subject: userRef,
  principals: z.array(z.string().regex(/^oidc:[^\s#]+#./, 'a person is proven by oidc:<issuer>#<sub>')).min(1),
  administrator: z.boolean().default(false),
});

/** A group whose members a token may name as well needs none here. */
export const groupSchema = z
  .strictObject({ id: groupRef, members: z.array(userRef).default([]), from_claim: z.boolean().default(false) })
  .refine(({ members, from_claim }) => from_claim || members.length > 0, { error: 'a group has at least one member', path: ['members'] });
export const workspaceSchema = z.strictObject({
  id: name,
  org_id: name,
  /** What makes some tools harmless here; see domain/policy/auto-approval.ts. */
  sandbox: z.strictObject({ path: z.string().min(1).max(256) }).optional(),
  network_access: z.boolean().default(false),
  search_backend: name.optional(),
  browser_backend: name.optional(),
});

const documentSchema = z.strictObject({
  workspaces: z.array(workspaceSchema).min(1),
  programs: z.array(programSchema),
  people: z.array(personSchema),
  groups: z.array(groupSchema).default([]),
  tools: z.array(toolSchema),
});

export type Tool = z.infer<typeof toolSchema>;
export type Program = z.infer<typeof programSchema>;
export type Person = z.infer<typeof personSchema>;
export type Group = z.infer<typeof groupSchema>;
export type Workspace = z.infer<typeof workspaceSchema>;
export type RegistryDocument = z.infer<typeof documentSchema>;
/** The document as it is written by hand, defaults not yet filled in. */
export type RegistryInput = z.input<typeof documentSchema>;

/** Reads a registry document. Throws an Error that names each field at fault, and stores nothing. */
export function parseRegistry(input: unknown): RegistryDocument {
  const parsed = documentSchema.safeParse(input);
  if (!parsed.success) throw new Error(`The registry is refused:\n${z.prettifyError(parsed.error)}`);
  const faults = danglingReferences(parsed.data);
  if (faults.length > 0) throw new Error(`The registry is refused:\n${faults.map((fault) => `✖ ${fault}`).join('\n')}`);
  return parsed.data;
}

/** Identifies one definition of a tool: what an approver was shown is bound to it, and the claim compares it. */
export function toolDigest(tool: Tool): string {
  return sha256Digest(canonicalJson(parseJson(JSON.stringify(tool))));
}

function danglingReferences(document: RegistryDocument): string[] {
  const people = new Set<string>(document.people.map((person) => person.subject));
  const workspaces = new Set(document.workspaces.map((workspace) => workspace.id));
  const faults: string[] = [];
  const need = (set: Set<string>, where: string, ref: string): void => {
    if (!set.has(ref)) faults.push(`${where} names ${ref}, which the registry does not hold`);
  };
  for (const group of document.groups) for (const member of group.members) need(people, group.id, member);
  for (const program of document.programs) {
    for (const workspace of program.workspaces) need(workspaces, program.subject, workspace);
    for (const person of [...program.may_act_for, program.owner]) need(people, program.subject, person);
  }
  faults.push(...repeated('tool', document.tools.map((tool) => tool.name)));
  faults.push(...repeated('person', document.people.map((person) => person.subject)));
  faults.push(...repeated('group', document.groups.map((group) => group.id)));
  faults.push(...repeated('workspace', document.workspaces.map((workspace) => workspace.id)));
  faults.push(...repeated('program', document.programs.map((program) => program.subject)));
  faults.push(...repeated('principal', [...document.people, ...document.programs].flatMap((entry) => entry.principals)));
  return faults;
}

function repeated(what: string, names: readonly string[]): string[] {
  const twins = names.map((each) => each.trim().toLowerCase());
  return names.flatMap((each, index) => {
    const first = twins.indexOf(twins[index] ?? '');
    if (first === index) return [];
    return [names[first] === each ? `${what} ${each} stands twice` : `${what} ${each} looks like ${what} ${names[first] ?? ''}`];
  });
}
