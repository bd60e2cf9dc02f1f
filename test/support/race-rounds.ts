// Races on the local runtime: two act on one operation at about the same moment, many rounds of it, and afterwards
// record, page, published events and ledger must tell one story. Delays come from a seed; what the machine adds does not.
import { expect } from 'vitest';
import { fold } from '../../lambdas/domain/evolve.ts';
import type { EventType, OperationEvent } from '../../lambdas/domain/events.ts';
import { isClosed, type Status } from '../../lambdas/domain/operation.ts';
import { outcomeWords } from '../../lambdas/pages/outcome-words.ts';
import type { Product, Reply } from './local-product.ts';
import { sequence } from './turns.ts';

const AT_ONCE = 25;
/** How long everything may take to come to rest; only a round that never does waits for it. */
const REST_MS = 30_000;

export interface Proposed {
  readonly operation_id: string;
  readonly arguments_hash: string;
}

export interface Race {
  /** An operation over which nothing is decided yet; each round has its own. */
  readonly propose: (product: Product, round: number) => Promise<Proposed>;
  readonly contenders: readonly ((product: Product, operation: Proposed) => Promise<Reply>)[];
  /** Each contender begins this much after the operation is proposed, and up to so much later, in their order. */
  readonly after_ms?: number;
  readonly spread_ms: readonly number[];
  readonly holds: (end: RaceEnd) => void;
}

export interface RaceEnd {
  readonly status: Status;
  readonly types: readonly EventType[];
  /** HTTP statuses of the contenders' replies, in their order. */
  readonly replies: readonly number[];
  /** Lines that the tool wrote. */
  readonly ran: number;
}

/** 100 rounds, or as many as RACE_ROUNDS says. */
export const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 100);

/** How often each end was met. Fails on the first round whose ends do not agree, and names it. */
export async function raceRounds(product: Product, race: Race, rounds = ROUNDS, seed = 1): Promise<Readonly<Record<string, number>>> {
  const random = sequence(seed);
  const met: Record<string, number> = {};
  for (let first = 0; first < rounds; first += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, rounds - first) }, (_, index) => first + index);
    const ends = await Promise.all(batch.map((round) => oneRound(product, race, round, random)));
    for (const end of ends) met[end.status] = (met[end.status] ?? 0) + 1;
  }
  return met;
}

async function oneRound(product: Product, race: Race, round: number, random: () => number): Promise<RaceEnd> {
  const operation = await race.propose(product, round);
  const delays = race.spread_ms.map((spread) => (race.after_ms ?? 0) + random() * spread);
  const replies = await Promise.all(
    race.contenders.map(async (contend, index) => {
      await new Promise((resolve) => setTimeout(resolve, delays[index]));
      return (await contend(product, operation)).status;
    }),
  );
  const end = { ...(await agreedEnd(product, operation.operation_id)), replies };
  const told = `round ${round}, ${JSON.stringify({ ...end, delays })}`;
  expect(() => race.holds(end), told).not.toThrow();
  return end;
}

/** Waits until all is told, then holds record, page, bus and ledger against the events. */
export async function agreedEnd(product: Product, operation_id: string): Promise<Omit<RaceEnd, 'replies'>> {
  const events = await atRest(product, operation_id);
  const operation = fold(events);
  if (operation === undefined || operation.status === 'pending') throw new Error(`${operation_id} is not over`);
  const types = events.map(({ type }) => type);
  const decided = types.filter((type) => ['approval.granted', 'approval.denied', 'approval.expired', 'approval.answered'].includes(type));
  expect(decided.length, `${operation_id}: at most one decision in ${types.join()}`).toBeLessThanOrEqual(1);
  const { json: record } = await product.call('GET', `/agent/operations/${operation_id}`);
  expect([record.status, record.sequence], `${operation_id}: the record`).toEqual([operation.status, events.length]);
  const page = await product.call('GET', `/review/${operation_id}`, { as: 'user:ana' });
  expect(page.text, `${operation_id}: the page`).toContain(outcomeWords(operation).headline);
  const ran = product.ledger().filter((line) => line.includes(operation_id)).length;
  const started = types.filter((type) => type === 'tool.started').length;
  expect(started, `${operation_id}: at most one start`).toBeLessThanOrEqual(1);
  expect(ran, `${operation_id}: nothing ran without a start`).toBeLessThanOrEqual(started);
  if (operation.status === 'completed') expect(ran, `${operation_id}: what is completed ran`).toBe(1);
  return { status: operation.status, types, ran };
}

/** The operation is closed, and every event of it was published as it is stored. */
async function atRest(product: Product, operation_id: string): Promise<readonly OperationEvent[]> {
  for (const start = Date.now(); Date.now() - start < REST_MS; ) {
    const { json } = await product.call('GET', `/agent/operations/${operation_id}/events`);
    const events = json.events as readonly OperationEvent[];
    const operation = fold(events);
    const published = new Map(product.published.filter(({ subject }) => subject === operation_id).map((event) => [event.id, event]));
    // A cancelled run ends as unknown with its late result beside it.
    const evidence = operation?.status !== 'unknown' || operation.observations.length > 0;
    if (operation !== undefined && isClosed(operation) && evidence && published.size === events.length) {
      expect(events.map(({ id }) => published.get(id)), `${operation_id}: what was published`).toEqual(events);
      return events;
    }
    await new Promise((resolve) => setTimeout(resolve, 120));
  }
  throw new Error(`${operation_id} did not come to rest`);
}
