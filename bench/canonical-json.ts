// What exactness costs: strict reading, canonical form and hash against Node's own parser, serialiser and hash (the floor,
// which reads and orders nothing strictly) and against npm canonicalize, the only package that passes our vectors.
// All figures of a row come from one race, and only ratios are compared with the aims.

import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import canonicalize from 'canonicalize';
import { canonicalJson } from '../lambdas/domain/json/canonical-json.ts';
import { sha256Hex } from '../lambdas/domain/json/digest.ts';
import type { JsonValue } from '../lambdas/domain/json/json-value.ts';
import { readJson } from '../lambdas/domain/json/strict-reader.ts';
import { CORPORA } from './json-corpora.ts';
import { geometricMean, race } from './race.ts';
import type { Table } from './table.ts';

const inputs = CORPORA.map(({ name, value }) => {
  const text = JSON.stringify(value);
  return { name, text, bytes: Buffer.from(text), value: JSON.parse(text) as JsonValue };
});

function readStrictly(bytes: Uint8Array): JsonValue {
  const reading = readJson(bytes);
  if (!reading.ok) throw new Error(reading.refusal.reason);
  return reading.value;
}

export function canonicalJsonTables(): readonly Table[] {
  return [readingTable(), canonicalTable(), pathTable(), coldTable()];
}

function readingTable(): Table {
  const rows = inputs.map(({ name, bytes }): Table['rows'][number] => {
    const time = race({ native: () => JSON.parse(bytes.toString()) as unknown, ours: () => readJson(bytes) });
    return [name, bytes.length, time.native, time.ours, time.ours / time.native];
  });
  return { title: 'Strict read of bytes, against JSON.parse of the decoded text', columns: ['bytes', 'JSON.parse µs', 'ours µs', 'times'], rows, aims: [] };
}

function canonicalTable(): Table {
  const rows = inputs.map(({ name, value }): Table['rows'][number] => {
    const time = race({
      floor: () => hash('sha256', JSON.stringify(value)),
      npm: () => hash('sha256', canonicalize(value) ?? ''),
      ours: () => sha256Hex(canonicalJson(value)),
    });
    return [name, time.floor, time.npm, time.ours, time.floor / time.ours, time.npm / time.ours];
  });
  const ofFloor = (name: string): number => rows.find(([each]) => each === name)?.[4] ?? NaN;
  return {
    title: 'Canonical form + SHA-256 of a value, against JSON.stringify + hash (floor) and npm canonicalize 5 + hash',
    columns: ['floor µs', 'npm µs', 'ours µs', 'of floor', '× npm'],
    rows,
    aims: [
      { text: 'share of the floor, geometric mean', reached: geometricMean(rows.map((row) => row[4] ?? NaN)), bound: 0.62, is: 'least' },
      { text: 'share of the floor, text', reached: ofFloor('file write 64 KB'), bound: 0.94, is: 'least' },
      { text: 'share of the floor, 72 KB of records', reached: ofFloor('records 72 KB'), bound: 0.5, is: 'least' },
      { text: 'share of the floor, small arguments', reached: ofFloor('command 200 B'), bound: 0.58, is: 'least' },
      { text: 'speed over npm canonicalize, geometric mean', reached: geometricMean(rows.map((row) => row[5] ?? NaN)), bound: 1.5, is: 'least' },
    ],
  };
}

function pathTable(): Table {
  const rows = inputs.map(({ name, bytes }): Table['rows'][number] => {
    const time = race({
      floor: () => hash('sha256', JSON.stringify(JSON.parse(bytes.toString()))),
      npm: () => hash('sha256', canonicalize(JSON.parse(bytes.toString())) ?? ''),
      ours: () => sha256Hex(canonicalJson(readStrictly(bytes))),
    });
    return [name, time.floor, time.npm, time.ours, time.ours / time.floor, time.npm / time.ours];
  });
  const timesFloor = (name: string): number => rows.find(([each]) => each === name)?.[4] ?? NaN;
  return {
    title: 'From bytes to hash: read + canonical form + SHA-256, against JSON.parse + JSON.stringify + hash (floor) and JSON.parse + npm canonicalize + hash',
    columns: ['floor µs', 'npm µs', 'ours µs', '× floor time', '× npm'],
    rows,
    aims: [
      { text: 'speed over JSON.parse + canonicalize, slowest corpus', reached: Math.min(...rows.map((row) => row[5] ?? NaN)), bound: 1, is: 'least' },
      { text: 'speed over JSON.parse + canonicalize, geometric mean', reached: geometricMean(rows.map((row) => row[5] ?? NaN)), bound: 1, is: 'least' },
      { text: 'times the floor, 64 KB file write', reached: timesFloor('file write 64 KB'), bound: 3, is: 'most' },
      { text: 'times the floor, 1 MB document', reached: timesFloor('document 1 MB'), bound: 3, is: 'most' },
    ],
  };
}

const COLD_STARTS = 15;

/** The first call in a fresh process, in turn; the fastest start of each. */
function coldTable(): Table {
  const firstCall = fileURLToPath(new URL('canonical-json-first-call.ts', import.meta.url));
  const best = { npm: Infinity, ours: Infinity };
  for (let start = 0; start < COLD_STARTS; start += 1) {
    for (const candidate of ['npm', 'ours'] as const) {
      const run = spawnSync(process.execPath, [firstCall, candidate], { encoding: 'utf8' });
      best[candidate] = Math.min(best[candidate], Number(run.stdout));
    }
  }
  return {
    title: 'First call in a fresh process, canonical form of 72 KB of records',
    columns: ['npm µs', 'ours µs', 'times'],
    rows: [['records 72 KB', best.npm, best.ours, best.ours / best.npm]],
    aims: [{ text: 'times canonicalize, first cold call on records', reached: best.ours / best.npm, bound: 0.6, is: 'most' }],
  };
}
