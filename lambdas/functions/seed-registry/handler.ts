// Stores the registry document that the deployment names. Run after each deployment, and at every local start.
import { parseRegistry } from '../../domain/registry.ts';
import type { RegistryStore } from '../../ports/registry.ts';
import type { Log } from '../../ports/system.ts';

export interface SeedPorts {
  readonly registry: RegistryStore;
  readonly log: Log;
}

/** @throws Error naming each field at fault; then nothing is stored. */
export function buildHandler({ registry, log }: SeedPorts, document: unknown): () => Promise<{ readonly rows: number; readonly removed: number }> {
  return async () => {
    const stored = await registry.replace(parseRegistry(document));
    log.write('CS6001', { count: stored.rows });
    return stored;
  };
}
