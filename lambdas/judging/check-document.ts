// Reads a document as an administrator wrote it, before it is stored or tried: it is whole, refers to what exists, and
// does not pretend to loosen a wider scope.
import * as z from 'zod';
import type { JsonObject } from '../domain/json/json-value.ts';
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

/** Every approver must exist, and be enough people for the quorum; a group nobody is in could never answer. Who is in a
 * group that tokens name nobody can count, so it is enough for any quorum. */
async function unresolvable(people: People, { rules, default_approvers }: PolicyDocument): Promise<Refusal | undefined> {
  const asks = [...rules.flatMap((rule, index) => (rule.effect === 'ask' ? [{ ...rule, at: `rules.${index}` }] : [])), ...(default_approvers === undefined ? [] : [{ ...default_approvers, at: 'default_approvers' }])];
  for (const { approvers, quorum, at } of asks) {
    const eligible = new Set<string>();
    let uncounted = false;
    for (const reference of approvers) {
      const { people: found, from_claim } = await people.peopleBehind(reference);
      uncounted ||= from_claim;
      if (found.length === 0 && !from_claim) return refusal('policy_invalid', `${at}.approvers: ${reference} is nobody here.`, { field: `${at}.approvers` });
      for (const person of found) eligible.add(person);
    }
    if (eligible.size < quorum && !uncounted) return refusal('policy_invalid', `${at}.quorum: ${eligible.size} people cannot make a quorum of ${quorum}.`, { field: `${at}.quorum` });
  }
  return undefined;
}

async function looser(ports: CheckingPorts, scope: PolicyScope, document: PolicyDocument): Promise<Refusal | undefined> {
  const wider = await ports.policies.current(await ports.workspaces.widerScopes(scope));
  const first = looseningsOf(scope, document, wider)[0];
  return first === undefined ? undefined : refusal('policy_loosens', `${first.rule} would loosen ${first.wider_rule}: ${first.why}.`, { rule: first.rule, wider_rule: first.wider_rule });
}
