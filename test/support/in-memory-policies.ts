// Policies that behave: each scope's newest change is what it says, and one of two that write on the same revision loses.
import { BEFORE_FIRST } from '../../lambdas/domain/chain.ts';
import { systemActor } from '../../lambdas/domain/caller.ts';
import { Fault } from '../../lambdas/domain/faults.ts';
import type { JsonObject } from '../../lambdas/domain/json/json-value.ts';
import { NO_POLICY, parsePolicy, type PolicyDocument, type PolicyScope } from '../../lambdas/domain/policy/policy-document.ts';
import { policyEventSchema, policySubject, sealPolicyChange, type PolicyEvent } from '../../lambdas/domain/policy/policy-log.ts';
import type { Policies, PolicyEditor } from '../../lambdas/ports/policies.ts';
import type { Clock, Ids } from '../../lambdas/ports/system.ts';
import { inMemoryEventLog, type InMemoryEventLog } from './in-memory-event-log.ts';
import type { PolicySet } from './port-registry.ts';

export interface InMemoryPolicies extends Policies, PolicyEditor {
  readonly log: InMemoryEventLog<PolicyEvent>;
  /** Puts a document in place as a deployment does, unpublished events and all; null takes it away. */
  seed(scope: PolicyScope, document: JsonObject | null): Promise<PolicyEvent>;
}

interface System {
  readonly clock: Clock;
  readonly ids: Ids;
}

export function inMemoryPolicies({ clock, ids }: System, initial: PolicySet = {}): InMemoryPolicies {
  const log = inMemoryEventLog(policyEventSchema);
  // What was there before the test began was told to everybody long ago.
  const ready = seedAll(log, clock, initial);
  const newest = async (scope: PolicyScope): Promise<PolicyEvent | undefined> => {
    await ready;
    return (await log.newest(policySubject(scope)))?.event;
  };
  const change: PolicyEditor['change'] = async (wanted, revision, causation_id) => {
    const before = await newest(wanted.scope);
    const tail = before === undefined ? BEFORE_FIRST : { sequence: before.data.sequence, hash: before.data.hash };
    if (tail.sequence !== revision) return 'conflict';
    const sealed = sealPolicyChange(wanted, tail, clock.now(), causation_id);
    return (await log.append(sealed, ids.uniqueId())) === 'appended' ? sealed.event : 'conflict';
  };
  return {
    log,
    newest,
    change,
    current: (scopes) =>
      Promise.all(
        scopes.map(async (scope) => {
          const event = await newest(scope);
          return { scope, revision: event?.data.revision ?? 0, document: event === undefined ? NO_POLICY : documentOf(scope, event) };
        }),
      ),
    seed: async (scope, document) => {
      const written = await change({ scope, document, actor: systemActor('seed') }, (await newest(scope))?.data.revision ?? 0, 'deployment:seed');
      if (written === 'conflict') throw new Error('somebody else writes policy in this test');
      return written;
    },
  };
}

async function seedAll(log: InMemoryEventLog<PolicyEvent>, clock: Clock, initial: PolicySet): Promise<void> {
  for (const [scope, document] of Object.entries(initial)) {
    if (document === undefined) continue;
    const sealed = sealPolicyChange({ scope: scope as PolicyScope, document, actor: systemActor('seed') }, BEFORE_FIRST, clock.now(), 'deployment:seed');
    await log.append(sealed, scope);
    await log.markRelayed(sealed.event, 'published', clock.now());
  }
}

function documentOf(scope: PolicyScope, { data }: PolicyEvent): PolicyDocument {
  if (data.document === null) return NO_POLICY;
  try {
    return parsePolicy(scope, data.document);
  } catch (cause) {
    throw new Fault('CorruptRecord', `the policy of ${scope} cannot be read`, { cause });
  }
}
