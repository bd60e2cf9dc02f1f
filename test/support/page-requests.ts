// What a browser and API Gateway make of a page request, and the ports that pages need, in memory.
import { chainFault, type SealedEvent } from '../../lambdas/domain/chain.ts';
import { passes } from '../../lambdas/domain/inbox-filter.ts';
import type { InboxEntry } from '../../lambdas/domain/operation-views.ts';
import { tailOf } from '../../lambdas/domain/operation.ts';
import { parsePolicy } from '../../lambdas/domain/policy/policy-document.ts';
import { workspaceSchema } from '../../lambdas/domain/registry.ts';
import { plusSeconds } from '../../lambdas/domain/times.ts';
import type { DecidePorts } from '../../lambdas/functions/decide-operation/decide-operation.ts';
import type { ShowPorts } from '../../lambdas/functions/show-pages/show-pages.ts';
import type { HttpEvent } from '../../lambdas/middleware/http-function.ts';
import type { LogFacts } from '../../lambdas/ports/system.ts';
import type { CallerRegistry, RegisteredCaller } from '../../lambdas/ports/registry.ts';
import { NOW, type Story } from './page-operations.ts';

export const HOST = 'countersign.example';
export const FORM_KEY = new Uint8Array(32).fill(7);

export interface PageRequest {
  readonly route: 'GET /inbox' | 'GET /review/{id}' | 'POST /review/{id}' | 'GET /review/{id}/full' | 'POST /review/{id}/reveal';
  readonly id?: string;
  readonly as?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
}

export function pageRequest({ route, id, as, query, headers, form }: PageRequest): HttpEvent {
  const [method = '', path = ''] = route.split(' ');
  const rawPath = path.replace('{id}', id ?? '');
  const claims = as === undefined ? {} : { authorizer: { jwt: { claims: { iss: 'https://issuer.example', sub: as }, scopes: [] } } };
  const type = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  const event = {
    version: '2.0',
    routeKey: route,
    rawPath,
    rawQueryString: new URLSearchParams(query ?? {}).toString(),
    headers: { host: HOST, ...type, ...headers },
    requestContext: { requestId: 'req-1', http: { method, path: rawPath }, domainName: HOST, ...claims },
    isBase64Encoded: false,
    ...(query === undefined ? {} : { queryStringParameters: query }),
    ...(id === undefined ? {} : { pathParameters: { id } }),
    ...(form === undefined ? {} : { body: new URLSearchParams(form).toString() }),
  };
  return event as unknown as HttpEvent;
}

const FINANCE: readonly string[] = ['user:ana', 'user:zoe'];
const PEOPLE: Readonly<Record<string, RegisteredCaller>> = Object.fromEntries(
  ['ana', 'ben', 'olga', 'zoe', 'root'].map((name) => [
    `oidc:https://issuer.example#${name}`,
    { kind: 'person', person: { subject: `user:${name}`, principals: [`oidc:https://issuer.example#${name}`], administrator: name === 'root' }, groups: name === 'ana' ? ['group:finance'] : [] },
  ]),
);

export interface PageWorld {
  readonly ports: ShowPorts & DecidePorts & { readonly callers: CallerRegistry };
  readonly events: (operation_id: string) => readonly SealedEvent[];
  readonly written: readonly { readonly code: string; readonly facts: LogFacts }[];
  readonly at: (seconds: number) => void;
}

/** A log that holds the conditions of the real one: the next number only, on the chain. */
export function pageWorld(stories: readonly Story[], all: readonly InboxEntry[] = []): PageWorld {
  const log = new Map(stories.map(({ operation, sealed }) => [operation.operation_id, [...sealed]]));
  const written: { code: string; facts: LogFacts }[] = [];
  let now = plusSeconds(NOW, 60);
  let ids = 0;
  const eventsOf = (operation_id: string): SealedEvent[] => log.get(operation_id) ?? [];
  const ports: PageWorld['ports'] = {
    standIns: { standsInFor: async () => [] },
    eventLog: {
      load: async (id) => eventsOf(id).map((sealed) => ({ ...sealed, append_id: 'a', relayed: true })),
      lastSequence: async (id) => eventsOf(id).length,
      append: async (sealed) => {
        const events = eventsOf(sealed.event.subject);
        const last = events.at(-1);
        if (last === undefined || chainFault(sealed.text, tailOf(last.event)) !== undefined) return 'conflict';
        events.push(sealed);
        return 'appended';
      },
    },
    inbox: {
      list: async (_references, { limit, cursor, filter = {} }) => {
        const inbox = all.filter((entry) => passes(entry, filter));
        const start = cursor === undefined ? 0 : inbox.findIndex((entry) => cursorOf(entry) === cursor) + 1;
        const entries = inbox.slice(start, start + limit);
        const last = entries.at(-1);
        return { entries, ...(last !== undefined && start + limit < inbox.length ? { cursor: cursorOf(last) } : {}) };
      },
    },
    directory: {
      organisationOf: async () => 'acme',
      approverEntry: async (reference) => (reference === 'group:finance' ? { kind: 'group', revision: 1, members: FINANCE, from_claim: false } : reference.startsWith('user:') ? { kind: 'person', revision: 1 } : undefined),
    },
    callers: { callerOf: async (principal) => PEOPLE[principal] },
    formKeys: { formKey: async () => FORM_KEY },
    clock: { now: () => now, sleep: async () => undefined },
    ids: { operationId: () => 'op_', uniqueId: () => String((ids += 1)) },
    log: { write: (code, facts = {}) => void written.push({ code, facts }) },
    tokens: { readToken: async () => undefined },
    leases: { leaseUntil: async () => undefined },
    waker: { succeed: async () => 'dead', fail: async () => 'dead' },
    // A policy that has become no stricter since: nothing in it speaks against what waits.
    vault: { readArguments: async () => '{}' },
    policies: { current: async (scopes) => scopes.map((scope) => ({ scope, revision: 1, document: parsePolicy(scope, {}) })) },
    tools: { tool: async () => undefined },
    workspaces: { workspace: async (id) => workspaceSchema.parse({ id, org_id: 'acme' }) },
    conditions: { holds: async () => 'unclear' },
  };
  return { ports, events: eventsOf, written, at: (seconds) => void (now = plusSeconds(NOW, seconds)) };
}

export function cursorOf({ requested_at, operation_id }: InboxEntry): string {
  return `${requested_at}#${operation_id}`;
}
