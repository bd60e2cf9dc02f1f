// The task of AwaitDecision.
import { readTask, waitingTaskSchema } from '../../middleware/task-payload.ts';
import { parkTaskToken, type ParkPorts } from './park-task-token.ts';

export function buildHandler(ports: ParkPorts): (payload: unknown) => Promise<Record<string, never>> {
  return async (payload) => {
    const { operation_id, task_token, entered_at, retry_count } = readTask(payload, waitingTaskSchema);
    await parkTaskToken(ports, operation_id, { task_token, entered_at, retry_count });
    return {};
  };
}
