// What the product tells and calls: a bus that answers for each entry as a test says, and tools that leave a ledger.
import type { EventBus, Publication, PublishResult } from '../../lambdas/ports/event-bus.ts';
import type { ToolAnswer, ToolCall, ToolInvoker } from '../../lambdas/ports/tool-invoker.ts';
import { elsewhere } from './in-memory-system.ts';

export interface InMemoryBus extends EventBus {
  /** What subscribers received, in order; the same id twice where it was published twice. */
  readonly taken: readonly Publication[];
  readonly batches: readonly number[];
  /** Judges each entry from now on. */
  answering(judge: (publication: Publication, index: number) => PublishResult): void;
}

export function inMemoryBus(): InMemoryBus {
  const taken: Publication[] = [];
  const batches: number[] = [];
  let judge: (publication: Publication, index: number) => PublishResult = () => 'published';
  return {
    publish: async (publications) => {
      await elsewhere();
      batches.push(publications.length);
      const results = publications.map((publication, index) => judge(publication, index));
      taken.push(...publications.filter((_, index) => results[index] === 'published'));
      return results;
    },
    taken,
    batches,
    answering: (next) => void (judge = next),
  };
}

export type InMemoryTool = (call: ToolCall) => ToolAnswer | Promise<ToolAnswer>;

export interface InMemoryTools extends ToolInvoker {
  /** Every call that reached a tool: one line too many is one effect too many. */
  readonly ledger: readonly (ToolCall & { readonly function_name: string; readonly timeout_seconds: number })[];
  behaving(function_name: string, tool: InMemoryTool): void;
}

export function inMemoryTools(): InMemoryTools {
  const ledger: (ToolCall & { function_name: string; timeout_seconds: number })[] = [];
  const tools = new Map<string, InMemoryTool>();
  return {
    invoke: async (function_name, call, timeout_seconds) => {
      await elsewhere();
      ledger.push({ ...call, function_name, timeout_seconds });
      return (tools.get(function_name) ?? (() => ({ kind: 'completed', output: { ran: function_name } })))(call);
    },
    ledger,
    behaving: (function_name, tool) => void tools.set(function_name, tool),
  };
}
