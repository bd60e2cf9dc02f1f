// Keyed hashes on this machine: what KMS computes on AWS, with a key from the data folder.
import { createHmac } from 'node:crypto';
import type { KeyedHashes } from '../../lambdas/ports/keyed-hashes.ts';
import { fileKey } from './file-key.ts';

export function fileKeyedHashes(path: string): KeyedHashes {
  return {
    keyedHash: async (plain) => {
      const digest = Buffer.from(plain.replace(/^sha256:/, ''), 'hex');
      return `hmac-sha256:${createHmac('sha256', await fileKey(path)).update(digest).digest('hex')}`;
    },
  };
}
