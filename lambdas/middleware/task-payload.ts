// What the state machine hands to a task. A payload that is not as the ASL file writes it is a deployment mistake.
import * as z from 'zod';
import { Fault } from '../domain/faults.ts';
import { shownHashSchema } from '../domain/hash-forms.ts';

const ids = { operation_id: z.string().regex(/^op_[0-9a-f]{32}$/), arguments_hash: shownHashSchema };

export const waitingTaskSchema = z.strictObject({
  ...ids,
  task_token: z.string().min(1),
  // Normalised, since "…13Z" and "…13.192Z" do not compare as text.
  entered_at: z.string().refine((text) => !Number.isNaN(Date.parse(text))).transform((text) => new Date(text).toISOString()),
  retry_count: z.int().min(0),
});

export const settleTaskSchema = z.strictObject({
  ...ids,
  wait: z.object({ last: z.object({ turns: z.int(), sequence: z.int(), next: z.string() }).partial().optional() }),
});

export type WaitingTask = z.output<typeof waitingTaskSchema>;
export type SettleTask = z.output<typeof settleTaskSchema>;

export function readTask<S extends z.ZodType>(payload: unknown, schema: S): z.output<S> {
  const parsed = schema.safeParse(payload);
  if (!parsed.success) throw new Fault('Misconfigured', 'the task payload is not as the state machine writes it');
  return parsed.data;
}
