// The two spellings of a hash that events and people see: plain, or keyed for tools that are marked confidential, so
// that nobody outside can try guessable values against it. Everything that reads such a hash reads it by this schema.
import * as z from 'zod';
import type { Sha256Digest } from './json/digest.ts';

export type KeyedDigest = `hmac-sha256:${string}`;
export type ShownHash = Sha256Digest | KeyedDigest;

const SHOWN_HASH = /^(?:hmac-)?sha256:[0-9a-f]{64}$/;

export const shownHashSchema = z.string().regex(SHOWN_HASH, 'is sha256: or hmac-sha256:, and 64 hex digits');

export function isKeyed(hash: string): hash is KeyedDigest {
  return hash.startsWith('hmac-sha256:');
}

/**
 * A plain digest in the form of another: as it is beside a plain hash, keyed beside a keyed one.
 * @param key_hash makes the keyed form; it is not asked for plain ones.
 */
export async function inFormOf(hash: string, plain: Sha256Digest, key_hash: (plain: Sha256Digest) => Promise<KeyedDigest>): Promise<ShownHash> {
  return isKeyed(hash) ? key_hash(plain) : plain;
}
