// Reads a document as an administrator wrote it, before it is stored or tried: it is whole, refers to what exists, and
// does not pretend to loosen a wider scope.
import * as z from 'zod';
import { kindOf } from '../domain/directory/entries.ts';
import type { JsonObject } from '../domain/json/json-value.ts';
import type { Asking } from '../domain/policy/asking.ts';
import { parsePolicy, type PolicyDocument, type PolicyScope } from '../domain/policy/policy-document.ts';
import { looseningsOf } from '../domain/policy/tightening.ts';
import { refusal, type Refusal } from '../domain/refusals.ts';
import type { ConditionLanguage } from '../ports/conditions.ts';
import type { Policies } from '../ports/policies.ts';
import type { People, Workspaces } from '../ports/registry.ts';

export interface CheckingPorts {
  readonly policies: Policies;
  readonly workspaces: Workspaces;
  readonly people: People;
  readonly conditions: Pick<ConditionLanguage, 'faultOf'>;
}

/** Why a document may not be stored for this scope; undefined when it may. */
export async function faultOfDocument(ports: CheckingPorts, scope: PolicyScope, document: JsonObject): Promise<Refusal | undefined> {
  const parsed = readDocument(scope, document);
  if ('code' in parsed) return parsed;
  for (const [index, rule] of parsed.rules.entries()) {
    const fault = rule.when === undefined ? undefined : ports.conditions.faultOf(rule.when);
    if (fault !== undefined) return refusal('policy_invalid', `rules.${index}.when: ${fault}`, { field: `rules.${index}.when` });
    if (parsed.rules.findIndex(({ id }) => id === rule.id) !== index) return refusal('policy_invalid', `rules.${index}.id: ${rule.id} stands twice.`, { field: `rules.${index}.id` });
  }
  return (await unresolvable(ports.people, parsed)) ?? (await looser(ports, scope, parsed));
}

function readDocument(scope: PolicyScope, document: JsonObject): PolicyDocument | Refusal {
  try {
    return parsePolicy(scope, document);
  } catch (thrown) {
    if (!(thrown instanceof z.ZodError)) throw thrown;
    const issue = thrown.issues[0];
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
    const field = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].join('.');
    return refusal('policy_invalid', `${field === '' ? 'The document' : field}: ${issue?.message ?? 'not as expected'}`, { field });
  }
}

/**
 * Every reference must stand for somebody, and all of them together for enough people; a group nobody is in could never
 * answer. Who is in a group that tokens name nobody can count, so it is enough for any quorum.
 */
async function unresolvable(people: People, document: PolicyDocument): Promise<Refusal | undefined> {
  for (const { at, approvers, quorum, min_per_group } of asksOf(document)) {
    const together = new Set<string>();
    let uncounted = false;
    for (const reference of approvers) {
      const { people: found, from_claim } = await people.peopleBehind(reference);
      uncounted ||= from_claim;
      if (found.length === 0 && !from_claim) return refusal('policy_invalid', `${at}.approvers: ${reference} is nobody here.`, { field: `${at}.approvers` });
      const short = kindOf(reference) !== 'user' && found.length < (min_per_group ?? 0) && !from_claim;
      if (short) return refusal('policy_invalid', `${at}.min_per_group: ${found.length} people of ${reference} cannot give ${min_per_group} approvals.`, { field: `${at}.min_per_group` });
      for (const person of found) together.add(person);
    }
    const needed = Math.max(quorum, approvers.filter((reference) => kindOf(reference) !== 'user').length * (min_per_group ?? 0));
    if (together.size < needed && !uncounted) return refusal('policy_invalid', `${at}.quorum: ${together.size} people cannot make a quorum of ${needed}.`, { field: `${at}.quorum` });
  }
  return undefined;
}

interface Ask {
  readonly at: string;
  readonly approvers: readonly string[];
  readonly quorum: number;
  readonly min_per_group?: number | undefined;
}

/** Everything that names people: rules, default approvers, each level of an escalation with those before it, the glass. */
function asksOf({ rules, default_approvers, break_glass }: PolicyDocument): readonly Ask[] {
  const asks = [...rules.flatMap((rule, index) => (rule.effect === 'ask' ? [{ ...rule, at: `rules.${index}` }] : [])), ...(default_approvers === undefined ? [] : [{ ...default_approvers, at: 'default_approvers' }])];
  const glass = typeof break_glass === 'object' ? [{ at: 'break_glass.group', approvers: [break_glass.group], quorum: 2 }, { at: 'break_glass.review_by', approvers: [break_glass.review_by], quorum: 1 }] : [];
  return [...asks.flatMap((ask) => [ask, ...levelsOf(ask)]), ...glass];
}

function levelsOf({ at, approvers, quorum, escalation = [] }: Ask & { readonly escalation?: Asking['escalation'] }): readonly Ask[] {
  return escalation.map((level, index) => {
    const come = escalation.slice(0, index + 1);
    return { at: `${at}.escalation.${index}`, approvers: [...approvers, ...come.flatMap((each) => each.approvers)], quorum: Math.max(quorum, ...come.map((each) => each.quorum ?? 0)) };
  });
}

async function looser(ports: CheckingPorts, scope: PolicyScope, document: PolicyDocument): Promise<Refusal | undefined> {
  const wider = await ports.policies.current(await ports.workspaces.widerScopes(scope));
  const first = looseningsOf(scope, document, wider)[0];
  return first === undefined ? undefined : refusal('policy_loosens', `${first.rule} would loosen ${first.wider_rule}: ${first.why}.`, { rule: first.rule, wider_rule: first.wider_rule });
}
