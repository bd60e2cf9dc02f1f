// Events on EventBridge. PutEvents answers 200 even when it took nothing: only each entry's own result counts.
import { PutEventsCommand, type EventBridgeClient, type PutEventsRequestEntry, type PutEventsResultEntry } from '@aws-sdk/client-eventbridge';
import { EVENT_SOURCE } from '../../domain/events.ts';
import type { EventBus, Publication, PublishResult } from '../../ports/event-bus.ts';
import { asFault, nameOf } from './aws-errors.ts';

/** AWS limits: 10 entries a call, and 256 KB over all of them, counted in UTF-8 bytes of source, type and detail. */
const MOST_ENTRIES = 10;
const MOST_BYTES = 256 * 1024 - 1024;
const PASSING: ReadonlySet<string> = new Set(['ThrottlingException', 'InternalFailure', 'InternalException']);

export function eventBridgeBus(client: Pick<EventBridgeClient, 'send'>, bus_name: string): EventBus {
  return {
    publish: async (publications) => {
      const results: PublishResult[] = [];
      for (const batch of batchesOf(publications)) results.push(...(await putBatch(client, bus_name, batch)));
      return results;
    },
  };
}

async function putBatch(client: Pick<EventBridgeClient, 'send'>, bus_name: string, batch: readonly Publication[]): Promise<PublishResult[]> {
  const Entries: PutEventsRequestEntry[] = batch.map(({ event, text }) => ({
    EventBusName: bus_name,
    Source: EVENT_SOURCE,
    DetailType: event.type,
    Detail: text,
    Time: new Date(event.time),
  }));
  try {
    const answer = await client.send(new PutEventsCommand({ Entries }));
    return batch.map((_, index) => resultOf(answer.Entries?.[index]));
  } catch (thrown) {
    if (isTooMuch(thrown)) return batch.map(() => 'rejected');
    const fault = asFault(thrown, 'publishing events');
    if (!fault.retryable) throw fault;
    return batch.map(() => 'try_again');
  }
}

/** These very entries will never be taken, however often they are sent; the batches behind them may be. */
function isTooMuch(thrown: unknown): boolean {
  const { $metadata } = thrown as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return nameOf(thrown) === 'ValidationException' || $metadata?.httpStatusCode === 413;
}

function resultOf(entry: PutEventsResultEntry | undefined): PublishResult {
  if (entry === undefined) return 'try_again';
  if (entry.ErrorCode === undefined) return 'published';
  return PASSING.has(entry.ErrorCode) ? 'try_again' : 'rejected';
}

/** In order, by count and by bytes; one bad batch does not hold up the next. */
export function batchesOf(publications: readonly Publication[]): readonly (readonly Publication[])[] {
  const batches: Publication[][] = [];
  let bytes = Infinity;
  for (const publication of publications) {
    const size = EVENT_SOURCE.length + Buffer.byteLength(publication.event.type) + Buffer.byteLength(publication.text) + 14;
    const last = batches.at(-1);
    if (last === undefined || last.length >= MOST_ENTRIES || bytes + size > MOST_BYTES) {
      batches.push([publication]);
      bytes = size;
    } else {
      last.push(publication);
      bytes += size;
    }
  }
  return batches;
}
