import { describe, expect, test } from 'vitest';
import { LOCAL_TABLES, openDynamodb } from '../../infra/local/embedded-dynamodb.ts';
import { dynamodbEventLog } from '../../lambdas/adapters/aws/dynamodb-event-log.ts';
import { dynamodbPolicies } from '../../lambdas/adapters/aws/dynamodb-policies.ts';
import { NO_POLICY, parsePolicy } from '../../lambdas/domain/policy/policy-document.ts';
import { policyEventSchema } from '../../lambdas/domain/policy/policy-log.ts';
import { inMemoryPolicies, type InMemoryPolicies } from '../support/in-memory-policies.ts';
import { countedIds, handSetClock } from '../support/in-memory-system.ts';
import { brokenPromises } from '../support/port-contract.ts';
import { POLICIES_CONTRACT, policiesContract, type PolicyStore } from './policies-contract.ts';

function double(): InMemoryPolicies {
  return inMemoryPolicies({ clock: handSetClock(), ids: countedIds() });
}

describe('policies', () => {
  policiesContract('in memory', async () => ({ port: double() }));
  policiesContract('on DynamoDB', async () => {
    const dynamodb = await openDynamodb();
    const system = { clock: handSetClock(), ids: countedIds() };
    const log = dynamodbEventLog(dynamodb.client, LOCAL_TABLES.event_log, policyEventSchema);
    return { port: { ...dynamodbPolicies(dynamodb.client, LOCAL_TABLES.event_log, system), log }, close: () => dynamodb.close() };
  });
});

describe('the contract of policies bites', () => {
  const without = (change: (real: InMemoryPolicies) => Partial<PolicyStore>) => (): PolicyStore => {
    const real = double();
    return { ...real, ...change(real) };
  };
  /** Looks for the newest revision and writes on that, whatever the writer had read. */
  const lastWriterWins = (real: InMemoryPolicies): Partial<PolicyStore> => ({
    change: async (change, _, causation_id) => {
      for (;;) {
        const written = await real.change(change, (await real.newest(change.scope))?.data.revision ?? 0, causation_id);
        if (written !== 'conflict') return written;
      }
    },
  });
  test.each<[string, (real: InMemoryPolicies) => Partial<PolicyStore>, string]>([
    ['let the last writer win', lastWriterWins, 'lets one of two win that write on the same revision at once, and of ten that create a scope'],
    ['take any revision', lastWriterWins, 'refuses a write on any revision but the newest, and changes nothing then'],
    ['answer only for what was written', (real) => ({ current: async (scopes) => (await real.current(scopes)).filter(({ revision }) => revision > 0) }), 'answers for each scope in the order asked, wherever the others stand'],
    ['go back to the document before a deletion', (real) => ({ current: async (scopes) => Promise.all(scopes.map(async (scope) => ({ scope, revision: 2, document: parsePolicy(scope, (await real.log.load(`policy#${scope}`)).find(({ event }) => event.data.document !== null)?.event.data.document ?? {}) }))) }), 'says nothing for a scope whose document was deleted, and goes on counting from there'],
    ['start again after a deletion', (real) => ({ newest: async (scope) => real.newest(scope).then((event) => (event?.data.document === null ? undefined : event)) }), 'says nothing for a scope whose document was deleted, and goes on counting from there'],
    ['skip what they cannot read', (real) => ({ current: async (scopes) => real.current(scopes).catch(() => scopes.map((scope) => ({ scope, revision: 1, document: NO_POLICY }))) }), 'judges by no document that it cannot read any more: that is a corrupt record, not an empty policy'],
    ['fold the case of scopes', (real) => ({ current: async (scopes) => real.current(scopes.map((scope) => scope.toLowerCase() as typeof scope)) }), 'keeps scopes apart whose names look alike'],
    ['remember the first answer', (real) => rememberingOnce(real), 'counts revisions from 1 without a gap, says the newest, and tells who wrote what in its event'],
  ])('policies that %s', async (_, change, promise) => {
    expect(await brokenPromises(POLICIES_CONTRACT, without(change))).toContain(promise);
  });

  test('and finds nothing at fault in the double itself', async () => {
    expect(await brokenPromises(POLICIES_CONTRACT, double)).toEqual([]);
  });
});

function rememberingOnce(real: InMemoryPolicies): Partial<PolicyStore> {
  const known = new Map<string, ReturnType<InMemoryPolicies['newest']>>();
  return {
    newest: async (scope) => {
      const answer = known.get(scope) ?? real.newest(scope);
      known.set(scope, answer);
      return answer;
    },
    change: async (change, revision, causation_id) => {
      const written = await real.change(change, revision, causation_id);
      if (!known.has(change.scope)) known.set(change.scope, real.newest(change.scope));
      return written;
    },
  };
}
