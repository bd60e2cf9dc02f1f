// The task of Settle, and the target of the rule on Step Functions' execution status changes.
import * as z from 'zod';
import { readTask, settleTaskSchema } from '../../middleware/task-payload.ts';
import { closeStopped, settleOperation, type Settled, type SettlePorts } from './settle-operation.ts';

/** `input` and `output` may be null, cut for size by the service: the name alone says which operation it was. */
const statusChangeSchema = z.object({
  'detail-type': z.literal('Step Functions Execution Status Change'),
  detail: z.object({ name: z.string(), status: z.enum(['ABORTED', 'FAILED', 'TIMED_OUT']) }),
});

export function buildHandler(ports: SettlePorts): (payload: unknown) => Promise<Settled | Record<string, never>> {
  return async (payload) => {
    const change = statusChangeSchema.safeParse(payload);
    if (!change.success) return settleOperation(ports, readTask(payload, settleTaskSchema));
    await closeStopped(ports, change.data.detail.name);
    return {};
  };
}
