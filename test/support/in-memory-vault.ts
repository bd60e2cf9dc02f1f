// A vault that behaves: arguments are kept once and byte for byte, and the newest token of a waiting state wins.
import { Fault } from '../../lambdas/domain/faults.ts';
import type { Instant } from '../../lambdas/domain/times.ts';
import type { ArgumentsVault, ParkedToken, ResultVault, TokenVault } from '../../lambdas/ports/vault.ts';
import { elsewhere } from './in-memory-system.ts';

interface Kept<T> {
  readonly value: T;
  /** Cleaning up is the database's business and happens late or never: no read asks for this. */
  readonly keep_until: Instant;
}

export interface InMemoryVault extends ArgumentsVault, ResultVault, TokenVault {
  /** What an insider with table access might do. */
  tamperArguments(operation_id: string, bytes: string | undefined): void;
  readonly argumentsKept: () => ReadonlyMap<string, Kept<string>>;
  readonly results: () => ReadonlyMap<string, Kept<string>>;
}

export function inMemoryVault(): InMemoryVault {
  const canonical = new Map<string, Kept<string>>();
  const results = new Map<string, Kept<string>>();
  const tokens = new Map<string, Kept<ParkedToken>>();
  return {
    putArguments: async (operation_id, value, keep_until) => {
      await elsewhere();
      const standing = canonical.get(operation_id);
      if (standing === undefined) canonical.set(operation_id, { value, keep_until });
      else if (standing.value !== value) throw new Fault('CorruptRecord', 'the vault holds other arguments under this operation');
    },
    readArguments: async (operation_id) => {
      await elsewhere();
      return canonical.get(operation_id)?.value;
    },
    putResult: async (operation_id, value, keep_until) => {
      await elsewhere();
      results.set(operation_id, { value, keep_until });
    },
    readResult: async (operation_id) => {
      await elsewhere();
      return results.get(operation_id)?.value;
    },
    parkToken: async (operation_id, state, token, keep_until) => {
      await elsewhere();
      const standing = tokens.get(`${operation_id} ${state}`)?.value;
      if (standing !== undefined && isNewer(standing, token)) return 'superseded';
      tokens.set(`${operation_id} ${state}`, { value: token, keep_until });
      return 'parked';
    },
    readToken: async (operation_id, state) => {
      await elsewhere();
      return tokens.get(`${operation_id} ${state}`)?.value.task_token;
    },
    tamperArguments: (operation_id, bytes) => {
      const standing = canonical.get(operation_id);
      if (bytes === undefined || standing === undefined) canonical.delete(operation_id);
      else canonical.set(operation_id, { ...standing, value: bytes });
    },
    argumentsKept: () => canonical,
    results: () => results,
  };
}

function isNewer(standing: ParkedToken, token: ParkedToken): boolean {
  if (standing.entered_at !== token.entered_at) return standing.entered_at > token.entered_at;
  return standing.retry_count > token.retry_count;
}
