// Policies on the event log's table. Documents are parsed once per revision: the text of a revision never changes.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { BEFORE_FIRST, type Tail } from '../../domain/chain.ts';
import { Fault } from '../../domain/faults.ts';
import type { ScopedPolicy } from '../../domain/policy/evaluate-policy.ts';
import { NO_POLICY, parsePolicy, type PolicyDocument, type PolicyScope } from '../../domain/policy/policy-document.ts';
import { policyEventSchema, policySubject, sealPolicyChange, type PolicyEvent } from '../../domain/policy/policy-log.ts';
import type { Policies, PolicyEditor } from '../../ports/policies.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import { dynamodbEventLog } from './dynamodb-event-log.ts';

const PARSED_AT_MOST = 1000;

export function dynamodbPolicies(client: DynamoDBDocumentClient, table: string, { clock, ids }: { readonly clock: Clock; readonly ids: Ids }): Policies & PolicyEditor {
  const log = dynamodbEventLog(client, table, policyEventSchema);
  const parsed = new Map<string, PolicyDocument>();
  const documentOf = (scope: PolicyScope, event: PolicyEvent): PolicyDocument => {
    if (event.data.document === null) return NO_POLICY;
    const key = event.data.hash;
    const known = parsed.get(key);
    if (known !== undefined) return known;
    const document = parseStored(scope, event.data.document);
    if (parsed.size >= PARSED_AT_MOST) parsed.clear();
    parsed.set(key, document);
    return document;
  };
  return {
    current: async (scopes) =>
      Promise.all(
        scopes.map(async (scope): Promise<ScopedPolicy> => {
          const newest = (await log.newest(policySubject(scope)))?.event;
          return newest === undefined ? { scope, revision: 0, document: NO_POLICY } : { scope, revision: newest.data.revision, document: documentOf(scope, newest) };
        }),
      ),
    newest: async (scope) => (await log.newest(policySubject(scope)))?.event,
    change: async (change, revision, causation_id) => {
      const newest = (await log.newest(policySubject(change.scope)))?.event;
      const tail: Tail = newest === undefined ? BEFORE_FIRST : { sequence: newest.data.sequence, hash: newest.data.hash };
      if (tail.sequence !== revision) return 'conflict';
      const sealed = sealPolicyChange(change, tail, clock.now(), causation_id);
      return (await log.append(sealed, ids.uniqueId())) === 'appended' ? sealed.event : 'conflict';
    },
  };
}

/** A stored document that no longer reads is no policy that may be skipped: nothing is judged without it. */
function parseStored(scope: PolicyScope, document: unknown): PolicyDocument {
  try {
    return parsePolicy(scope, document);
  } catch (cause) {
    throw new Fault('CorruptRecord', `the policy of ${scope} cannot be read`, { cause });
  }
}
