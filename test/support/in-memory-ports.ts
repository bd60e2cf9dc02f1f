// All ports at once, behaving, under the names that use cases give them; each is shared as its real one would be.
import type { RegistryDocument } from '../../lambdas/domain/registry.ts';
import type { FormKeys } from '../../lambdas/ports/system.ts';
import { inMemoryBus, inMemoryTools } from './in-memory-bus.ts';
import { inMemoryEventLog } from './in-memory-event-log.ts';
import { inMemoryExecutions } from './in-memory-executions.ts';
import { inMemoryRegistry } from './in-memory-registry.ts';
import { countedIds, handSetClock, keptLog } from './in-memory-system.ts';
import { inMemoryVault } from './in-memory-vault.ts';
import { inMemoryViews } from './in-memory-views.ts';
import { testRegistry } from './port-registry.ts';

export type Ports = ReturnType<typeof inMemoryPorts>;

export function inMemoryPorts(document: RegistryDocument = testRegistry()) {
  const clock = handSetClock();
  const eventLog = inMemoryEventLog();
  const vault = inMemoryVault();
  const views = inMemoryViews();
  const registry = inMemoryRegistry(document);
  const executions = inMemoryExecutions(clock);
  const formKeys: FormKeys = { formKey: async () => new Uint8Array(32).fill(7) };
  return {
    clock,
    ids: countedIds(),
    log: keptLog(),
    eventLog,
    outbox: eventLog,
    vault,
    results: vault,
    tokens: vault,
    views,
    inbox: views,
    dueList: views,
    registry,
    callers: registry,
    tools: registry,
    directory: registry,
    callKeys: registry,
    starter: executions,
    waker: executions,
    bus: inMemoryBus(),
    invoker: inMemoryTools(),
    formKeys,
  };
}
