// The policy page over ports in memory: two organisations, a workspace that allows small refunds and asks for others.
import { plusSeconds } from '../../lambdas/domain/times.ts';
import { buildPageHandler } from '../../lambdas/functions/explain-policy/page-handler.ts';
import { mintFormToken } from '../../lambdas/pages/form-token.ts';
import { gatewayEvent, type Asked } from './gateway-events.ts';
import { inMemoryPorts, type Ports } from './in-memory-ports.ts';
import { START_OF_TEST } from './in-memory-system.ts';

const HOST = 'id.execute-api.eu-central-1.amazonaws.com';
const KEY = new Uint8Array(32).fill(7);
export const FORM = { 'content-type': 'application/x-www-form-urlencoded', origin: `https://${HOST}`, 'sec-fetch-site': 'same-origin' };

type Fields = Readonly<Record<string, string>>;

export interface PageReply {
  readonly status: number | undefined;
  readonly page: string;
}

export interface PolicyPageWorld {
  readonly ports: Ports;
  send(asked: Asked): Promise<PageReply>;
  look(query?: Fields, as?: string): Promise<PageReply>;
  /** A question about a refund of 500, as ana's own page would post it. */
  ask(more?: Fields, request?: Partial<Asked>): Promise<PageReply>;
}

export function policyPageWorld(): PolicyPageWorld {
  const ports = inMemoryPorts(undefined, {
    'org:acme': { rules: [{ id: 'tables', target: 'tool:drop_*', effect: 'deny' }] },
    'workspace:w1': {
      rules: [
        { id: 'small', target: 'tool:refund_payment', when: 'arguments.amount <= 100', effect: 'allow' },
        { id: 'large', target: 'tool:refund_payment', when: '$not(arguments.amount <= 100)', effect: 'ask', approvers: ['group:finance', 'user:olga'] },
        { id: 'own', target: 'tool:own_books', effect: 'ask', approvers: ['user:olga'] },
      ],
    },
  });
  const send: PolicyPageWorld['send'] = async (asked) => {
    const { statusCode, body = '' } = await buildPageHandler(ports)(gatewayEvent(asked));
    return { status: statusCode, page: body };
  };
  return {
    ports,
    send,
    look: (query, as = 'user:ana') => send({ route: 'GET /policies', as, ...(query === undefined ? {} : { query }) }),
    ask: (more, request) => send({ route: 'POST /policies', as: 'user:ana', headers: FORM, body: formOf(more), ...request }),
  };
}

export function formOf(more: Fields = {}): string {
  const fields = { scope: 'workspace:w1', tool: 'refund_payment', arguments: '{"amount":500}', workspace_id: 'w1', agent_id: 'billing-bot', on_behalf_of: '', owner: '', form_token: tokenFor('user:ana') };
  return new URLSearchParams({ ...fields, ...more }).toString();
}

export function tokenFor(subject: string, seconds_ago = 0): string {
  return mintFormToken(KEY, { use: 'explain', subject }, plusSeconds(START_OF_TEST, -seconds_ago));
}

/** What a review page would have made. */
export function decisionToken(subject: string): string {
  return mintFormToken(KEY, { use: 'decide_short', subject, operation_id: 'op_1', arguments_hash: 'sha256:0' }, START_OF_TEST);
}
