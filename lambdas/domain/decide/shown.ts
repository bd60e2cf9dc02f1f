// What events repeat of the opening: approvals carry all that people were shown, runs only ids and hashes.
import type { Operation } from '../operation.ts';

export type ShownData = ReturnType<typeof shownOf>;

export function shownOf({ opening }: Operation) {
  const { operation, risk, redaction, details } = opening;
  return { operation, risk, redaction, details };
}

export function bareOf({ opening }: Operation) {
  const { id, arguments_hash, binding_hash } = opening.operation;
  return { operation: { id, arguments_hash, binding_hash } };
}
