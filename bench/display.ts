// What it costs to show arguments: against JSON.stringify of the same value, by size of the input, and on the worst input.
// The display is bounded, so its cost is to be flat in the size of one string or list; only an object's keys have to be listed.

import type { JsonValue } from '../lambdas/domain/json/json-value.ts';
import { projectDisplay } from '../lambdas/domain/display/project-display.ts';
import { CORPORA } from './json-corpora.ts';
import { race } from './race.ts';
import type { Table } from './table.ts';

const PROSE = 'the refund for the order was asked for by the owner of the account, and it is due. ';
const SIZES = [1_000, 10_000, 100_000, 1_000_000, 10_000_000] as const;
/** Each starts some detector again and again; found by trying some seventy such units in five arrangements. */
const HOSTILE = ['password:\n  ', '//\u0430', 'mysql -p', '{"password":', 'eyJ', 'eyJ.', 'aB3', '@\u0430', '%3D', '--token ', 'Bearer a1b2c3d4 ', 'ghp_', '[["', ',"', 'password=a,b='] as const;

export function displayTables(): readonly Table[] {
  return [corpusTable(), sizeTable(), hostileTable()];
}

function corpusTable(): Table {
  const rows = CORPORA.map(({ name, value }): Table['rows'][number] => {
    const arguments_ = JSON.parse(JSON.stringify(value)) as JsonValue;
    const time = race({ stringify: () => JSON.stringify(arguments_), display: () => projectDisplay(arguments_) });
    return [name, time.stringify, time.display, medianMicroseconds(arguments_), time.display / time.stringify];
  });
  const slowest = Math.max(...rows.filter(([name]) => name !== 'many keys').map((row) => row[3] ?? NaN));
  return {
    title: 'Display of a value, against JSON.stringify of all of it',
    columns: ['stringify µs', 'display µs', 'median µs', 'times'],
    rows,
    aims: [{ text: 'slowest median but for many keys, µs', reached: slowest, bound: 100, is: 'most' }],
  };
}

function sizeTable(): Table {
  const rows = SIZES.map((size): Table['rows'][number] => {
    const list = Array.from({ length: Math.min(size, 1_000_000) }, (_, index) => index);
    const time = race({ text: () => projectDisplay(textOf(PROSE, size)), list: () => projectDisplay(list) });
    return [`${size} characters or items`, time.text, time.list];
  });
  const ratio = (column: 1 | 2): number => (rows[3]?.[column] ?? NaN) / (rows[0]?.[column] ?? NaN);
  return {
    title: 'Display by size of one string or one list (at most 10^6 items)',
    columns: ['string µs', 'list µs'],
    rows,
    aims: [
      { text: '1 MB against 1 KB of one string', reached: ratio(1), bound: 1.5, is: 'most' },
      { text: '10^6 against 10^3 items of one list', reached: ratio(2), bound: 1.5, is: 'most' },
    ],
  };
}

function hostileTable(): Table {
  const records = CORPORA.find(({ name }) => name === 'records 72 KB')?.value as JsonValue;
  const rows = HOSTILE.map((unit): Table['rows'][number] => {
    const [megabyte, page, line] = [textOf(unit, 1_000_000), textOf(unit, 1000), textOf(unit, 100)];
    const time = race({
      records: () => projectDisplay(records),
      one: () => projectDisplay(megabyte),
      windows: () => projectDisplay(Array.from({ length: 32 }, () => megabyte)),
      pages: () => projectDisplay(Array.from({ length: 32 }, () => page)),
      lines: () => projectDisplay(Array.from({ length: 32 }, () => Array.from({ length: 32 }, () => line))),
    }, { rounds: 20 });
    return [JSON.stringify(unit), time.one, time.windows, time.pages, time.lines, Math.max(time.one, time.windows, time.pages, time.lines) / time.records];
  });
  return {
    title: 'Display of hostile input: a unit repeated to 1 MB, to 32 strings of 1 MB, 32 of 1 KB, 1024 of 100 B; against 72 KB of records',
    columns: ['1 MB µs', '32 MB µs', '32 KB µs', '1024 lines µs', '× records'],
    rows,
    aims: [{ text: 'worst hostile input over 72 KB of records', reached: Math.max(...rows.map((row) => row[5] ?? NaN)), bound: 8, is: 'most' }],
  };
}

const texts = new Map<string, string>();

/** Made once and flattened, so that building it is not measured. */
function textOf(unit: string, length: number): string {
  const key = `${unit}${length}`;
  const known = texts.get(key) ?? Buffer.from(unit.repeat(Math.ceil(length / unit.length)).slice(0, length)).toString();
  texts.set(key, known);
  return known;
}

function medianMicroseconds(value: JsonValue): number {
  const times = Array.from({ length: 301 }, () => {
    const start = performance.now();
    projectDisplay(value);
    return (performance.now() - start) * 1000;
  });
  return times.sort((left, right) => left - right)[150] ?? NaN;
}
