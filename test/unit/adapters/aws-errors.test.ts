import { describe, expect, test } from 'vitest';
import { asFault, call, conditionally } from '../../../lambdas/adapters/aws/aws-errors.ts';
import { Fault } from '../../../lambdas/domain/faults.ts';

const CANARY = 'ConditionalCheckFailed ... item {"token":"AAAA"}';

function sdkError(more: Readonly<Record<string, unknown>>): Error {
  return Object.assign(new Error(CANARY), more);
}

describe('what an SDK throws', () => {
  test.each([
    [{ name: 'ThrottlingException' }],
    [{ name: 'ProvisionedThroughputExceededException' }],
    [{ name: 'RequestLimitExceeded' }],
    [{ name: 'TooManyRequestsException' }],
    [{ name: 'KmsThrottlingException' }],
    [{ name: 'ServiceUnavailable' }],
    [{ name: 'TimeoutError' }],
    [{ name: 'Error', code: 'ECONNRESET' }],
    [{ name: 'Error', code: 'ETIMEDOUT' }],
    [{ name: 'NewServerFault', $fault: 'server' }],
    [{ name: 'NewServerFault', $metadata: { httpStatusCode: 503 } }],
  ])('passes by itself when it is %o', (more) => {
    expect(asFault(sdkError(more), 'looking')).toMatchObject({ name: 'Unavailable', retryable: true });
  });

  test.each([
    [{ name: 'AccessDeniedException', $fault: 'client', $metadata: { httpStatusCode: 400 } }],
    [{ name: 'ValidationException', $metadata: { httpStatusCode: 400 } }],
    [{ name: 'ResourceNotFoundException' }],
    [{ name: 'UnrecognizedClientException' }],
    [{ name: 'CredentialsProviderError' }],
    [{ name: 'Error' }],
  ])('needs a person when it is %o', (more) => {
    expect(asFault(sdkError(more), 'looking')).toMatchObject({ name: 'Misconfigured', retryable: false });
  });

  test.each([
    [{ name: 'Error', code: 'EAI_AGAIN' }],
    [{ name: 'Error', code: 'ENOTFOUND' }],
    [{ name: 'Error', code: 'EHOSTUNREACH' }],
    [{ name: 'Error', code: 'ENETUNREACH' }],
    [{ name: 'RequestTimeoutException' }],
    [{ name: 'Throttling' }],
    [{ name: 'SlowDown' }],
    [{ name: 'NewThrottle', $metadata: { httpStatusCode: 429 } }],
  ])('passes by itself, too, when it is %o', (more) => {
    expect(asFault(sdkError(more), 'looking')).toMatchObject({ name: 'Unavailable' });
  });

  test('keeps its words to itself: they are the cause, never the message', () => {
    const fault = asFault(sdkError({ name: 'ValidationException' }), 'storing arguments');
    expect(fault.message).toBe('storing arguments failed: ValidationException');
    expect(fault.cause).toMatchObject({ message: CANARY });
  });

  test('may be no error at all', () => {
    expect(asFault('a string', 'looking')).toMatchObject({ name: 'Misconfigured', message: 'looking failed: unknown' });
  });

  test('goes through as it is when it is a fault of ours', () => {
    const ours = new Fault('CorruptRecord', 'a gap');
    expect(asFault(ours, 'looking')).toBe(ours);
  });
});

describe('a call', () => {
  test('gives its answer', async () => {
    expect(await call('looking', async () => 5)).toBe(5);
  });

  test('throws only faults', async () => {
    await expect(call('looking', async () => Promise.reject(sdkError({ name: 'ThrottlingException' })))).rejects.toBeInstanceOf(Fault);
  });
});

describe('a conditional write', () => {
  test('tells whether its condition held', async () => {
    expect(await conditionally('writing', async () => undefined)).toBe(true);
    expect(await conditionally('writing', async () => Promise.reject(sdkError({ name: 'ConditionalCheckFailedException' })))).toBe(false);
  });

  test.each(['TransactionCanceledException', 'TransactionConflictException', 'ReplicatedWriteConflictException', 'ValidationException'])('never takes %s for a failed condition', async (name) => {
    await expect(conditionally('writing', async () => Promise.reject(sdkError({ name })))).rejects.toBeInstanceOf(Fault);
  });
});
