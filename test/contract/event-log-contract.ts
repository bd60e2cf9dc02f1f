// What every event log and outbox promises, whatever keeps the rows.
import { expect } from 'vitest';
import { seal } from '../../lambdas/domain/chain.ts';
import { plusSeconds } from '../../lambdas/domain/times.ts';
import type { OperationEvent } from '../../lambdas/domain/events.ts';
import type { EventLog, NewestEvent, Outbox } from '../../lambdas/ports/event-log.ts';
import { START_OF_TEST } from '../support/in-memory-system.ts';
import { registerContract, type Contract, type Opened } from '../support/port-contract.ts';
import { approve, cancel, freshOperationId, tell, type Told } from '../support/port-samples.ts';

type Port = EventLog & NewestEvent<OperationEvent> & Outbox;

const LATER = plusSeconds(START_OF_TEST, 3600);

async function store(port: Port, { sealed }: Told): Promise<void> {
  for (const each of sealed) expect(await port.append(each, `writer of ${each.event.id}`)).toBe('appended');
}

export const EVENT_LOG_CONTRACT: Contract<Port> = [
  {
    promise: 'knows nothing of an operation that nobody stored',
    holds: async (port) => {
      const operation_id = freshOperationId();
      expect(await port.load(operation_id)).toEqual([]);
      expect(await port.lastSequence(operation_id)).toBe(0);
    },
  },
  {
    promise: 'loads the events in order, each text byte for byte, each as not yet relayed',
    holds: async (port) => {
      const told = tell({ steps: [approve, cancel] });
      await store(port, told);
      const stored = await port.load(told.last.operation_id);
      expect(stored.map(({ text }) => text)).toEqual(told.sealed.map(({ text }) => text));
      expect(stored.map(({ event }) => event)).toEqual(told.sealed.map(({ event }) => event));
      expect(stored.map(({ relayed }) => relayed)).toEqual([false, false, false]);
      expect(stored.map(({ append_id }) => append_id)).toEqual(told.sealed.map(({ event }) => `writer of ${event.id}`));
      expect(await port.lastSequence(told.last.operation_id)).toBe(3);
    },
  },
  {
    promise: 'sorts by number where text order would not: event 10 comes after event 9',
    holds: async (port) => {
      const { sealed, last } = tell();
      await port.append(sealed[0], 'a-1');
      let tail = last.tail;
      for (let sequence = 2; sequence <= 11; sequence += 1) {
        const { data } = tell({ operation_id: last.operation_id, steps: [approve] }).sealed[1]!.event;
        const next = seal({ type: 'approval.granted', data: data as never }, tail, { operation_id: last.operation_id, scope: { org_id: 'acme', workspace_id: 'w1', agent_id: 'billing-bot' }, time: START_OF_TEST, causation_id: 'test' });
        await port.append(next, `a-${sequence}`);
        tail = { sequence: next.event.data.sequence, hash: next.event.data.hash };
      }
      expect((await port.load(last.operation_id)).map(({ event }) => event.data.sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
      expect(await port.lastSequence(last.operation_id)).toBe(11);
    },
  },
  {
    promise: 'knows the newest event by its number, and nothing of a log without events',
    holds: async (port) => {
      const told = tell({ steps: [approve, cancel] });
      await store(port, told);
      expect((await port.newest(told.last.operation_id))?.text).toBe(told.sealed[2]?.text);
      expect(await port.newest(freshOperationId())).toBeUndefined();
    },
  },
  {
    promise: 'keeps the first event of a number when two arrive together',
    holds: async (port) => {
      const operation_id = freshOperationId();
      const [granted, cancelled] = [tell({ operation_id, steps: [approve] }), tell({ operation_id, steps: [cancel] })];
      await port.append(granted.sealed[0], 'first');
      const answers = await Promise.all([port.append(granted.sealed[1]!, 'ana'), port.append(cancelled.sealed[1]!, 'bot')]);
      expect(answers.toSorted()).toEqual(['appended', 'conflict']);
      const winner = answers[0] === 'appended' ? granted : cancelled;
      expect((await port.load(operation_id)).map(({ text }) => text)).toEqual(winner.sealed.map(({ text }) => text));
    },
  },
  {
    promise: 'lets one of twenty have the next number',
    holds: async (port) => {
      const told = tell();
      const answers = await Promise.all(Array.from({ length: 20 }, (_, writer) => port.append(told.sealed[0], `writer ${writer}`)));
      expect(answers.filter((answer) => answer === 'appended')).toHaveLength(1);
      expect(await port.load(told.last.operation_id)).toHaveLength(1);
    },
  },
  {
    promise: 'knows a writer again whose reply was lost, and refuses the same event of another',
    holds: async (port) => {
      const told = tell();
      await port.append(told.sealed[0], 'mine');
      expect(await port.append(told.sealed[0], 'mine')).toBe('appended');
      expect(await port.append(told.sealed[0], 'theirs')).toBe('conflict');
      expect(await port.load(told.last.operation_id)).toHaveLength(1);
    },
  },
  {
    promise: 'never changes an event that stands',
    holds: async (port) => {
      const operation_id = freshOperationId();
      const [granted, cancelled] = [tell({ operation_id, steps: [approve] }), tell({ operation_id, steps: [cancel] })];
      await store(port, granted);
      expect(await port.append(cancelled.sealed[1]!, 'bot')).toBe('conflict');
      expect((await port.load(operation_id))[1]!.text).toBe(granted.sealed[1]!.text);
    },
  },
  {
    promise: 'calls a gap a corrupt record, and so a log without its beginning',
    holds: async (port) => {
      const gap = tell({ steps: [approve, cancel] });
      await port.append(gap.sealed[0], 'a');
      await port.append(gap.sealed[2]!, 'c');
      await expect(port.load(gap.last.operation_id)).rejects.toMatchObject({ name: 'CorruptRecord' });
      const headless = tell({ steps: [approve] });
      await port.append(headless.sealed[1]!, 'b');
      await expect(port.load(headless.last.operation_id)).rejects.toMatchObject({ name: 'CorruptRecord' });
    },
  },
  {
    promise: 'lists what is not published, up to the moment asked for, and no operation twice',
    holds: async (port) => {
      const told = tell({ steps: [approve] });
      const later = tell({ at: plusSeconds(START_OF_TEST, 60) });
      await store(port, told);
      await store(port, later);
      const upTo = async (moment: string): Promise<readonly string[]> => (await port.unpublished(moment)).filter((id) => id === told.last.operation_id || id === later.last.operation_id);
      expect(await upTo(plusSeconds(START_OF_TEST, -1))).toEqual([]);
      expect(await upTo(START_OF_TEST)).toEqual([told.last.operation_id]);
      expect(await upTo(LATER)).toEqual([told.last.operation_id, later.last.operation_id]);
      await forget(port, told, later);
    },
  },
  {
    promise: 'lists the oldest first within a shard',
    holds: async (port) => {
      const tellings = [30, 10, 20].map((seconds) => tell({ at: plusSeconds(START_OF_TEST, seconds) }));
      for (const told of tellings) await store(port, told);
      const ids = tellings.map(({ last }) => last.operation_id);
      expect((await port.unpublished(LATER)).filter((id) => ids.includes(id))).toEqual([ids[1], ids[2], ids[0]]);
      await forget(port, ...tellings);
    },
  },
  {
    promise: 'finds an operation of every shard',
    holds: async (port) => {
      const tellings = Array.from('0123456789abcdef', (digit) => tell({ operation_id: freshOperationId(digit) }));
      for (const told of tellings) await store(port, told);
      const found = new Set(await port.unpublished(LATER));
      expect(tellings.filter(({ last }) => !found.has(last.operation_id))).toEqual([]);
      await forget(port, ...tellings);
    },
  },
  {
    promise: 'takes a published or rejected event out of the outbox and leaves its text alone',
    holds: async (port) => {
      const told = tell({ steps: [approve] });
      await store(port, told);
      await port.markRelayed(told.sealed[0].event, 'published', LATER);
      expect((await port.load(told.last.operation_id)).map(({ relayed }) => relayed)).toEqual([true, false]);
      expect(await port.unpublished(LATER)).toContain(told.last.operation_id);
      await port.markRelayed(told.sealed[1]!.event, 'rejected', LATER);
      const stored = await port.load(told.last.operation_id);
      expect(stored.map(({ relayed }) => relayed)).toEqual([true, true]);
      expect(stored.map(({ text }) => text)).toEqual(told.sealed.map(({ text }) => text));
      expect(await port.unpublished(LATER)).not.toContain(told.last.operation_id);
    },
  },
  {
    promise: 'takes the same mark twice, since a relay may do its work twice',
    holds: async (port) => {
      const told = tell();
      await store(port, told);
      await port.markRelayed(told.sealed[0].event, 'published', LATER);
      await port.markRelayed(told.sealed[0].event, 'published', plusSeconds(LATER, 1));
      expect((await port.load(told.last.operation_id)).map(({ relayed }) => relayed)).toEqual([true]);
    },
  },
  {
    promise: 'does not let a mark make an event that was never stored',
    holds: async (port) => {
      const told = tell();
      await expect(port.markRelayed(told.sealed[0].event, 'published', LATER)).rejects.toMatchObject({ name: 'CorruptRecord' });
      expect(await port.load(told.last.operation_id)).toEqual([]);
    },
  },
  {
    promise: 'knows its own writer again after the event was relayed',
    holds: async (port) => {
      const told = tell();
      await store(port, told);
      await port.markRelayed(told.sealed[0].event, 'published', LATER);
      expect(await port.append(told.sealed[0], `writer of ${told.sealed[0].event.id}`)).toBe('appended');
      expect((await port.load(told.last.operation_id))[0]!.relayed).toBe(true);
    },
  },
];

/** Leaves the shared outbox as it was found. */
async function forget(port: Port, ...tellings: readonly Told[]): Promise<void> {
  for (const { sealed } of tellings) for (const { event } of sealed) await port.markRelayed(event, 'published', LATER);
}

export function eventLogContract(implementation: string, open: () => Promise<Opened<Port>>): void {
  registerContract(EVENT_LOG_CONTRACT, implementation, open);
}
