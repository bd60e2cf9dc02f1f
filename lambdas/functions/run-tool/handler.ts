// The task of RunTool.
import { readTask, waitingTaskSchema } from '../../middleware/task-payload.ts';
import { runTool, type RunPorts } from './run-tool.ts';

export function buildHandler(ports: RunPorts): (payload: unknown) => Promise<Record<string, never>> {
  return async (payload) => {
    const { operation_id, task_token, entered_at, retry_count } = readTask(payload, waitingTaskSchema);
    await runTool(ports, operation_id, { task_token, entered_at, retry_count });
    return {};
  };
}
