// What AWS throws, in our words. Only what may pass by itself is `Unavailable`; the rest needs a person.
import { Fault } from '../../domain/faults.ts';

const PASSING: ReadonlySet<string> = new Set([
  'ExecutionLimitExceeded',
  'Throttling',
  'SlowDown',
  'ThrottlingException',
  'ThrottledException',
  'TooManyRequestsException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'LimitExceededException',
  'InternalServerError',
  'InternalFailure',
  'InternalException',
  'ServiceException',
  'ServiceUnavailable',
  'ServiceUnavailableException',
  'KmsThrottlingException',
  'TimeoutError',
  'RequestTimeout',
  'RequestTimeoutException',
  'NetworkingError',
  'ECONNRESET',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
]);

export function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : 'unknown';
}

/** Wraps anything an SDK call threw; a fault of ours goes through as it is. The SDK's message is kept only as cause. */
export function asFault(thrown: unknown, what: string): Fault {
  if (thrown instanceof Fault) return thrown;
  const { code, $metadata, $fault } = thrown as { code?: string; $fault?: string; $metadata?: { httpStatusCode?: number } };
  const passing = PASSING.has(nameOf(thrown)) || (code !== undefined && PASSING.has(code)) || $fault === 'server' || $metadata?.httpStatusCode === 429 || ($metadata?.httpStatusCode ?? 0) >= 500;
  return new Fault(passing ? 'Unavailable' : 'Misconfigured', `${what} failed: ${nameOf(thrown)}`, { cause: thrown });
}

export async function call<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw asFault(thrown, what);
  }
}

/** Runs a conditional write: false when its condition did not hold. */
export async function conditionally(what: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (thrown) {
    if (nameOf(thrown) === 'ConditionalCheckFailedException') return false;
    throw asFault(thrown, what);
  }
}
