import { InvokeCommand, LambdaClient, type InvokeCommandOutput, type LambdaClientConfig } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { allCustomMatcher } from 'aws-sdk-client-mock-vitest';
import 'aws-sdk-client-mock-vitest/extend';
import { beforeEach, describe, expect, test } from 'vitest';
import { lambdaToolInvoker } from '../../../lambdas/adapters/aws/lambda-tool-invoker.ts';
import type { ToolAnswer } from '../../../lambdas/ports/tool-invoker.ts';

expect.extend(allCustomMatcher);

const client = new LambdaClient({ region: 'eu-central-1', maxAttempts: 1 });
const sdk = mockClient(client);
const invoker = lambdaToolInvoker(client);

const FUNCTION = 'arn:aws:lambda:eu-central-1:123456789012:function:refund';
const CALL = { operation_id: 'op_1', arguments_hash: 'sha256:00', arguments: '{"amount":5}' };

function invoke(canonical = CALL.arguments, seconds = 60): Promise<ToolAnswer> {
  return invoker.invoke(FUNCTION, { ...CALL, arguments: canonical }, seconds);
}

function answering(text: string | undefined, FunctionError?: string): void {
  const Payload = (text === undefined ? undefined : Buffer.from(text)) as InvokeCommandOutput['Payload'];
  sdk.on(InvokeCommand).resolves({ StatusCode: 200, Payload, FunctionError });
}

function failing(name: string, more: object = {}): void {
  sdk.on(InvokeCommand).rejects(Object.assign(new Error('CANARY'), { name, ...more }));
}

beforeEach(() => void sdk.reset());

describe('the payload', () => {
  test.each(['{"amount":5}', '{"n":1.23e+40,"z":-0,"big":9007199254740993}', '{"":"","__proto__":1,"text":"\u202e\u{1f469}\\u0000"}', 'null', '"text"'])('carries the hashed bytes as they are: %s', async (canonical) => {
    answering('null');
    await invoke(canonical);
    const { Payload, ...input } = sdk.commandCalls(InvokeCommand)[0]!.args[0].input;
    expect(input).toEqual({ FunctionName: FUNCTION, InvocationType: 'RequestResponse' });
    expect(Buffer.from(Payload as Uint8Array).toString('utf8')).toBe(`{"operation_id":"op_1","arguments_hash":"sha256:00","arguments":${canonical}}`);
  });

  test('is sent once', async () => {
    failing('ServiceException');
    await invoke();
    expect(sdk).toHaveReceivedCommandTimes(InvokeCommand, 1);
  });
});

describe('a tool that answers', () => {
  test.each([
    ['{"refunded":5}', { refunded: 5 }],
    ['"text"', 'text'],
    ['null', null],
    ['', null],
    ['not json', 'not json'],
  ])('with %s has completed', async (text, output) => {
    answering(text);
    expect(await invoke()).toEqual({ kind: 'completed', output });
  });

  test('without a payload has completed with nothing', async () => {
    answering(undefined);
    expect(await invoke()).toEqual({ kind: 'completed', output: null });
  });

  test.each(['Handled', 'Unhandled'])('by throwing has failed (%s)', async (kind) => {
    answering('{"errorType":"CardExpired","errorMessage":"the card has expired","trace":["at refund (/var/task/index.mjs:1:1)"]}', kind);
    expect(await invoke()).toEqual({ kind: 'failed', error: 'CardExpired', message: 'the card has expired' });
  });

  test('with an endless error type has failed with a bounded one', async () => {
    answering(JSON.stringify({ errorType: 'E'.repeat(5000), errorMessage: 'm' }), 'Unhandled');
    expect(await invoke()).toMatchObject({ kind: 'failed', error: 'E'.repeat(128) });
  });
});

