// What people were shown must be reproducible: the decision holds a hash of it (`display_hash`). These displays, redactions
// and full views of documents of every kind were recorded; whoever changes one on purpose records them anew, with
// RECORD_DISPLAYS=1, and says so in the changelog.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fullPages } from '../../../../lambdas/domain/display/full-pages.ts';
import { fullView } from '../../../../lambdas/domain/display/full-view.ts';
import { projectDisplay } from '../../../../lambdas/domain/display/project-display.ts';
import { redactText } from '../../../../lambdas/domain/display/secrets/redact-text.ts';
import { canonicalJson } from '../../../../lambdas/domain/json/canonical-json.ts';
import { sha256Hex } from '../../../../lambdas/domain/json/digest.ts';
import type { JsonValue } from '../../../../lambdas/domain/json/json-value.ts';
import { documentOf, textOf } from '../../../support/display-documents.ts';
import { planted, secretOf, shapes, surroundings } from '../../../support/planted-secrets.ts';

const FILE = new URL('../../../support/recorded-displays.json', import.meta.url);
const print = (value: unknown): string => sha256Hex(canonicalJson(JSON.parse(JSON.stringify(value)) as JsonValue)).slice(0, 12);

function recorded(seed: number): string {
  const { value, rules } = documentOf(seed);
  const { display, redaction } = projectDisplay(value, rules);
  const { rows, hidden_values } = fullView(value, rules);
  const redacted = redactText(textOf(seed));
  const { hidden_values: hidden, hidden_members, cut_bytes, full_view_required } = redaction;
  return [print(display), hidden, hidden_members, cut_bytes, full_view_required ? 'full' : '', print(rows), hidden_values, print(fullPages(rows, 600)), print(redacted)].join(' ');
}

/** Secrets near the edges of the two windows through which a long string is seen. */
function recordedCuts(shape: (typeof shapes)[number]): string {
  const cuts = [300, 1400, 6000].flatMap((length) => [0.02, 0.4, 0.62, 0.9, 0.985].map((share) => ({ at: Math.floor(length * share), length })));
  const texts = surroundings.flatMap((surrounding, index) => cuts.map(({ at, length }) => planted(shape, surrounding, { at: at + index, length, secret: secretOf(8 + ((at + length) % 60)) })));
  return print(texts.map((text) => projectDisplay({ text })));
}

const SEEDS = Array.from({ length: 450 }, (_, index) => index + 1);
if (process.env['RECORD_DISPLAYS'] === '1') writeFileSync(FILE, `${JSON.stringify({ documents: SEEDS.map(recorded), cuts: Object.fromEntries(shapes.map((shape) => [shape.name, recordedCuts(shape)])) }, undefined, 1)}\n`);
const { documents: known, cuts } = JSON.parse(readFileSync(FILE, 'utf8')) as { readonly documents: readonly string[]; readonly cuts: Readonly<Record<string, string>> };

it('shows each recorded document as it was shown', () => {
  expect(known).toHaveLength(SEEDS.length);
  const changed = SEEDS.find((seed) => recorded(seed) !== known[seed - 1]);
  expect(changed === undefined ? undefined : { seed: changed, was: known[changed - 1], is: recorded(changed) }).toBeUndefined();
});

it.each(shapes)('shows around a $name that is cut what it showed', (shape) => {
  expect(recordedCuts(shape)).toBe(cuts[shape.name]);
});

it('the documents are of every kind: hidden, cut, left out, critical and whole', () => {
  const parts = known.map((each) => each.split(' '));
  expect(parts.filter(([, hidden]) => Number(hidden) > 0).length).toBeGreaterThan(150);
  expect(parts.filter(([, , members]) => Number(members) > 0).length).toBeGreaterThan(30);
  expect(parts.filter(([, , , bytes]) => Number(bytes) > 0).length).toBeGreaterThan(40);
  expect(parts.filter(([, , , , full]) => full === 'full').length).toBeGreaterThan(8);
  expect(parts.filter(([, hidden, members, bytes]) => [hidden, members, bytes].every((each) => each === '0')).length).toBeGreaterThan(30);
});
