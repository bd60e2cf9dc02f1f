// Leases that behave: the first one stands, and one that has ended is not moved on.
import type { Leases } from '../../lambdas/ports/leases.ts';
import { elsewhere } from './in-memory-system.ts';

export function inMemoryLeases(): Leases {
  const leases = new Map<string, string>();
  return {
    beginLease: async (operation_id, lease_until) => {
      await elsewhere();
      if (!leases.has(operation_id)) leases.set(operation_id, lease_until);
    },
    renewLease: async (operation_id, lease_until, now) => {
      await elsewhere();
      const standing = leases.get(operation_id);
      if (standing !== undefined && standing <= now) return false;
      leases.set(operation_id, lease_until);
      return true;
    },
    leaseUntil: async (operation_id) => {
      await elsewhere();
      return leases.get(operation_id);
    },
    endLease: async (operation_id) => {
      await elsewhere();
      leases.delete(operation_id);
    },
    lapsedLeases: async (now, most) => {
      await elsewhere();
      return [...leases].filter(([, until]) => until <= now).map(([id]) => id).slice(0, most);
    },
  };
}
