import { describe, expect, test } from 'vitest';
import { dynamodbEventLog } from '../../lambdas/adapters/aws/dynamodb-event-log.ts';
import { LOCAL_TABLES, openDynamodb } from '../../infra/local/embedded-dynamodb.ts';
import { eventSchema } from '../../lambdas/domain/events.ts';
import { inMemoryEventLog, type InMemoryEventLog } from '../support/in-memory-event-log.ts';
import { brokenPromises } from '../support/port-contract.ts';
import { EVENT_LOG_CONTRACT, eventLogContract } from './event-log-contract.ts';

describe('an event log', () => {
  eventLogContract('in memory', async () => ({ port: inMemoryEventLog() }));
  eventLogContract('on DynamoDB', async () => {
    const dynamodb = await openDynamodb();
    return { port: dynamodbEventLog(dynamodb.client, LOCAL_TABLES.event_log, eventSchema), close: () => dynamodb.close() };
  });
});

describe('the contract of event logs bites', () => {
  const overwriting =
    (real: InMemoryEventLog): InMemoryEventLog['append'] =>
    async (sealed, append_id) => {
      if ((await real.append(sealed, append_id)) === 'appended') return 'appended';
      real.remove(sealed.event.subject, sealed.event.data.sequence);
      return real.append(sealed, append_id);
    };
  const without = (change: (real: InMemoryEventLog) => Partial<InMemoryEventLog>) => (): InMemoryEventLog => {
    const real = inMemoryEventLog();
    return { ...real, ...change(real) };
  };
  test.each<[string, (real: InMemoryEventLog) => Partial<InMemoryEventLog>, string]>([
    ['overwrites', (real) => ({ append: overwriting(real) }), 'keeps the first event of a number when two arrive together'],
    ['looks first and then writes', (real) => ({ append: async (sealed, append_id) => ((await real.lastSequence(sealed.event.subject)) >= sealed.event.data.sequence ? 'conflict' : overwriting(real)(sealed, append_id)) }), 'lets one of twenty have the next number'],
    ['says appended to the loser', (real) => ({ append: async (sealed, append_id) => (await real.append(sealed, append_id), 'appended') }), 'lets one of twenty have the next number'],
    ['does not know its own writer', (real) => ({ append: async (sealed) => real.append(sealed, crypto.randomUUID()) }), 'knows a writer again whose reply was lost, and refuses the same event of another'],
    ['takes whoever comes for its writer', (real) => ({ append: async (sealed) => real.append(sealed, 'anyone') }), 'knows a writer again whose reply was lost, and refuses the same event of another'],
    ['loads the newest first', (real) => ({ load: async (id) => (await real.load(id)).toReversed() }), 'loads the events in order, each text byte for byte, each as not yet relayed'],
    ['skips over gaps', (real) => ({ load: async (id) => real.load(id).catch(() => []) }), 'calls a gap a corrupt record, and so a log without its beginning'],
    ['lists everything at once', (real) => ({ unpublished: async () => real.unpublished('9999') }), 'lists what is not published, up to the moment asked for, and no operation twice'],
    ['forgets a shard', (real) => ({ unpublished: async (before) => (await real.unpublished(before)).filter((id) => !id.endsWith('7')) }), 'finds an operation of every shard'],
    ['ignores marks', () => ({ markRelayed: async () => undefined }), 'takes a published or rejected event out of the outbox and leaves its text alone'],
    ['marks what is not there', (real) => ({ markRelayed: async (event, how, at) => real.markRelayed(event, how, at).catch(() => undefined) }), 'does not let a mark make an event that was never stored'],
    ['takes the first event for the newest', (real) => ({ newest: async (id) => (await real.load(id))[0] }), 'knows the newest event by its number, and nothing of a log without events'],
    ['counts rows instead of reading the last number', (real) => ({ lastSequence: async (id) => Math.min(await real.lastSequence(id), 9) }), 'sorts by number where text order would not: event 10 comes after event 9'],
  ])('a log that %s', async (_, change, promise) => {
    expect(await brokenPromises(EVENT_LOG_CONTRACT, without(change))).toContain(promise);
  });

  test('and finds nothing at fault in the double itself', async () => {
    expect(await brokenPromises(EVENT_LOG_CONTRACT, inMemoryEventLog)).toEqual([]);
  });
});
