// Called by the event log's stream (new events only) and by the sweep's schedule.
import * as z from 'zod';
import { Fault } from '../../domain/faults.ts';
import { relayOperation, sweep, type RelayPorts } from './relay-events.ts';

const streamSchema = z.object({
  Records: z.array(
    z.object({
      eventName: z.string(),
      dynamodb: z.object({ Keys: z.object({ pk: z.object({ S: z.string() }), sk: z.object({ S: z.string() }) }), SequenceNumber: z.string() }),
    }),
  ),
});
const sweepSchema = z.strictObject({ sweep: z.literal(true) });

export interface BatchAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

export function buildHandler(ports: RelayPorts, { minimum_age_seconds }: { readonly minimum_age_seconds: number }) {
  return async (payload: unknown): Promise<BatchAnswer | Awaited<ReturnType<typeof sweep>>> => {
    if (sweepSchema.safeParse(payload).success) return sweep(ports, minimum_age_seconds);
    const stream = streamSchema.safeParse(payload);
    if (!stream.success) throw new Fault('Misconfigured', 'neither a stream batch nor a sweep');
    return relayBatch(ports, stream.data.Records);
  };
}

/** Operations that could not be relayed come back by their records' sequence numbers; the others are done. */
async function relayBatch(ports: RelayPorts, records: z.infer<typeof streamSchema>['Records']): Promise<BatchAnswer> {
  const numbersOf = new Map<string, string[]>();
  for (const { eventName, dynamodb } of records) {
    if (eventName !== 'INSERT' || !dynamodb.Keys.sk.S.startsWith('event#')) continue;
    const operation_id = dynamodb.Keys.pk.S;
    numbersOf.set(operation_id, [...(numbersOf.get(operation_id) ?? []), dynamodb.SequenceNumber]);
  }
  const batchItemFailures: { itemIdentifier: string }[] = [];
  for (const [operation_id, numbers] of numbersOf) {
    try {
      await relayOperation(ports, operation_id);
    } catch (thrown) {
      ports.log.write('CS5004', { operation_id, fault: thrown instanceof Fault ? thrown.name : 'unexpected' });
      batchItemFailures.push(...numbers.map((itemIdentifier) => ({ itemIdentifier })));
    }
  }
  return { batchItemFailures };
}
