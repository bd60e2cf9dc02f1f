import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../../lambdas/domain/json/canonical-json.ts';
import { sha256Hex } from '../../../../lambdas/domain/json/digest.ts';
import { readJson, readJsonText } from '../../../../lambdas/domain/json/strict-reader.ts';
import { buildVectors } from '../../../support/json-vectors.ts';

const FILE = new URL('../../../../docs/vectors/canonical-json.json', import.meta.url);
const VECTORS = buildVectors();
const FILE_TEXT = `${JSON.stringify(VECTORS, null, 2)}\n`;

if (process.env.UPDATE_VECTORS !== undefined) writeFileSync(FILE, FILE_TEXT);

describe('the published vectors', () => {
  it('are what docs/vectors holds (UPDATE_VECTORS=1 npx vitest run test/unit/domain/json/vectors.test.ts writes them)', () => {
    expect(readFileSync(FILE, 'utf8')).toBe(FILE_TEXT);
  });

  it('keep to their own rules: the file itself is read by the strict reader', () => {
    expect(readJsonText(FILE_TEXT)).toMatchObject({ ok: true });
  });

  it.each(VECTORS.accepted)('accept $name', ({ input, canonical, sha256 }) => {
    const reading = readJson(new TextEncoder().encode(input));
    expect(reading.ok && canonicalJson(reading.value)).toBe(canonical);
    expect(sha256Hex(canonical)).toBe(sha256);
  });

  it.each(VECTORS.refused)('refuse $name', ({ input, input_base64, reason, pointer }) => {
    const bytes = input === undefined ? Buffer.from(input_base64 ?? '', 'base64') : new TextEncoder().encode(input);
    expect(readJson(bytes)).toMatchObject({ ok: false, refusal: { reason, pointer } });
  });
});
