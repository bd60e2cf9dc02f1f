// A fault is something that broke. Its name is a contract: the state machine catches by it, logs and alarms count it.
// Names are explicit strings, since minified class names differ from written ones. Messages hold no values.

export type FaultName = 'Unavailable' | 'AppendConflict' | 'CorruptRecord' | 'Misconfigured' | 'OutcomeUnknown' | 'NotGranted';

export class Fault extends Error {
  override readonly name: FaultName;
  readonly retryable: boolean;

  constructor(name: FaultName, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = name;
    this.retryable = name === 'Unavailable' || name === 'AppendConflict';
  }
}

export function isFault(thrown: unknown, name?: FaultName): thrown is Fault {
  return thrown instanceof Fault && (name === undefined || thrown.name === name);
}
