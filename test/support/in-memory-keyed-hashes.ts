// Keyed hashes under a key that this process knows, and what was asked of them.
import { createHmac } from 'node:crypto';
import type { KeyedHashes } from '../../lambdas/ports/keyed-hashes.ts';
import { elsewhere } from './in-memory-system.ts';

export interface InMemoryKeyedHashes extends KeyedHashes {
  readonly asked: readonly string[];
}

export function inMemoryKeyedHashes(key: Uint8Array = new Uint8Array(32).fill(9)): InMemoryKeyedHashes {
  const asked: string[] = [];
  return {
    keyedHash: async (plain) => {
      await elsewhere();
      asked.push(plain);
      return `hmac-sha256:${createHmac('sha256', key).update(Buffer.from(plain.slice('sha256:'.length), 'hex')).digest('hex')}`;
    },
    asked,
  };
}
