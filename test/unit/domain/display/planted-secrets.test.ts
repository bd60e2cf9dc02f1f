import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { projectDisplay } from '../../../../lambdas/domain/display/project-display.ts';
import { fourOfASecret, planted, secretOf, shapes, surroundings } from '../../../support/planted-secrets.ts';

const runs = { numRuns: Number(process.env.FAST_CHECK_RUNS ?? 2000) };
const patience = 60_000 + 30 * runs.numRuns;
const shownWith = (text: string): string => JSON.stringify(projectDisplay({ text }).display);

describe('079: a secret at a cut', () => {
  it.each(shapes)('shows no four characters of a $name at any offset around the bound of a string', (shape) => {
    for (const surrounding of surroundings) {
      for (let at = 120; at <= 260; at += 1) {
        expect(shownWith(planted(shape, surrounding, { at, length: 300, secret: secretOf(24) }))).not.toMatch(fourOfASecret);
      }
    }
  });

  it.each(shapes)('shows no four characters of a $name at any offset of a string seen through windows', (shape) => {
    const surrounding = surroundings[0]!;
    for (let at = 0; at <= 1400; at += 3) {
      expect(shownWith(planted(shape, surrounding, { at, length: 1400, secret: secretOf(40) }))).not.toMatch(fourOfASecret);
    }
  });

  it('shows none of one that is longer than a window', () => {
    for (const shape of shapes) {
      for (let at = 0; at <= 1600; at += 53) expect(shownWith(planted(shape, surroundings[1]!, { at, length: 1600, secret: secretOf(1500) }))).not.toMatch(fourOfASecret);
    }
  });

  it('shows nothing of a quoted secret of many words or of an odd key that began before the tail', () => {
    const words = `${secretOf(6)} `.repeat(200).trimEnd();
    for (let before = 0; before < 60; before += 1) {
      const filler = 'word '.repeat(300) + 'x'.repeat(before);
      for (const text of [`${filler} password="${words}" end`, `${filler} "password": "${words}" end`, `${filler}\n-----BEGIN PRIVATE KEY-----\n${words}\n-----END PRIVATE KEY----- end`, `${filler} Cookie: ${words.replaceAll(' ', '; ')}\nend`]) {
        expect(shownWith(text)).not.toMatch(fourOfASecret);
        expect(shownWith(text)).toContain('end');
      }
    }
  });

  it('shows nothing of a body of many lines whose announcement is far before the tail', () => {
    const lines = `${secretOf(64)}\n`.repeat(200);
    expect(shownWith(`${'word '.repeat(300)}\n${lines}${secretOf(20)}\nend of it`)).not.toMatch(fourOfASecret);
  });

  it('shows head and tail of a text of one repeated letter, and hides an unbroken run that it cannot judge', () => {
    expect(projectDisplay('a'.repeat(5000))).toMatchObject({ display: expect.stringMatching(/^a+⟨\d+ bytes cut⟩a+$/), redaction: { hidden_values: 0 } });
    expect(projectDisplay('abcdefghij'.repeat(500))).toMatchObject({ display: expect.stringMatching(/^⟨hidden⟩⟨\d+ bytes cut⟩⟨hidden⟩$/), redaction: { hidden_values: 2 } });
    expect(projectDisplay('some words of prose '.repeat(500))).toMatchObject({ redaction: { hidden_values: 0, redacted: false, truncated: true } });
  });

  it('shows none whatever the shape, the text around it, the length and the place', () => {
    const place = fc.record({ shape: fc.constantFrom(...shapes), surrounding: fc.constantFrom(...surroundings), size: fc.integer({ min: 8, max: 700 }), length: fc.integer({ min: 0, max: 4000 }), share: fc.double({ min: 0, max: 1, noNaN: true }), seed: fc.nat() });
    fc.assert(fc.property(place, ({ shape, surrounding, size, length, share, seed }) => {
      const text = planted(shape, surrounding, { at: Math.floor(length * share), length, secret: secretOf(size, seed) });
      expect(shownWith(text)).not.toMatch(fourOfASecret);
      expect(JSON.stringify(projectDisplay([text, { inner: JSON.stringify({ text }) }]).display)).not.toMatch(fourOfASecret);
    }), runs);
  }, patience);

  it('shows none in a document that has to share its room', () => {
    fc.assert(fc.property(fc.array(fc.record({ shape: fc.constantFrom(...shapes), at: fc.nat(300) }), { minLength: 10, maxLength: 40 }), (rows) => {
      const value = rows.map(({ shape, at }) => ({ note: planted(shape, surroundings[0]!, { at, length: 320, secret: secretOf(16) }), password: secretOf(12) }));
      expect(JSON.stringify(projectDisplay(value).display)).not.toMatch(fourOfASecret);
    }), { numRuns: Math.ceil(runs.numRuns / 10) });
  }, patience);
});
