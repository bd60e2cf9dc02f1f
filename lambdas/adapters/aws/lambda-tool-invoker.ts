// Tools that are Lambda functions. Invoked once, without the SDK's own retries: a second try might be a second effect.
import { InvokeCommand, type InvokeCommandOutput, type LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { parseForeignJson } from '../../domain/json/parse-json.ts';
import type { ToolAnswer, ToolInvoker } from '../../ports/tool-invoker.ts';
import { nameOf } from './aws-errors.ts';

/** Lambda says these before the function is handed the event: nothing ran. */
const NEVER_BEGAN: ReadonlySet<string> = new Set([
  'TooManyRequestsException',
  'ResourceNotFoundException',
  'AccessDeniedException',
  'InvalidRequestContentException',
  'RequestTooLargeException',
  'KMSAccessDeniedException',
  'KMSDisabledException',
]);

const PLATFORM = /^(?:Runtime|Sandbox|Extension|Lambda|Function)\./;
const CUT_OFF = /Task timed out|Process exited before/;

const errorSchema = z.object({ errorType: z.string().optional(), errorMessage: z.string().optional() });

/** `client` must be made with `maxAttempts: 1`. */
export function lambdaToolInvoker(client: Pick<LambdaClient, 'send'>): ToolInvoker {
  return {
    invoke: async (function_name, { operation_id, arguments_hash, arguments: canonical }, timeout_seconds) => {
      // Spliced, not parsed and printed again: the bytes that were hashed are the bytes that the tool receives.
      const Payload = `{"operation_id":${JSON.stringify(operation_id)},"arguments_hash":${JSON.stringify(arguments_hash)},"arguments":${canonical}}`;
      const command = new InvokeCommand({ FunctionName: function_name, InvocationType: 'RequestResponse', Payload: Buffer.from(Payload) });
      try {
        return answerOf(await client.send(command, { abortSignal: AbortSignal.timeout(timeout_seconds * 1000) }));
      } catch (thrown) {
        const name = nameOf(thrown);
        if (NEVER_BEGAN.has(name)) return { kind: 'failed', error: 'ToolUnavailable', message: name };
        return { kind: 'unknown', reason: name === 'AbortError' || name === 'TimeoutError' ? 'no_answer_in_time' : 'answer_lost' };
      }
    },
  };
}

function answerOf({ FunctionError, Payload }: InvokeCommandOutput): ToolAnswer {
  const text = Payload === undefined ? '' : Buffer.from(Payload).toString('utf8');
  const value = parsed(text);
  if (FunctionError === undefined) return { kind: 'completed', output: value };
  const { errorType, errorMessage = '' } = errorSchema.safeParse(value).data ?? {};
  // Only a tool's own error is its own word. What the platform says of it leaves open whether it had its effect.
  if (errorType === undefined || PLATFORM.test(errorType) || CUT_OFF.test(errorMessage)) return { kind: 'unknown', reason: 'tool_cut_off' };
  return { kind: 'failed', error: errorType.slice(0, 128), message: errorMessage };
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : parseForeignJson(text);
  } catch {
    return text;
  }
}
