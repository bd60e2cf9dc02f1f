// The product on its local runtime, spoken to over HTTP only. Each has a data folder of its own.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { examplePolicies } from '../../examples/policies.ts';
import { exampleRegistry } from '../../examples/registry.ts';
import { exampleTools } from '../../examples/tools/index.ts';
import { startRuntime, type RuntimeOptions } from '../../infra/local/runtime.ts';
import type { OperationEvent } from '../../lambdas/domain/events.ts';
import type { RegistryInput } from '../../lambdas/domain/registry.ts';

export interface Reply {
  readonly status: number;
  readonly json: any;
  readonly text: string;
  readonly headers: Headers;
}

interface CallOptions {
  readonly as?: string | null;
  readonly body?: unknown;
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Product {
  readonly url: string;
  readonly data_folder: string;
  /** Everything that was published, in the order of publishing. */
  readonly published: OperationEvent[];
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  propose(tool: string, args: unknown, more?: Record<string, unknown>): Promise<Reply>;
  decide(operation: { operation_id: string; arguments_hash: string }, decision: string, as?: string, more?: Record<string, unknown>): Promise<Reply>;
  until(operation_id: string, ...statuses: string[]): Promise<any>;
  types(operation_id: string): Promise<string[]>;
  ledger(): string[];
  close(): Promise<void>;
}

export type ProductOptions = Partial<Pick<RuntimeOptions, 'data_folder' | 'tools' | 'policies' | 'groups_claim' | 'max_pending_per_agent'>> & { readonly registry?: RegistryInput };

export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const data_folder = options.data_folder ?? mkdtempSync(join(tmpdir(), 'countersign-flow-'));
  const published: OperationEvent[] = [];
  const tools = { ...exampleTools(data_folder), ...options.tools };
  const runtime = await startRuntime({ data_folder, port: 0, registry: options.registry ?? exampleRegistry, policies: options.policies ?? examplePolicies, tools, ...(options.max_pending_per_agent === undefined ? {} : { max_pending_per_agent: options.max_pending_per_agent }), ...(options.groups_claim === undefined ? {} : { groups_claim: options.groups_claim }), onEvent: (event) => published.push(event as OperationEvent) });
  const call: Product['call'] = async (method, path, { as = 'agent:billing-bot', body, raw, headers = {} } = {}) => {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const reply = await fetch(runtime.url + path, {
      method,
      redirect: 'manual',
      headers: { ...(as === null ? {} : { 'x-local-identity': as }), ...(sent === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await reply.text();
    return { status: reply.status, text, headers: reply.headers, json: parsed(text) };
  };
  const product: Product = {
    url: runtime.url,
    data_folder,
    published,
    call,
    propose: (tool, args, more = {}) => call('POST', '/agent/operations', { body: { tool, arguments: args, scope: { workspace_id: 'w1', agent_id: 'billing-bot' }, ...more } }),
    decide: (operation, decision, as = 'user:ana', more = {}) =>
      call('POST', `/api/operations/${operation.operation_id}/decisions`, { as, body: { arguments_hash: operation.arguments_hash, decision, ...more } }),
    until: async (operation_id, ...statuses) => {
      for (const start = Date.now(); Date.now() - start < 20_000; ) {
        const { json } = await call('GET', `/agent/operations/${operation_id}`);
        if (statuses.includes(json.status)) return json;
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      throw new Error(`${operation_id} did not become ${statuses.join(' or ')}`);
    },
    types: async (operation_id) => ((await call('GET', `/agent/operations/${operation_id}/events`)).json.events as OperationEvent[]).map(({ type }) => type),
    ledger: () => {
      const file = join(data_folder, 'ledger.jsonl');
      return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
    },
    close: () => runtime.close(),
  };
  return product;
}

/** The example policies with one rule of a workspace changed, such as a shorter wait. */
export function withRule(workspace: string, id: string, change: Record<string, unknown>): unknown[] {
  return examplePolicies.map((policy) => (policy.scope === `workspace:${workspace}` ? { ...policy, document: { ...policy.document, rules: policy.document.rules.map((rule: { id: string }) => (rule.id === id ? { ...rule, ...change } : rule)) } } : policy));
}

/** The example registry with a tool's entry changed, such as a shorter wait. */
export function withTool(name: string, change: Record<string, unknown>): RegistryInput {
  return { ...exampleRegistry, tools: exampleRegistry.tools.map((tool) => (tool.name === name ? { ...tool, ...change } : tool)) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
