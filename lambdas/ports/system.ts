// The few things that rules must not reach for themselves: time, chance, the log line, the key of page forms.
import type { LogCode } from '../observability/log-catalogue.ts';
import type { Instant } from '../domain/times.ts';

export interface Clock {
  now(): Instant;
  sleep(milliseconds: number): Promise<void>;
}

export interface Ids {
  /** `op_` and 32 hex digits, 128 bits of chance. */
  operationId(): string;
  uniqueId(): string;
}

/** Allow-listed facts only: never arguments, tokens, comments or error objects. */
export interface LogFacts {
  readonly operation_id?: string;
  readonly request_id?: string;
  readonly event_id?: string;
  readonly route?: string;
  readonly status?: string;
  readonly http_status?: number;
  readonly code?: string;
  readonly fault?: string;
  readonly count?: number;
}

export interface Log {
  write(code: LogCode, facts?: LogFacts): void;
}

/** HMAC key of the one-use field in page forms. */
export interface FormKeys {
  formKey(): Promise<Uint8Array>;
}
