// Keyed hashes from an HMAC key of KMS: the key never leaves it, so that no memory of ours could give it away.
import { GenerateMacCommand, type KMSClient } from '@aws-sdk/client-kms';
import { Fault } from '../../domain/faults.ts';
import type { KeyedHashes } from '../../ports/keyed-hashes.ts';
import { call } from './aws-errors.ts';

/** Bytes of a SHA-256 digest, and of an HMAC over it. */
const DIGEST_BYTES = 32;

export function kmsKeyedHashes(client: Pick<KMSClient, 'send'>, key_arn: string): KeyedHashes {
  return {
    keyedHash: async (plain) => {
      const Message = Buffer.from(plain.replace(/^sha256:/, ''), 'hex');
      if (Message.length !== DIGEST_BYTES) throw new Fault('CorruptRecord', 'what is to be keyed is no SHA-256 digest');
      const { Mac } = await call('keying a hash', () => client.send(new GenerateMacCommand({ KeyId: key_arn, MacAlgorithm: 'HMAC_SHA_256', Message })));
      if (Mac?.length !== DIGEST_BYTES) throw new Fault('Misconfigured', 'the hash key answered no HMAC-SHA-256');
      return `hmac-sha256:${Buffer.from(Mac).toString('hex')}`;
    },
  };
}
