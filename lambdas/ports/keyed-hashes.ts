// Hashes that only we can make. For tools marked confidential they stand wherever a plain digest could be guessed from.
import type { KeyedDigest } from '../domain/hash-forms.ts';
import type { Sha256Digest } from '../domain/json/digest.ts';

export interface KeyedHashes {
  /** HMAC-SHA-256 over the 32 bytes of the digest, always under the same key. */
  keyedHash(plain: Sha256Digest): Promise<KeyedDigest>;
}
