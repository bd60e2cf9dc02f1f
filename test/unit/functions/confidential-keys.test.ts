// The two makers of keyed hashes: KMS on AWS, a key file on this machine. Both are HMAC-SHA-256 over the digest's 32 bytes.
import { createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GenerateMacCommand, KMSClient } from '@aws-sdk/client-kms';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { fileKey } from '../../../infra/local/file-key.ts';
import { fileKeyedHashes } from '../../../infra/local/file-keyed-hashes.ts';
import { kmsKeyedHashes } from '../../../lambdas/adapters/aws/kms-keyed-hashes.ts';
import { sha256Digest } from '../../../lambdas/domain/json/digest.ts';

const KEY_ARN = 'arn:aws:kms:eu-west-1:111122223333:key/00000000-0000-0000-0000-000000000000';
const DIGEST = sha256Digest('{"pin":"4821"}');
const BYTES = Buffer.from(DIGEST.slice('sha256:'.length), 'hex');

describe('keyed hashes from KMS', () => {
  const kms = mockClient(KMSClient);
  beforeEach(() => void kms.reset());

  test('ask for the MAC of the digest’s own bytes, never of its text', async () => {
    kms.on(GenerateMacCommand).resolves({ Mac: new Uint8Array(32).fill(0xab) });
    expect(await kmsKeyedHashes(new KMSClient({}), KEY_ARN).keyedHash(DIGEST)).toBe(`hmac-sha256:${'ab'.repeat(32)}`);
    const [asked] = kms.commandCalls(GenerateMacCommand);
    expect(asked?.args[0].input).toEqual({ KeyId: KEY_ARN, MacAlgorithm: 'HMAC_SHA_256', Message: BYTES });
    expect(BYTES).toHaveLength(32);
  });

  test.each([
    ['ThrottlingException', 'Unavailable'],
    ['KMSInternalException', 'Unavailable'],
    ['AccessDeniedException', 'Misconfigured'],
    ['DisabledException', 'Misconfigured'],
  ])('tell %s as %s', async (name, fault) => {
    kms.on(GenerateMacCommand).rejects(Object.assign(new Error('secret detail'), { name, ...(name === 'KMSInternalException' ? { $fault: 'server' } : {}) }));
    await expect(kmsKeyedHashes(new KMSClient({}), KEY_ARN).keyedHash(DIGEST)).rejects.toMatchObject({ name: fault, message: `keying a hash failed: ${name}` });
  });

  test.each([[{}], [{ Mac: new Uint8Array(31) }]])('take no answer that is no HMAC-SHA-256: %j', async (answer) => {
    kms.on(GenerateMacCommand).resolves(answer);
    await expect(kmsKeyedHashes(new KMSClient({}), KEY_ARN).keyedHash(DIGEST)).rejects.toMatchObject({ name: 'Misconfigured' });
  });

  test('key nothing that is no digest', async () => {
    await expect(kmsKeyedHashes(new KMSClient({}), KEY_ARN).keyedHash('sha256:abc')).rejects.toMatchObject({ name: 'CorruptRecord' });
    expect(kms.calls()).toHaveLength(0);
  });
});

describe('keyed hashes on this machine', () => {
  const folder = (): string => mkdtempSync(join(tmpdir(), 'countersign-key-'));

  test('are the HMAC under the key in the file, and stay the same over a restart', async () => {
    const path = join(folder(), 'hash-key');
    const first = await fileKeyedHashes(path).keyedHash(DIGEST);
    expect(first).toBe(`hmac-sha256:${createHmac('sha256', readFileSync(path)).update(BYTES).digest('hex')}`);
    expect(await fileKeyedHashes(path).keyedHash(DIGEST)).toBe(first);
  });

  test('come from one key, however many ask first at once, and leave no other file', async () => {
    const data = folder();
    const path = join(data, 'hash-key');
    const keys = await Promise.all(Array.from({ length: 20 }, () => fileKey(path)));
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
    expect(readdirSync(data)).toEqual(['hash-key']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('are refused under a file that is no key', async () => {
    const path = join(folder(), 'hash-key');
    writeFileSync(path, '');
    await expect(fileKeyedHashes(path).keyedHash(DIGEST)).rejects.toThrow(/32 bytes/);
  });
});
