// The state machine that waits. It is only ever woken: what it does next it reads from the log.

/** Byte-stable per operation: a repeated start is recognised by name and input. Holds ids, a hash and seconds only. */
export interface ExecutionInput {
  readonly operation_id: string;
  readonly arguments_hash: string;
  readonly wait: { readonly timeout_seconds: number };
  readonly run: { readonly timeout_seconds: number };
}

export interface ExecutionStarter {
  /** Starts the execution named after the operation; `exists` if there is or was one. */
  start(input: ExecutionInput): Promise<'started' | 'exists'>;
}

export interface TaskWaker {
  /** `dead`: the token belongs to no waiting task any more. Throws `Unavailable` when nothing is known. */
  succeed(task_token: string): Promise<'woken' | 'dead'>;
  fail(task_token: string, error: 'Closed'): Promise<'woken' | 'dead'>;
}
