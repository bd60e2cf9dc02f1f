import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sha256Digest, sha256Hex } from '../../../../lambdas/domain/json/digest.ts';

describe('SHA-256', () => {
  it('of the published examples (FIPS 180-2)', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it.each(['é', '€', '😀', 'Zürich 東京 '.repeat(9000), 'x'.repeat(100_000), '\u0000'])('of text is that of its UTF-8 bytes', (text) => {
    const bytes = new TextEncoder().encode(text);
    expect(sha256Hex(text)).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(sha256Hex(bytes)).toBe(sha256Hex(text));
  });

  it('064: keeps all 64 lower-case hex digits behind its name', () => {
    expect(sha256Digest('abc')).toBe(`sha256:${sha256Hex('abc')}`);
    expect(sha256Digest('abc')).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});
