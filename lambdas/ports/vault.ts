// Where full arguments, results and task tokens live, and nowhere else. Split by who may touch what.
import type { Instant } from '../domain/times.ts';

export interface ArgumentsVault {
  /** Keeps the canonical arguments. Repeating it with the same bytes is fine; other bytes are a fault. */
  putArguments(operation_id: string, canonical: string, keep_until: Instant): Promise<void>;
  /** Exactly the stored bytes, or undefined when they are gone. */
  readArguments(operation_id: string): Promise<string | undefined>;
}

export interface ResultVault {
  /** `json` is the tool's output or error as JSON text. */
  putResult(operation_id: string, json: string, keep_until: Instant): Promise<void>;
  readResult(operation_id: string): Promise<string | undefined>;
}

export type WaitingState = 'await_decision' | 'run_tool';

/** Which attempt at which waiting state a token belongs to: `entered_at` first, then `retry_count`. */
export interface ParkedToken {
  readonly task_token: string;
  readonly entered_at: Instant;
  readonly retry_count: number;
}

export interface TokenVault {
  /** Stores the token unless a newer one of the same state is there. */
  parkToken(operation_id: string, state: WaitingState, token: ParkedToken, keep_until: Instant): Promise<'parked' | 'superseded'>;
  readToken(operation_id: string, state: WaitingState): Promise<string | undefined>;
}
