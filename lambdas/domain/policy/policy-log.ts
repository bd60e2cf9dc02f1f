// Policy changes as events of a log of their own, `policy#<scope>`, chained like an operation's. The newest event is
// the document: its sequence is the revision, and there is no other place where a policy stands.
import * as z from 'zod';
import { sealEvent, type Tail } from '../chain.ts';
import { actorSchema, loggedEvent } from '../events.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { Instant } from '../times.ts';
import type { PolicyScope } from './policy-document.ts';

export const policyEventSchema = loggedEvent('policy.changed', {
  policy_scope: z.string(),
  actor: actorSchema,
  revision: z.int().min(1),
  /** The document as it was written; null where it was deleted. */
  document: z.record(z.string(), z.unknown()).nullable(),
});

export type PolicyEvent = z.infer<typeof policyEventSchema>;

export interface PolicyChange {
  readonly scope: PolicyScope;
  readonly document: JsonObject | null;
  readonly actor: z.infer<typeof actorSchema>;
}

export function policySubject(scope: PolicyScope): string {
  return `policy#${scope}`;
}

export function sealPolicyChange({ scope, document, actor }: PolicyChange, tail: Tail, time: Instant, causation_id: string) {
  const data = { policy_scope: scope, actor, revision: tail.sequence + 1, document };
  return sealEvent(policyEventSchema, { type: 'policy.changed', data }, tail, { subject: policySubject(scope), time, causation_id });
}
