// Ids from the operating system's randomness.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Ids } from '../../ports/system.ts';

export const randomIds: Ids = {
  operationId: () => `op_${randomBytes(16).toString('hex')}`,
  uniqueId: () => randomUUID(),
};
