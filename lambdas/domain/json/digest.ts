// SHA-256 in the two spellings of this house: bare hex, and `sha256:` with 64 lower-case hex digits.
// The one place that hashes, so that no second spelling and no shortened digest can appear.

import { hash } from 'node:crypto';

export type Sha256Digest = `sha256:${string}`;

/** Text is hashed as its UTF-8 bytes. `hash` encodes it faster than any detour through a buffer of ours. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

export function sha256Digest(data: string | Uint8Array): Sha256Digest {
  return `sha256:${sha256Hex(data)}`;
}
