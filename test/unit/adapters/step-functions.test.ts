import { SendTaskFailureCommand, SendTaskSuccessCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { mockClient } from 'aws-sdk-client-mock';
import { allCustomMatcher } from 'aws-sdk-client-mock-vitest';
import 'aws-sdk-client-mock-vitest/extend';
import { beforeEach, describe, expect, test } from 'vitest';
import { stepFunctionsStarter, stepFunctionsWaker } from '../../../lambdas/adapters/aws/step-functions.ts';

expect.extend(allCustomMatcher);

const client = new SFNClient({ region: 'eu-central-1' });
const sdk = mockClient(client);
const ARN = 'arn:aws:states:eu-central-1:123456789012:stateMachine:approval';
const starter = stepFunctionsStarter(client, ARN);
const waker = stepFunctionsWaker(client);

const INPUT = { operation_id: 'op_1', arguments_hash: 'sha256:00', wait: { timeout_seconds: 3605 }, run: { timeout_seconds: 950 } };
/** Case 022: what a token may look like, and what URL handling would do to it. */
const TOKEN = 'AAAA+b/c==AAAA%2B';

function named(name: string): Error {
  return Object.assign(new Error(`${TOKEN} is not known`), { name });
}

function socket(code: string): Error {
  return Object.assign(new Error('connect'), { code });
}

beforeEach(() => void sdk.reset());

describe('starting', () => {
  test('names the execution after the operation and hands over ids, hash and seconds', async () => {
    sdk.on(StartExecutionCommand).resolves({});
    expect(await starter.start(INPUT)).toBe('started');
    expect(sdk).toHaveReceivedCommandExactlyOnceWith(StartExecutionCommand, {
      stateMachineArn: ARN,
      name: 'op_1',
      input: '{"operation_id":"op_1","arguments_hash":"sha256:00","wait":{"timeout_seconds":3605},"run":{"timeout_seconds":950}}',
    });
  });

  test('is done when such an execution exists already', async () => {
    sdk.on(StartExecutionCommand).rejects(named('ExecutionAlreadyExists'));
    expect(await starter.start(INPUT)).toBe('exists');
  });

  test.each([
    ['ThrottlingException', 'Unavailable'],
    ['KmsThrottlingException', 'Unavailable'],
    ['StateMachineDoesNotExist', 'Misconfigured'],
    ['AccessDeniedException', 'Misconfigured'],
    ['InvalidName', 'Misconfigured'],
  ])('reports %s as %s', async (name, fault) => {
    sdk.on(StartExecutionCommand).rejects(named(name));
    await expect(starter.start(INPUT)).rejects.toMatchObject({ name: fault });
  });

  test('reports ExecutionLimitExceeded as Unavailable', async () => {
    sdk.on(StartExecutionCommand).rejects(named('ExecutionLimitExceeded'));
    await expect(starter.start(INPUT)).rejects.toMatchObject({ name: 'Unavailable' });
  });
});

describe('waking', () => {
  test('sends the very token, and no word of what was decided', async () => {
    sdk.on(SendTaskSuccessCommand).resolves({});
    sdk.on(SendTaskFailureCommand).resolves({});
    expect(await waker.succeed(TOKEN)).toBe('woken');
    expect(await waker.fail(TOKEN, 'Closed')).toBe('woken');
    expect(sdk.commandCalls(SendTaskSuccessCommand)[0]?.args[0].input).toEqual({ taskToken: TOKEN, output: '{}' });
    expect(sdk.commandCalls(SendTaskFailureCommand)[0]?.args[0].input).toEqual({ taskToken: TOKEN, error: 'Closed' });
  });

  describe.each([
    ['success', () => waker.succeed(TOKEN)],
    ['failure', () => waker.fail(TOKEN, 'Closed')],
  ] as const)('by %s (case 026)', (_, wake) => {
    const answering = (error: Error): void => {
      sdk.on(SendTaskSuccessCommand).rejects(error);
      sdk.on(SendTaskFailureCommand).rejects(error);
    };

    test.each(['TaskTimedOut', 'TaskDoesNotExist', 'InvalidToken'])('finds a token dead at %s', async (name) => {
      answering(named(name));
      expect(await wake()).toBe('dead');
    });

    test.each(['ThrottlingException', 'KmsThrottlingException', 'InternalServerError', 'ServiceUnavailable', 'TimeoutError'])('is to be tried again at %s', async (name) => {
      answering(named(name));
      await expect(wake()).rejects.toMatchObject({ name: 'Unavailable', retryable: true });
    });

    test.each(['ECONNRESET', 'ETIMEDOUT', 'ECONNREFUSED', 'EPIPE'])('is to be tried again at a socket that says %s', async (code) => {
      answering(socket(code));
      await expect(wake()).rejects.toMatchObject({ name: 'Unavailable', retryable: true });
    });

    test.each(['InvalidOutput', 'AccessDeniedException', 'AccessDenied', 'KmsAccessDeniedException', 'KmsInvalidStateException', 'ValidationException'])('needs a person at %s, and never counts as woken', async (name) => {
      answering(named(name));
      await expect(wake()).rejects.toMatchObject({ name: 'Misconfigured', retryable: false });
    });

    test('does not repeat the token in what it throws', async () => {
      answering(named('AccessDeniedException'));
      await expect(wake()).rejects.toThrow(/^waking an execution failed: AccessDeniedException$/);
    });
  });
});
