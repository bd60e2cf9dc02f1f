// The stored arguments, for people's eyes: nothing is shown whose hash is not the one that the operation carries.
import { argumentsHash } from '../domain/binding.ts';
import { Fault } from '../domain/faults.ts';
import { isKeyed } from '../domain/hash-forms.ts';
import type { Operation } from '../domain/operation.ts';
import type { ArgumentsVault } from '../ports/vault.ts';

/**
 * The canonical arguments; undefined when they are not kept any more.
 * A keyed hash is compared at the claim, by a function that may use the key.
 */
export async function readIntactArguments(vault: Pick<ArgumentsVault, 'readArguments'>, { operation_id, opening }: Operation): Promise<string | undefined> {
  const canonical = await vault.readArguments(operation_id);
  const { arguments_hash } = opening.operation;
  if (canonical !== undefined && !isKeyed(arguments_hash) && argumentsHash(canonical) !== arguments_hash) {
    throw new Fault('CorruptRecord', 'the vault’s bytes do not have the hash of the operation');
  }
  return canonical;
}
