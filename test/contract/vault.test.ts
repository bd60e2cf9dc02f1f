import { describe, expect, test } from 'vitest';
import { LOCAL_TABLES, openDynamodb } from '../../infra/local/embedded-dynamodb.ts';
import { dynamodbVault } from '../../lambdas/adapters/aws/dynamodb-vault.ts';
import { inMemoryVault, type InMemoryVault } from '../support/in-memory-vault.ts';
import { brokenPromises } from '../support/port-contract.ts';
import { VAULT_CONTRACT, vaultContract } from './vault-contract.ts';

describe('a vault', () => {
  vaultContract('in memory', async () => ({ port: inMemoryVault() }));
  vaultContract('on DynamoDB', async () => {
    const dynamodb = await openDynamodb();
    return { port: dynamodbVault(dynamodb.client, LOCAL_TABLES.vault), close: () => dynamodb.close() };
  });
});

describe('the contract of vaults bites', () => {
  const without = (change: (real: InMemoryVault) => Partial<InMemoryVault>) => (): InMemoryVault => {
    const real = inMemoryVault();
    return { ...real, ...change(real) };
  };
  /** The text, read as JSON and printed again: what keeping a map instead of bytes comes to. */
  const bent = (json: string): string => JSON.stringify(JSON.parse(json));

  test.each<[string, (real: InMemoryVault) => Partial<InMemoryVault>, string]>([
    ['keeps values instead of bytes', (real) => ({ putArguments: async (id, bytes, keep) => real.putArguments(id, bent(bytes), keep) }), 'gives arguments and results back byte for byte, whatever the values'],
    ['trims results', (real) => ({ putResult: async (id, json, keep) => real.putResult(id, json.trim(), keep) }), 'gives arguments and results back byte for byte, whatever the values'],
    ['cuts long arguments', (real) => ({ putArguments: async (id, bytes, keep) => real.putArguments(id, bytes.slice(0, 100_000), keep) }), 'takes arguments of 320 KiB in multi-byte text'],
    [
      'replaces arguments',
      (real) => ({ putArguments: async (id, bytes, keep) => (real.tamperArguments(id, undefined), real.putArguments(id, bytes, keep)) }),
      'takes the same arguments again, and calls other arguments under the same operation a corrupt record',
    ],
    ['swallows other arguments', (real) => ({ putArguments: async (id, bytes, keep) => real.putArguments(id, bytes, keep).catch(() => undefined) }), 'keeps the first of two different arguments that arrive together'],
    ['lets the last token win', (real) => ({ parkToken: async (id, state, token, keep) => real.parkToken(id, state, { ...token, entered_at: '9999', retry_count: 0 }, keep) }), 'lets the later entry win, in whatever order two tokens arrive'],
    ['looks at the entry only', (real) => ({ parkToken: async (id, state, token, keep) => real.parkToken(id, state, { ...token, retry_count: 0 }, keep) }), 'lets the later retry of one entry win, counted as numbers'],
    ['decodes tokens', (real) => ({ readToken: async (id, state) => decodeURIComponent((await real.readToken(id, state)) ?? '') || undefined }), 'returns a token with all its plus signs, slashes and equals signs'],
    ['has one token an operation', (real) => ({ readToken: async (id) => real.readToken(id, 'await_decision'), parkToken: async (id, _, token, keep) => real.parkToken(id, 'await_decision', token, keep) }), 'tells the waiting states of one operation apart'],
    ['refuses its own token', (real) => ({ parkToken: async (id, state, token, keep) => ((await real.readToken(id, state)) === token.task_token ? 'superseded' : real.parkToken(id, state, token, keep)) }), 'takes the same token again, since its function may be called twice'],
    [
      'takes clean-up for absence',
      (real) => ({ readArguments: async (id) => ((real.argumentsKept().get(id)?.keep_until ?? '') < '2020' ? undefined : real.readArguments(id)) }),
      'reads a row that is there, however long ago its clean-up was due, and still refuses to replace it',
    ],
  ])('a vault that %s', async (_, change, promise) => {
    expect(await brokenPromises(VAULT_CONTRACT, without(change))).toContain(promise);
  });

  test('and finds nothing at fault in the double itself', async () => {
    expect(await brokenPromises(VAULT_CONTRACT, inMemoryVault)).toEqual([]);
  });
});
