import { EventBridgeClient, PutEventsCommand, type PutEventsResultEntry } from '@aws-sdk/client-eventbridge';
import { mockClient } from 'aws-sdk-client-mock';
import { allCustomMatcher } from 'aws-sdk-client-mock-vitest';
import 'aws-sdk-client-mock-vitest/extend';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { batchesOf, eventBridgeBus } from '../../../lambdas/adapters/aws/eventbridge-bus.ts';
import type { Publication } from '../../../lambdas/ports/event-bus.ts';
import { approve, cancel, tell } from '../../support/port-samples.ts';

expect.extend(allCustomMatcher);

const client = new EventBridgeClient({ region: 'eu-central-1' });
const sdk = mockClient(client);
const bus = eventBridgeBus(client, 'countersign-events');

const three: readonly Publication[] = tell({ steps: [approve, cancel] }).sealed;
const TAKEN: PutEventsResultEntry = { EventId: 'e' };
const LIMIT = 256 * 1024;

function sized(bytes: number, filler = 'x'): Publication {
  return { event: three[0]!.event, text: filler.repeat(bytes / Buffer.byteLength(filler)) };
}

/** What AWS adds up: 14 bytes for the time, and source, type and detail in UTF-8. */
function bytesOf(batch: readonly Publication[]): number {
  return batch.reduce((sum, { event, text }) => sum + 14 + Buffer.byteLength('countersign') + Buffer.byteLength(event.type) + Buffer.byteLength(text), 0);
}

function sentDetails(): readonly (readonly (string | undefined)[])[] {
  return sdk.commandCalls(PutEventsCommand).map(({ args }) => (args[0].input.Entries ?? []).map(({ Detail }) => Detail));
}

function failing(more: Readonly<Record<string, unknown>>): Error {
  return Object.assign(new Error('CANARY'), more);
}

beforeEach(() => void sdk.reset());

describe('publishing', () => {
  test('sends each stored text byte for byte under a fixed source and the event\u2019s own type', async () => {
    sdk.on(PutEventsCommand).resolves({ FailedEntryCount: 0, Entries: [TAKEN, TAKEN, TAKEN] });
    expect(await bus.publish(three)).toEqual(['published', 'published', 'published']);
    expect(sdk.commandCalls(PutEventsCommand)[0]?.args[0].input).toEqual({
      Entries: three.map(({ event, text }) => ({ EventBusName: 'countersign-events', Source: 'countersign', DetailType: event.type, Detail: text, Time: new Date(event.time) })),
    });
  });

  test('sends nothing where there is nothing', async () => {
    expect(await bus.publish([])).toEqual([]);
    expect(sdk.calls()).toEqual([]);
  });

  test('believes each entry and not the status 200 (169)', async () => {
    sdk.on(PutEventsCommand).resolves({ FailedEntryCount: 1, Entries: [TAKEN, { ErrorCode: 'ThrottlingException', ErrorMessage: 'CANARY' }, TAKEN] });
    expect(await bus.publish(three)).toEqual(['published', 'try_again', 'published']);
  });

  test('does not ask the count of failures, which may be missing or wrong', async () => {
    sdk.on(PutEventsCommand).resolves({ Entries: [TAKEN, { ErrorCode: 'InternalFailure' }, TAKEN] });
    expect(await bus.publish(three)).toEqual(['published', 'try_again', 'published']);
    sdk.on(PutEventsCommand).resolves({ FailedEntryCount: 3, Entries: [TAKEN, TAKEN, TAKEN] });
    expect(await bus.publish(three)).toEqual(['published', 'published', 'published']);
  });

  test('takes an entry without an answer for not published', async () => {
    sdk.on(PutEventsCommand).resolves({ FailedEntryCount: 0, Entries: [TAKEN] });
    expect(await bus.publish(three)).toEqual(['published', 'try_again', 'try_again']);
    sdk.on(PutEventsCommand).resolves({});
    expect(await bus.publish(three)).toEqual(['try_again', 'try_again', 'try_again']);
  });

  test.each(['MalformedDetail', 'InvalidArgument', 'NotAuthorizedForSourceException', 'NotAuthorizedForDetailTypeException', 'InvalidAccountIdException', 'AccessDeniedException'])('gives an entry up at %s, which AWS calls not retryable', async (ErrorCode) => {
    sdk.on(PutEventsCommand).resolves({ FailedEntryCount: 1, Entries: [{ ErrorCode }, TAKEN, TAKEN] });
    expect(await bus.publish(three)).toEqual(['rejected', 'published', 'published']);
  });

  test('keeps a long tool name out of the type: the type is one of a fixed list (170)', async () => {
    sdk.on(PutEventsCommand).resolves({ Entries: [TAKEN, TAKEN, TAKEN] });
    await bus.publish(three);
    const types = sdk.commandCalls(PutEventsCommand).flatMap(({ args }) => (args[0].input.Entries ?? []).map(({ DetailType }) => DetailType));
    expect(types).toEqual(['approval.requested', 'approval.granted', 'approval.cancelled']);
  });
});

