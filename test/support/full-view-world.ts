// One asked operation with its arguments in the vault and its tool in the registry, and the pages that read both.
import { canonicalJson } from '../../lambdas/domain/json/canonical-json.ts';
import type { JsonValue } from '../../lambdas/domain/json/json-value.ts';
import type { Tool } from '../../lambdas/domain/registry.ts';
import { buildFormHandler as decideForm } from '../../lambdas/functions/decide-operation/form-handler.ts';
import { buildFormHandler as revealForm } from '../../lambdas/functions/reveal-arguments/form-handler.ts';
import { buildPageHandler } from '../../lambdas/functions/show-full-view/page-handler.ts';
import { asked, OPERATION_ID, REFUND, type Asked, type Story } from './page-operations.ts';
import { HOST, pageRequest, pageWorld, type PageRequest, type PageWorld } from './page-requests.ts';

export interface PageReply {
  readonly status: number | undefined;
  readonly page: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface FullViewWorld extends PageWorld {
  readonly story: Story;
  /** What the vault holds and how the tool is defined from now on. */
  readonly holding: (canonical: string | undefined) => void;
  readonly defining: (tool: Tool | undefined) => void;
  readonly types: () => readonly string[];
  full(as: string | undefined, more?: Partial<PageRequest>): Promise<PageReply>;
  decide(as: string, form: Readonly<Record<string, string>>): Promise<PageReply>;
  reveal(as: string | undefined, form: Readonly<Record<string, string>>, more?: Partial<PageRequest>): Promise<PageReply>;
}

export const SAME_ORIGIN = { origin: `https://${HOST}`, 'sec-fetch-site': 'same-origin' };
const SMALL: JsonValue = { customer_id: 'c-42', amount: 120, currency: 'EUR' };

export async function fullViewWorld(call: Asked = {}): Promise<FullViewWorld> {
  const story = await asked(call);
  const world = pageWorld([story]);
  let canonical: string | undefined = canonicalJson(call.arguments ?? SMALL);
  let tool: Tool | undefined = call.tool ?? REFUND;
  const ports = {
    ...world.ports,
    vault: { readArguments: async () => canonical },
    tools: { tool: async () => tool },
  };
  const send = async (handler: ReturnType<typeof buildPageHandler>, request: PageRequest): Promise<PageReply> => {
    const { statusCode, body = '', headers = {} } = await handler(pageRequest({ id: OPERATION_ID, ...request }));
    return { status: statusCode, page: body, headers };
  };
  const who = (as: string | undefined): { as?: string } => (as === undefined ? {} : { as });
  return {
    ...world,
    story,
    holding: (bytes) => void (canonical = bytes),
    defining: (definition) => void (tool = definition),
    types: () => world.events(OPERATION_ID).map(({ event }) => event.type),
    full: (as, more) => send(buildPageHandler(ports), { route: 'GET /review/{id}/full', ...who(as), ...more }),
    decide: (as, form) => send(decideForm(ports), { route: 'POST /review/{id}', as, form, headers: SAME_ORIGIN }),
    reveal: (as, form, more) => send(revealForm(ports), { route: 'POST /review/{id}/reveal', ...who(as), form, headers: SAME_ORIGIN, ...more }),
  };
}
