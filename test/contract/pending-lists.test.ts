// What waits is listed, and nothing else is, whatever stands around it in the store: over the real rows, with the relay that writes them.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LOCAL_TABLES, openDynamodb, type EmbeddedDynamodb } from '../../infra/local/embedded-dynamodb.ts';
import { dynamodbEventLog } from '../../lambdas/adapters/aws/dynamodb-event-log.ts';
import { dynamodbOperationList } from '../../lambdas/adapters/aws/dynamodb-operation-list.ts';
import { dynamodbViews } from '../../lambdas/adapters/aws/dynamodb-views.ts';
import { eventSchema } from '../../lambdas/domain/events.ts';
import { operationViews, type InboxEntry } from '../../lambdas/domain/operation-views.ts';
import type { Operation } from '../../lambdas/domain/operation.ts';
import { plusSeconds } from '../../lambdas/domain/times.ts';
import { buildHandler as relayEvents } from '../../lambdas/functions/relay-events/handler.ts';
import type { InboxQuery } from '../../lambdas/ports/views.ts';
import { streamBatch } from '../support/in-memory-corridor.ts';
import { inMemoryPorts } from '../support/in-memory-ports.ts';
import { START_OF_TEST } from '../support/in-memory-system.ts';
import { cancel, freshOperationId, tell } from '../support/port-samples.ts';

let dynamodb: EmbeddedDynamodb;
beforeEach(async () => void (dynamodb = await openDynamodb()));
afterEach(() => dynamodb.close());

const views = () => dynamodbViews(dynamodb.client, LOCAL_TABLES.views);
const list = () => dynamodbOperationList(dynamodb.client, LOCAL_TABLES.views);
const second = (seconds: number) => ({ at: plusSeconds(START_OF_TEST, seconds) });

/** Every page of Ana's inbox, by its operations. */
async function pages(query: InboxQuery): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = [];
  let cursor: string | undefined;
  do {
    const page = await views().list(['user:ana'], { ...query, ...(cursor === undefined ? {} : { cursor }) });
    found.push(page.entries.map(({ operation_id }) => operation_id));
    cursor = page.cursor;
  } while (cursor !== undefined && found.length < 100);
  return found;
}

async function write(operations: readonly Operation[], shown: Partial<InboxEntry> = {}): Promise<void> {
  for (let next = 0; next < operations.length; next += 50) {
    await Promise.all(
      operations.slice(next, next + 50).map((operation) => {
        const { entry, ...rest } = operationViews(operation);
        return views().write({ ...rest, ...(entry === undefined ? {} : { entry: { ...entry, ...shown } }) });
      }),
    );
  }
}

describe('an event of a type that nobody knows (163)', () => {
  test('makes no row in any list, is counted, and holds up nothing beside it', async () => {
    const ports = inMemoryPorts();
    const eventLog = dynamodbEventLog(dynamodb.client, LOCAL_TABLES.event_log, eventSchema);
    const relay = relayEvents({ ...ports, eventLog, outbox: eventLog, views: views(), dueList: views() }, { minimum_age_seconds: 0 });
    const { sealed, last } = tell();
    const [{ event, text }] = sealed;
    await eventLog.append(sealed[0], 'append-1');
    const stranger = freshOperationId();
    const strange = text.replaceAll(event.subject, stranger).replace('"approval.requested"', '"approval.whispered"');
    await dynamodb.client.send(new PutCommand({ TableName: LOCAL_TABLES.event_log, Item: { pk: stranger, sk: 'event#000001', event: strange, append_id: 'append-2', unpublished_shard: '0', unpublished_since: event.time } }));

    const records = [stranger, last.operation_id].map((pk, index) => ({ pk, sk: 'event#000001', number: String(100 + index) }));
    expect(await relay(streamBatch([...records, { pk: stranger, sk: 'hint#1', number: '102' }]))).toEqual({ batchItemFailures: [{ itemIdentifier: '100' }] });
    expect(await relay({ sweep: true })).toMatchObject({ failed: 1 });

    expect(await pages({ limit: 50 })).toEqual([[last.operation_id]]);
    expect((await list().listOperations(['w1'], { limit: 50 })).operations.map(({ operation_id }) => operation_id)).toEqual([last.operation_id]);
    expect(await views().due('9999-12-31T00:00:00.000Z', 50)).toEqual([last.operation_id]);
    expect(ports.log.lines.filter(({ code }) => code === 'CS5004').map(({ facts }) => [facts.operation_id, facts.fault])).toEqual([[stranger, 'CorruptRecord'], [stranger, 'CorruptRecord']]);
  });

  test('or a message that is no batch of the log, makes none either', async () => {
    const relay = relayEvents({ ...inMemoryPorts(), views: views(), dueList: views() }, { minimum_age_seconds: 0 });
    await expect(relay({ 'detail-type': 'approval.whispered', detail: { operation_id: freshOperationId() } })).rejects.toMatchObject({ name: 'Misconfigured' });
    expect(await pages({ limit: 50 })).toEqual([[]]);
  });
});

describe('what waits behind very much else (164)', () => {
  test('is on the first page, with 600 operations before and 600 after it that have closed since', async () => {
    const closed = Array.from({ length: 1200 }, (_, index) => tell({ ...second(index < 600 ? index : index + 1), steps: [cancel] }).last);
    const waiting = tell(second(600)).last;
    await write([...closed, waiting]);
    expect(await pages({ limit: 50 })).toEqual([[waiting.operation_id]]);
    const { operations, cursor } = await list().listOperations(['w1'], { limit: 50, status: 'pending' });
    expect([operations.map(({ operation_id }) => operation_id), cursor]).toEqual([[waiting.operation_id], undefined]);
  });

  test('is reached by the cursor where DynamoDB cuts a page at 1 MB', async () => {
    const older = Array.from({ length: 60 }, (_, index) => tell(second(index)).last);
    const waiting = tell(second(60)).last;
    await write([...older, waiting], { summary: 'x'.repeat(25_000) });
    const found = await pages({ limit: 50 });
    expect(found[0]?.length).toBeLessThan(50);
    expect(found.flat()).toEqual([...older, waiting].map(({ operation_id }) => operation_id));
  });

  test('is reached by the cursor where a filter lets go of all that a page may look through', async () => {
    const older = Array.from({ length: 450 }, (_, index) => tell(second(index)).last);
    const waiting = tell(second(450)).last;
    await write(older);
    await write([waiting], { tool: 'rare' });
    expect(await pages({ limit: 50, filter: { tool: 'rare' } })).toEqual([[], [], [waiting.operation_id]]);
  });
});
