// Times candidates in turn, round after round, so that noise of the machine meets all of them alike.
// A candidate's figure is its fastest round; only ratios of figures from one race mean anything.

export type Candidate = () => unknown;

export interface RaceOptions {
  readonly rounds: number;
  /** What one round of one candidate should last; fast candidates are repeated within a round. */
  readonly round_ms: number;
}

const DEFAULT_OPTIONS: RaceOptions = { rounds: 60, round_ms: 2 };

/** Microseconds of one call, the minimum over all rounds, by candidate. */
export function race<Name extends string>(candidates: Readonly<Record<Name, Candidate>>, options: Partial<RaceOptions> = {}): Record<Name, number> {
  const { rounds, round_ms } = { ...DEFAULT_OPTIONS, ...options };
  const entries = Object.entries<Candidate>(candidates);
  const lanes = entries.map(([name, run]) => ({ name, run, repeats: calibrate(run, round_ms), best: Infinity }));
  for (let round = 0; round < rounds; round += 1) {
    for (const lane of lanes) lane.best = Math.min(lane.best, timeOnce(lane.run, lane.repeats));
  }
  return Object.fromEntries(lanes.map(({ name, best }) => [name, best])) as Record<Name, number>;
}

function timeOnce(run: Candidate, repeats: number): number {
  const start = performance.now();
  for (let i = 0; i < repeats; i += 1) sink = run();
  return ((performance.now() - start) * 1000) / repeats;
}

/** Also the warm-up: runs until the optimising compiler has had its chance. */
function calibrate(run: Candidate, round_ms: number): number {
  let fastest = Infinity;
  for (const end = performance.now() + 80; performance.now() < end; ) fastest = Math.min(fastest, timeOnce(run, 1));
  return Math.max(1, Math.round((round_ms * 1000) / Math.max(fastest, 0.5)));
}

/** Keeps results reachable, so that no call can be optimised away. */
let sink: unknown;
export function lastResult(): unknown {
  return sink;
}

export function geometricMean(ratios: readonly number[]): number {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}