describe('a call that fails', () => {
  test.each([{ name: 'ThrottlingException' }, { name: 'InternalException' }, { name: 'TimeoutError' }, { name: 'Error', code: 'ECONNRESET' }, { name: 'x', $metadata: { httpStatusCode: 503 } }])('leaves its entries to be tried again when it is %o', async (more) => {
    sdk.on(PutEventsCommand).rejects(failing(more));
    expect(await bus.publish(three)).toEqual(['try_again', 'try_again', 'try_again']);
  });

  test('does not hold up the next', async () => {
    sdk.on(PutEventsCommand).rejectsOnce(failing({ name: 'ThrottlingException' })).resolves({ Entries: Array.from({ length: 10 }, () => TAKEN) });
    const results = await bus.publish(Array.from({ length: 25 }, () => three[0]!));
    expect(results).toEqual([...Array.from({ length: 10 }, () => 'try_again'), ...Array.from({ length: 15 }, () => 'published')]);
  });

  test('for want of rights is a fault: nobody may take it for told', async () => {
    sdk.on(PutEventsCommand).rejects(failing({ name: 'AccessDeniedException' }));
    await expect(bus.publish(three)).rejects.toMatchObject({ name: 'Misconfigured', message: 'publishing events failed: AccessDeniedException' });
  });

  test('for good, since the batch is too large, gives up its entries and still sends the others', async () => {
    sdk.on(PutEventsCommand).rejectsOnce(failing({ name: 'Error', $metadata: { httpStatusCode: 413 } })).resolves({ Entries: [TAKEN] });
    expect(await bus.publish([sized(300_000), three[0]!])).toEqual(['rejected', 'published']);
  });
});

describe('batches', () => {
  test('hold ten entries: 25 go as 10, 10 and 5 in order (172)', async () => {
    const rows = Array.from({ length: 25 }, (_, index) => ({ event: three[0]!.event, text: `{"row":${String(index)}}` }));
    sdk.on(PutEventsCommand).callsFake((input: { Entries: unknown[] }) => ({ Entries: input.Entries.map(() => TAKEN) }));
    expect(await bus.publish(rows)).toHaveLength(25);
    expect(sentDetails().map((details) => details.length)).toEqual([10, 10, 5]);
    expect(sentDetails().flat()).toEqual(rows.map(({ text }) => text));
  });

  test('hold 256 KB in bytes: three of 100 KB go as two and one (173)', () => {
    expect(batchesOf([sized(100_000), sized(100_000), sized(100_000)]).map((batch) => batch.length)).toEqual([2, 1]);
  });

  test('count bytes, not characters: three of 45,000 three-byte characters do not go together', () => {
    const text = '\u20ac'.repeat(45_000);
    expect(text.length * 3).toBeLessThan(LIMIT);
    expect(batchesOf(Array.from({ length: 3 }, () => ({ event: three[0]!.event, text }))).map((batch) => batch.length)).toEqual([1, 1, 1]);
  });

  test('hold one entry that is too large alone, and the next begin anew', () => {
    expect(batchesOf([sized(10), sized(300_000), sized(10), sized(10)]).map((batch) => batch.length)).toEqual([1, 1, 2]);
  });

  test('never exceed a limit that their entries keep, and lose, repeat or reorder nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 2, max: 150_000 }), fc.constantFrom('x', '\u00fc', '\u{1f469}')), { maxLength: 40 }), (sizes) => {
        const publications = sizes.map(([bytes, filler]) => sized(Math.max(4, bytes - (bytes % 4)), filler));
        const batches = batchesOf(publications);
        expect(batches.flat()).toEqual(publications);
        for (const batch of batches) {
          expect(batch.length).toBeLessThanOrEqual(10);
          expect(bytesOf(batch)).toBeLessThanOrEqual(LIMIT);
        }
      }),
      { numRuns: 40 },
    );
  });
});
