// Tools that are functions of this process, called with what a Lambda tool would be handed.
import type { ToolAnswer, ToolInvoker } from '../../lambdas/ports/tool-invoker.ts';
import { parseJson } from '../../lambdas/domain/json/parse-json.ts';

export interface ToolEvent {
  readonly operation_id: string;
  readonly arguments_hash: string;
  readonly arguments: unknown;
}

export type LocalTool = (event: ToolEvent) => Promise<unknown>;

export function inProcessTools(tools: Readonly<Record<string, LocalTool>>): ToolInvoker {
  return {
    invoke: async (function_name, call, timeout_seconds) => {
      const tool = Object.hasOwn(tools, function_name) ? tools[function_name] : undefined;
      if (tool === undefined) return { kind: 'failed', error: 'ToolUnavailable', message: `no tool function is named ${function_name}` };
      // Read from the very text whose hash was checked.
      const event: ToolEvent = { operation_id: call.operation_id, arguments_hash: call.arguments_hash, arguments: parseJson(call.arguments) };
      return withinTime(tool(event), timeout_seconds);
    },
  };
}

async function withinTime(running: Promise<unknown>, timeout_seconds: number): Promise<ToolAnswer> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<ToolAnswer>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'unknown', reason: 'no_answer_in_time' }), timeout_seconds * 1000);
  });
  const answer = running.then(
    (output): ToolAnswer => ({ kind: 'completed', output }),
    (thrown: unknown): ToolAnswer => ({ kind: 'failed', error: thrown instanceof Error ? thrown.name : 'ToolError', message: thrown instanceof Error ? thrown.message : '' }),
  );
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
