// Stores the registry and the policies that the deployment names. Run after each deployment, and at every local start.
import * as z from 'zod';
import { isPolicyScope } from '../../domain/policy/policy-document.ts';
import { parseRegistry } from '../../domain/registry.ts';
import type { JsonObject } from '../../domain/json/json-value.ts';
import { seedRegistry, type Seeded, type SeedPolicy, type SeedPorts } from './seed-registry.ts';

const policiesSchema = z.array(z.strictObject({ scope: z.string().refine(isPolicyScope, 'is org:<id>, workspace:<id> or agent:<id>'), document: z.record(z.string(), z.unknown()) }));

/** @throws Error naming each field at fault; then nothing is stored. */
export function buildHandler(ports: SeedPorts, registry: unknown, policies: unknown): () => Promise<Seeded> {
  return async () => {
    const seeds = policiesSchema.parse(policies).map(({ scope, document }): SeedPolicy => ({ scope: scope, document: document as JsonObject }));
    return seedRegistry(ports, parseRegistry(registry), seeds);
  };
}
