// Prints one measured table: a row per corpus, ratios with two digits, and whether the aim below it is met.

export interface Aim {
  readonly text: string;
  readonly reached: number;
  readonly bound: number;
  /** Whether the bound is the least or the most that will do. */
  readonly is: 'least' | 'most';
}

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly [string, ...number[]])[];
  readonly aims: readonly Aim[];
}

export function printTable({ title, columns, rows, aims }: Table): void {
  console.log(`\n${title}`);
  const widths = ['corpus', ...columns].map((head, at) => Math.max(head.length, ...rows.map((row) => cell(row[at] ?? '').length)));
  for (const row of [['corpus', ...columns], ...rows]) {
    console.log(`  ${row.map((value, at) => (at === 0 ? cell(value).padEnd(widths[at] ?? 0) : cell(value).padStart(widths[at] ?? 0))).join('  ')}`);
  }
  for (const aim of aims) console.log(`  ${isMet(aim) ? 'met ' : 'OPEN'}  ${aim.text}: ${aim.reached.toFixed(2)} (at ${aim.is} ${aim.bound.toFixed(2)})`);
}

function cell(value: string | number): string {
  if (typeof value === 'string') return value;
  return value >= 1000 ? value.toFixed(0) : value.toFixed(2);
}

function isMet({ reached, bound, is }: Aim): boolean {
  return is === 'least' ? reached >= bound : reached <= bound;
}
