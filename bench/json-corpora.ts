// The inputs of the benchmark, generated from a fixed seed: the same bytes on every machine and in every run.

export interface Corpus {
  readonly name: string;
  readonly value: object;
}

/** A small linear congruential generator; good enough for shapes, and reproducible. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const WORDS = 'invoice customer refund region deploy branch cluster ticket payload archive monitor replica session budget'.split(' ');
const CODE = ['export function total(rows: Row[]): number {', '  return rows.reduce((sum, row) => sum + row.amount, 0);', '}', '', '  const label = "total\\t";', '  // "quoted" and C:\\path'];

function record(roll: (sides: number) => number, id: number): object {
  return {
    id,
    status: WORDS[roll(WORDS.length)],
    customer: `cus_${String(roll(1e9))}`,
    amount: roll(1_000_000) / 100,
    currency: 'EUR',
    paid: roll(2) === 1,
    note: roll(3) === 0 ? null : `${WORDS[roll(14)] ?? ''} ${WORDS[roll(14)] ?? ''} ${String(roll(1000))}`,
    address: { zip: String(10_000 + roll(89_999)), city: WORDS[roll(14)], country: 'DE' },
  };
}

function records(count: number, seed: number): object[] {
  const roll = dice(seed);
  return Array.from({ length: count }, (_, id) => record(roll, id));
}

function text(length: number, seed: number): string {
  const roll = dice(seed);
  let out = '';
  while (out.length < length) out += `${CODE[roll(CODE.length)] ?? ''}\n`;
  return out.slice(0, length);
}

function nested(depth: number): object {
  let value: object = { leaf: 'end', at: depth };
  for (let level = depth; level > 1; level -= 1) value = level % 2 === 0 ? [level, value] : { next: value, level, kind: 'node' };
  return value;
}

function manyKeys(count: number, seed: number): object {
  const roll = dice(seed);
  const keys = Array.from({ length: count }, (_, i) => `${WORDS[roll(14)] ?? ''}_${String(roll(1e6))}_${String(i)}`);
  return Object.fromEntries(keys.map((key, i) => [key, i % 3 === 0 ? `value ${String(i)}` : i]));
}

function foreignKeys(count: number): object {
  const keys = ['größe', 'naïve', 'ключ', '価格', '数量', 'שם', '😀', '\ufb33', 'étage', 'Größe'];
  return { rows: Array.from({ length: count }, (_, i) => Object.fromEntries(keys.map((key, k) => [key, k % 2 === 0 ? `Zürich ${String(i)} 東京` : i * k]))) };
}

const COMMAND = {
  command: 'kubectl --context prod-eu rollout restart deployment/checkout -n payments && kubectl rollout status deployment/checkout -n payments',
  timeout_seconds: 120,
  cwd: '/srv/deploy',
  background: false,
};

const MCP_CALL = {
  server: 'github',
  tool: 'create_pull_request',
  title: 'Retry the settlement job when the ledger answers 409',
  base: 'main',
  head: 'fix/settlement-retry',
  draft: false,
  labels: ['bug', 'payments', 'needs-review'],
  reviewers: ['ana', 'li', 'omar'],
  body: text(1200, 5),
  milestone: { number: 14, due_on: '2031-04-01T00:00:00Z', open: true },
  metadata: { run_id: 'run_8842', confidence: 0.82, retries: 3, trace: ['a1', 'b2', 'c3'], parent: null },
};

export const CORPORA: readonly Corpus[] = [
  { name: 'command 200 B', value: COMMAND },
  { name: 'MCP call 2 KB', value: MCP_CALL },
  { name: 'file write 64 KB', value: { path: 'src/totals.ts', content: text(64_000, 7), mode: 'overwrite' } },
  { name: 'records 72 KB', value: { rows: records(400, 11) } },
  { name: 'document 1 MB', value: { title: 'export', rows: records(5_300, 13), notes: text(60_000, 17) } },
  { name: 'many keys', value: manyKeys(2_000, 19) },
  { name: 'deep nesting', value: nested(60) },
  { name: 'non-ASCII keys', value: foreignKeys(60) },
];
