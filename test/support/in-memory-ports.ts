// All ports at once, behaving, under the names that use cases give them; each is shared as its real one would be.
import { jsonataConditions } from '../../lambdas/adapters/jsonata/jsonata-conditions.ts';
import type { RegistryDocument } from '../../lambdas/domain/registry.ts';
import type { FormKeys } from '../../lambdas/ports/system.ts';
import { inMemoryBus, inMemoryTools } from './in-memory-bus.ts';
import type { StandInDirectory } from '../../lambdas/ports/directory.ts';
import { inMemoryDirectory } from './in-memory-directory.ts';
import { inMemoryEventLog, outboxOf } from './in-memory-event-log.ts';
import { inMemoryExecutions } from './in-memory-executions.ts';
import { inMemoryKeyedHashes } from './in-memory-keyed-hashes.ts';
import { inMemoryLeases } from './in-memory-leases.ts';
import { inMemoryOpenOperations } from './in-memory-open-operations.ts';
import { inMemoryPolicies } from './in-memory-policies.ts';
import { inMemoryRegistry } from './in-memory-registry.ts';
import { countedIds, handSetClock, keptLog } from './in-memory-system.ts';
import { inMemoryVault } from './in-memory-vault.ts';
import { inMemoryViews } from './in-memory-views.ts';
import { testPolicies, testRegistry, type PolicySet } from './port-registry.ts';

export type Ports = ReturnType<typeof inMemoryPorts>;

export function inMemoryPorts(document: RegistryDocument = testRegistry(), policySet: PolicySet = testPolicies()) {
  const clock = handSetClock();
  const ids = countedIds();
  const policies = inMemoryPolicies({ clock, ids: countedIds() }, policySet);
  const directory = inMemoryDirectory({ clock, ids: countedIds() });
  const eventLog = inMemoryEventLog();
  const vault = inMemoryVault();
  const views = inMemoryViews();
  const registry = inMemoryRegistry(document);
  const executions = inMemoryExecutions(clock);
  const openOperations = inMemoryOpenOperations();
  const formKeys: FormKeys = { formKey: async () => new Uint8Array(32).fill(7) };
  return {
    clock,
    ids,
    log: keptLog(),
    eventLog,
    outbox: outboxOf(eventLog, policies.log, directory.log),
    policyLog: policies.log,
    directoryLog: directory.log,
    directoryEditor: directory,
    policies,
    conditions: jsonataConditions(),
    vault,
    results: vault,
    tokens: vault,
    views,
    inbox: views,
    dueList: views,
    recent: views,
    operationList: views,
    registry,
    callers: registry,
    tools: registry,
    catalogue: registry,
    directory: registry,
    standIns: directory as StandInDirectory,
    workspaces: registry,
    scopeCatalogue: registry,
    workspaceCatalogue: registry,
    people: registry,
    callKeys: registry,
    openOperations,
    leases: inMemoryLeases(),
    sameCalls: openOperations,
    runs: openOperations,
    starter: executions,
    waker: executions,
    bus: inMemoryBus(),
    invoker: inMemoryTools(),
    keyedHashes: inMemoryKeyedHashes(),
    formKeys,
  };
}
