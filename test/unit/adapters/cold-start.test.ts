import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { allCustomMatcher } from 'aws-sdk-client-mock-vitest';
import 'aws-sdk-client-mock-vitest/extend';
import { beforeEach, describe, expect, test } from 'vitest';
import { documentClient } from '../../../lambdas/adapters/aws/dynamodb-client.ts';
import { wired } from '../../../lambdas/adapters/aws/environment.ts';
import { secretsFormKeys } from '../../../lambdas/adapters/aws/secrets-form-keys.ts';
import { wiredRegistry } from '../../../lambdas/adapters/aws/wired-registry.ts';
import { systemClock } from '../../../lambdas/adapters/system/clock.ts';
import { randomIds } from '../../../lambdas/adapters/system/random-ids.ts';

expect.extend(allCustomMatcher);

describe('the environment', () => {
  test('gives what the stack wired in', () => {
    expect(wired({ VAULT_TABLE: 'Vault' }, 'VAULT_TABLE')).toBe('Vault');
  });

  test.each([[{}], [{ VAULT_TABLE: '' }], [{ VAULT_TABLE: undefined }]])('stops a cold start by the name of what is missing: %o', (environment) => {
    expect(() => wired(environment, 'VAULT_TABLE')).toThrow(expect.objectContaining({ name: 'Misconfigured', message: 'VAULT_TABLE is not set' }) as Error);
  });
});

describe('the registry as it is wired', () => {
  const wiredWith = (more: Readonly<Record<string, string>>) => wiredRegistry(documentClient({ region: 'eu-central-1' }), { EVENT_LOG_TABLE: 'Log', REGISTRY_TABLE: 'Registry', ...more }, { clock: systemClock, ids: randomIds });

  test('takes groups from the claim that the stack names, and from none where it names none', () => {
    expect(wiredWith({}).groupClaims).toBeUndefined();
    expect(wiredWith({ GROUPS_CLAIM: '{"claim":"groups","max_age_seconds":600}' }).groupClaims).toMatchObject({ claim: 'groups', max_age_seconds: 600 });
  });

  test.each(['', '{', '{"claim":"groups"}', '{"claim":"","max_age_seconds":1}'])('stops a cold start with the claim %j', (GROUPS_CLAIM) => {
    expect(() => wiredWith({ GROUPS_CLAIM })).toThrow(expect.objectContaining({ name: 'Misconfigured', message: 'GROUPS_CLAIM cannot be read' }) as Error);
  });
});

describe('the key of page forms', () => {
  const client = new SecretsManagerClient({ region: 'eu-central-1' });
  const sdk = mockClient(client);
  const ARN = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:form-key';
  const SECRET = 's'.repeat(64);
  beforeEach(() => void sdk.reset());

  test('is read once, however many ask together', async () => {
    sdk.on(GetSecretValueCommand).resolves({ SecretString: SECRET });
    const keys = secretsFormKeys(client, ARN);
    const answers = await Promise.all([keys.formKey(), keys.formKey(), keys.formKey()]);
    for (const key of answers) expect(Buffer.from(key).toString()).toBe(SECRET);
    expect(sdk).toHaveReceivedCommandExactlyOnceWith(GetSecretValueCommand, { SecretId: ARN });
  });

  test('is read again after a failure, which is not remembered', async () => {
    sdk.on(GetSecretValueCommand).rejectsOnce(Object.assign(new Error('CANARY'), { name: 'InternalServiceError', $fault: 'server' })).resolves({ SecretString: SECRET });
    const keys = secretsFormKeys(client, ARN);
    await expect(keys.formKey()).rejects.toMatchObject({ name: 'Unavailable', message: expect.not.stringContaining('CANARY') as string });
    expect(await keys.formKey()).toHaveLength(64);
  });

  test.each([[{}], [{ SecretString: '' }], [{ SecretString: 's'.repeat(31) }]])('is not made up where the secret is missing or short: %o', async (answer) => {
    sdk.on(GetSecretValueCommand).resolves(answer);
    await expect(secretsFormKeys(client, ARN).formKey()).rejects.toMatchObject({ name: 'Misconfigured' });
  });
});

describe('the system', () => {
  test('tells time as text that sorts as time', () => {
    expect(systemClock.now()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('sleeps', async () => {
    const begun = performance.now();
    await systemClock.sleep(20);
    expect(performance.now() - begun).toBeGreaterThan(15);
  });

  test('gives 128 bits of chance as an operation id, of which none comes twice', () => {
    const ids = new Set(Array.from({ length: 1000 }, () => randomIds.operationId()));
    expect(ids.size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^op_[0-9a-f]{32}$/);
    expect(randomIds.uniqueId()).not.toBe(randomIds.uniqueId());
  });
});