describe('a tool that was cut off may have had its effect', () => {
  test.each([
    ['by its time limit', '{"errorType":"Sandbox.Timedout","errorMessage":"RequestId: 1 Error: Task timed out after 3.00 seconds"}'],
    ['by its time limit, as older runtimes word it', '{"errorMessage":"2026-11-02T09:00:00.000Z 1 Task timed out after 3.00 seconds"}'],
    ['by its memory', '{"errorType":"Runtime.OutOfMemory","errorMessage":"RequestId: 1 Error: Runtime exited with error: signal: killed"}'],
    ['by its own exit', '{"errorType":"Runtime.ExitError","errorMessage":"RequestId: 1 Error: Runtime exited with error: exit status 1"}'],
  ])('%s', async (_, payload) => {
    answering(payload, 'Unhandled');
    expect(await invoke()).toEqual({ kind: 'unknown', reason: 'tool_cut_off' });
  });

  test.each([
    ['when an extension crashed beside it', '{"errorType":"Extension.Crash","errorMessage":"RequestId: 1 Error: exit code 2"}'],
    ['when its sandbox failed', '{"errorType":"Sandbox.Failure","errorMessage":"RequestId: 1 Error: internal"}'],
    ['when its process exited, as older runtimes word it', '{"errorMessage":"RequestId: 1 Process exited before completing request"}'],
    ['when nothing was said but that it failed', ''],
    ['when what was said is no error of a tool', 'null'],
  ])('%s', async (_, payload) => {
    answering(payload, 'Unhandled');
    expect(await invoke()).toMatchObject({ kind: 'unknown' });
  });
});

describe('a call that fails', () => {
  test.each(['TooManyRequestsException', 'ResourceNotFoundException', 'AccessDeniedException', 'InvalidRequestContentException', 'RequestTooLargeException', 'KMSAccessDeniedException', 'KMSDisabledException'])('before the tool began (%s) has failed, in our words', async (name) => {
    failing(name);
    expect(await invoke()).toEqual({ kind: 'failed', error: 'ToolUnavailable', message: name });
  });

  test.each([
    ['AbortError', {}, 'no_answer_in_time'],
    ['TimeoutError', {}, 'no_answer_in_time'],
    ['ServiceException', {}, 'answer_lost'],
    ['Error', { code: 'ECONNRESET' }, 'answer_lost'],
    ['Error', { code: 'ETIMEDOUT' }, 'answer_lost'],
    ['SomethingNew', {}, 'answer_lost'],
  ])('anywhere else (%s %o) leaves it unknown: %s', async (name, more, reason) => {
    failing(name, more);
    expect(await invoke()).toEqual({ kind: 'unknown', reason });
  });

  test('is given up after the tool\u2019s own time, and is unknown then', async () => {
    const hanging = overHttp((abortSignal) => new Promise((_, reject) => abortSignal?.addEventListener('abort', () => reject(Object.assign(new Error('aborted'), { name: 'AbortError' })))));
    const begun = performance.now();
    expect(await lambdaToolInvoker(hanging.client).invoke(FUNCTION, CALL, 0.05)).toEqual({ kind: 'unknown', reason: 'no_answer_in_time' });
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  test('is not repeated by the SDK either, as the client of the runner is made', async () => {
    const lost = overHttp(async () => Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' })));
    expect(await lambdaToolInvoker(lost.client).invoke(FUNCTION, CALL, 60)).toEqual({ kind: 'unknown', reason: 'answer_lost' });
    expect(lost.requests()).toBe(1);
  });
});

type Handle = (abortSignal: AbortSignal | undefined) => Promise<never>;

/** A real client, with nothing mocked but the wire. */
function overHttp(handle: Handle): { readonly client: LambdaClient; readonly requests: () => number } {
  let requests = 0;
  const requestHandler = {
    handle: async (_request: unknown, { abortSignal }: { readonly abortSignal?: AbortSignal } = {}) => {
      requests += 1;
      return handle(abortSignal);
    },
  } as LambdaClientConfig['requestHandler'];
  const real = new LambdaClient({ region: 'eu-central-1', maxAttempts: 1, credentials: { accessKeyId: 'a', secretAccessKey: 's' }, requestHandler });
  return { client: real, requests: () => requests };
}
