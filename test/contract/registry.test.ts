import { PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LOCAL_TABLES, openDynamodb, type EmbeddedDynamodb } from '../../infra/local/embedded-dynamodb.ts';
import { dynamodbRegistry } from '../../lambdas/adapters/aws/dynamodb-registry.ts';
import { registryAndDirectory } from '../../lambdas/adapters/aws/wired-registry.ts';
import { seedDirectory } from '../../lambdas/functions/seed-registry/seed-directory.ts';
import type { RegistryDocument } from '../../lambdas/domain/registry.ts';
import { inMemoryRegistry, type InMemoryRegistry } from '../support/in-memory-registry.ts';
import { countedIds, handSetClock } from '../support/in-memory-system.ts';
import { brokenPromises } from '../support/port-contract.ts';
import { testRegistry, withoutTool } from '../support/port-registry.ts';
import { REGISTRY_CONTRACT, registryContract } from './registry-contract.ts';

describe('a registry', () => {
  registryContract('in memory', async () => ({ port: inMemoryRegistry() }));
  registryContract('on DynamoDB', async () => {
    const dynamodb = await openDynamodb();
    const registry = registryAndDirectory(dynamodb.client, LOCAL_TABLES, { clock: handSetClock(), ids: countedIds() });
    // As a deployment does it: which agents there are is said by the directory.
    const replace = async (document: RegistryDocument) => {
      await seedDirectory(registry, document);
      return registry.replace(document);
    };
    return { port: { ...registry, replace }, close: () => dynamodb.close() };
  });
});

describe('a registry on DynamoDB', () => {
  let dynamodb: EmbeddedDynamodb;
  beforeEach(async () => void (dynamodb = await openDynamodb()));
  afterEach(() => dynamodb.close());
  const registryOn = (client = dynamodb.client) => dynamodbRegistry(client, LOCAL_TABLES.registry);

  test('knows no tool, no caller and no workspace before the first document is stored', async () => {
    expect([await registryOn().tool('refund_payment'), await registryOn().tools(), await registryOn().workspace('w1'), await registryOn().workspaceIds()]).toEqual([undefined, [], undefined, []]);
  });

  test('refuses a row that is not as it was stored', async () => {
    await registryOn().replace(testRegistry());
    await dynamodb.client.send(new PutCommand({ TableName: LOCAL_TABLES.registry, Item: { pk: 'tool#refund_payment', sk: 'row', value: '{"name":"refund_payment","version":"1"}' } }));
    await expect(registryOn().tool('refund_payment')).rejects.toMatchObject({ name: 'CorruptRecord' });
  });

  test('leaves no row of a document whose seeding was cut off, once the next document is stored', async () => {
    await registryOn().replace(withoutTool('drop_table'));
    await expect(registryOn(endingAfter(11, dynamodb.client)).replace(testRegistry())).rejects.toThrow();
    await registryOn().replace(withoutTool('drop_table'));
    expect(await registryOn().tool('drop_table')).toBeUndefined();
  });
});

/** A client of a process that ends after so many puts. */
function endingAfter(puts: number, client: DynamoDBDocumentClient): DynamoDBDocumentClient {
  let done = 0;
  const send = async (command: PutCommand): Promise<unknown> => {
    if (command instanceof PutCommand && (done += 1) > puts) throw new Error('the process ended here');
    return client.send(command);
  };
  return new Proxy(client, { get: (target, name) => (name === 'send' ? send : (Reflect.get(target, name) as unknown)) });
}

describe('the contract of registries bites', () => {
  const without = (change: (real: InMemoryRegistry) => Partial<InMemoryRegistry>) => (): InMemoryRegistry => {
    const real = inMemoryRegistry();
    return { ...real, ...change(real) };
  };
  test.each<[string, (real: InMemoryRegistry) => Partial<InMemoryRegistry>, string]>([
    ['lets the last claim win', () => ({ claimCall: async (_, mine) => mine }), 'gives a call key to whoever claims it first and tells everybody else who that is'],
    [
      'looks first and then claims',
      (real) => {
        const claimed = new Map<string, Awaited<ReturnType<InMemoryRegistry['claimCall']>>>();
        const claimCall: InMemoryRegistry['claimCall'] = async (key, mine, keep_until) => {
          const standing = claimed.get(key);
          await real.claimCall(key, mine, keep_until);
          if (standing === undefined) claimed.set(key, mine);
          return standing ?? mine;
        };
        return { claimCall };
      },
      'gives a key that ten claim together to one of them, and tells all ten the same',
    ],
    ['clears its calls with the document', (real) => ({ replace: async (document) => ((real.calls() as Map<string, unknown>).clear(), real.replace(document)) }), 'keeps call keys through every change of the document'],
    ['takes clean-up for absence', (real) => ({ claimCall: async (key, mine, keep) => ((real.calls().get(key)?.keep_until ?? '9') < '2020' ? mine : real.claimCall(key, mine, keep)) }), 'keeps a call key that is there, however long ago its clean-up was due'],
    ['keeps the first document', (real) => ({ replace: seededOnce(real) }), 'answers from the definition of this moment'],
    ['folds the case of tool names', (real) => ({ tool: async (name) => real.tool(name.toLowerCase()) }), 'knows a tool by its exact name only, and lists all of them by name'],
    ['lists tools that are gone', (real) => ({ tools: async () => [...(await real.tools()), testRegistry().tools[5] ?? expect.fail('no tool')] }), 'removes what an earlier document left, and answers from the new one at once'],
    ['forgets an organisation', (real) => ({ widerScopes: async (scope) => (await real.widerScopes(scope)).filter((wider) => wider !== 'org:other') }), 'knows the scopes around a scope, widest first: every workspace that an agent may be in, and their organisations'],
    ['puts the workspace before its organisation', (real) => ({ widerScopes: async (scope) => (await real.widerScopes(scope)).toReversed() }), 'knows the scopes around a scope, widest first: every workspace that an agent may be in, and their organisations'],
    ['lists scopes in any order', (real) => ({ policyScopes: async () => (await real.policyScopes()).toSorted() }), 'lists the scopes of the document once each, organisations before workspaces before agents, and leaves out what cannot be a scope; and every workspace, whatever its name'],
    ['forgets workspaces that cannot be scopes', (real) => ({ workspaceIds: async () => (await real.workspaceIds()).filter((id) => !id.includes(' ')) }), 'lists the scopes of the document once each, organisations before workspaces before agents, and leaves out what cannot be a scope; and every workspace, whatever its name'],
    ['lists what cannot be a scope', (real) => ({ policyScopes: async () => [...(await real.policyScopes()), 'agent: '] as const }), 'lists the scopes of the document once each, organisations before workspaces before agents, and leaves out what cannot be a scope; and every workspace, whatever its name'],
    ['forgets the sandbox', (real) => ({ workspace: async (id) => ({ ...((await real.workspace(id)) ?? expect.fail('none')), sandbox: undefined }) }), 'tells the facts of a workspace as they were written, and nothing of one that is not there'],
  ])('a registry that %s', async (_, change, promise) => {
    expect(await brokenPromises(REGISTRY_CONTRACT, without(change))).toContain(promise);
  });

  test('and finds nothing at fault in the double itself', async () => {
    expect(await brokenPromises(REGISTRY_CONTRACT, inMemoryRegistry)).toEqual([]);
  });
});

function seededOnce(real: InMemoryRegistry): InMemoryRegistry['replace'] {
  let stored: ReturnType<InMemoryRegistry['replace']> | undefined;
  return async (document) => (stored ??= real.replace(document));
}
