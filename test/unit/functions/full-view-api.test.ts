// The full view and the exact arguments for people's programs, over the ports in memory.
import { describe, expect, test } from 'vitest';
import { argumentsHash } from '../../../lambdas/domain/binding.ts';
import { canonicalJson } from '../../../lambdas/domain/json/canonical-json.ts';
import type { RegistryInput } from '../../../lambdas/domain/registry.ts';
import { buildHandler as reveal } from '../../../lambdas/functions/reveal-arguments/handler.ts';
import { corridor } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts } from '../../support/in-memory-ports.ts';
import { gatewayEvent } from '../../support/gateway-events.ts';
import { asks, REGISTRY_INPUT, testPolicies, testRegistry } from '../../support/port-registry.ts';

const RUN_CODE: RegistryInput['tools'][number] = {
  name: 'run_code',
  version: '1',
  consequence: 'irreversible',
  executor: { function: 'run_code' },
  display: { critical: ['/code'] },
  reveal: 'on_request',
};
const CODE = { code: `${'import x\n'.repeat(6000)}drop everything`, password: 'hunter2hunter2' };

async function waiting() {
  const all = corridor({ ports: inMemoryPorts(testRegistry({ tools: [...REGISTRY_INPUT.tools, RUN_CODE] }), testPolicies([asks('run_code', ['group:finance'], { quorum: 2 })])) });
  const { body } = await all.propose('run_code', CODE);
  const full = (as: string, query?: Record<string, string>) => all.http({ route: 'GET /api/operations/{id}/full', as, id: body.operation_id, ...(query === undefined ? {} : { query }) });
  const ask = (as: string, sent: unknown = {}) => all.http({ route: 'POST /api/operations/{id}/reveal', as, id: body.operation_id, body: sent });
  return { ...all, proposed: body, full, ask };
}

describe('the full view for programs', () => {
  test('is paged rows with the hash to decide on, redacted and not cut', async () => {
    const { full, proposed } = await waiting();
    const first = await full('user:ana');
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ operation_id: proposed.operation_id, arguments_hash: proposed.arguments_hash, page: 1, hidden_values: 1, may_reveal: true, within: [] });
    const pages = first.body['pages'] as number;
    const texts: string[] = [];
    for (let page = 1; page <= pages; page += 1) {
      const { rows } = (await full('user:ana', { page: String(page) })).body as unknown as { rows: { name?: string; text?: string }[] };
      texts.push(...rows.filter(({ name }) => name === 'code').map(({ text = '' }) => text));
    }
    expect(texts.join('')).toBe(CODE.code);
    expect(JSON.stringify(first.body)).not.toContain('hunter2');
  });

  test.each(['user:olga', 'user:root'])('is not for %s, and neither is it for strangers or machines', async (as) => {
    const { full, http, proposed } = await waiting();
    expect((await full(as)).body).toMatchObject({ status: 404, code: 'operation_not_found' });
    expect((await http({ route: 'GET /api/operations/{id}/full', as: 'agent:billing-bot', id: proposed.operation_id })).status).toBe(404);
    expect((await http({ route: 'GET /api/operations/{id}/full', id: proposed.operation_id })).status).toBe(401);
    expect((await http({ route: 'GET /api/operations/{id}/full', as: 'user:ana', id: 'op_nope' })).status).toBe(404);
  });

  test.each(['0', '99', 'two'])('has no page %s', async (page) => {
    expect((await (await waiting()).full('user:ana', { page })).body).toMatchObject({ code: 'invalid_request', field: 'page' });
  });
});

describe('approving what does not fit the short view', () => {
  test('is refused without a word about the view, and changes nothing', async () => {
    const { vote, proposed, eventsOf } = await waiting();
    for (const more of [{}, { view: 'short' }]) {
      const { status, body } = await vote(proposed, 'user:ana', 'approve', more);
      expect(status).toBe(409);
      expect(body).toMatchObject({ code: 'full_view_required', detail: expect.stringContaining(`/api/operations/${proposed.operation_id}/full`), full_view: `/review/${proposed.operation_id}/full` });
    }
    expect(await eventsOf(proposed.operation_id)).toHaveLength(1);
  });

  test('needs the full view of each who approves', async () => {
    const { vote, proposed, operationOf } = await waiting();
    expect((await vote(proposed, 'user:ana', 'approve', { view: 'full' })).status).toBe(200);
    expect((await vote(proposed, 'user:ben', 'approve')).body.code).toBe('full_view_required');
    expect((await operationOf(proposed.operation_id)).status).toBe('pending');
    expect((await vote(proposed, 'user:ben', 'approve', { view: 'full' })).body).toMatchObject({ status: 'granted', decision: { votes: [{ view: 'full' }, { view: 'full' }] } });
  });

  test('is answered as before when the same vote comes again, from either view', async () => {
    const { vote, proposed, eventsOf } = await waiting();
    await vote(proposed, 'user:ana', 'approve', { view: 'full' });
    expect((await vote(proposed, 'user:ana', 'approve')).status).toBe(200);
    expect(await eventsOf(proposed.operation_id)).toHaveLength(2);
  });

  test('can be denied from the short view', async () => {
    const { vote, proposed } = await waiting();
    expect((await vote(proposed, 'user:ana', 'deny')).body).toMatchObject({ status: 'denied' });
  });

  test('knows no third view', async () => {
    const { vote, proposed } = await waiting();
    expect((await vote(proposed, 'user:ana', 'approve', { view: 'whole' })).body).toMatchObject({ code: 'invalid_request', field: 'view' });
  });

  test('still ends at a wrong hash, which is the graver thing', async () => {
    const { vote, proposed } = await waiting();
    expect((await vote({ ...proposed, arguments_hash: `sha256:${'0'.repeat(64)}` }, 'user:ana')).body.code).toBe('arguments_changed');
  });
});

describe('the exact arguments for programs', () => {
  test('are the canonical text byte for byte, so that its hash can be checked', async () => {
    const { ports, proposed, eventsOf } = await waiting();
    const handler = reveal(ports);
    const reply = await handler(gatewayEvent({ route: 'POST /api/operations/{id}/reveal', as: 'user:ben', id: proposed.operation_id, body: {} }));
    expect(reply.statusCode).toBe(200);
    expect(reply.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    expect(reply.body).toBe(canonicalJson(CODE));
    expect(argumentsHash(reply.body ?? '')).toBe(proposed.arguments_hash);
    expect((await eventsOf(proposed.operation_id)).at(-1)).toMatchObject({ type: 'approval.arguments_revealed', data: { actor: { subject: 'user:ben' }, channel: 'api' } });
  });

  test('are told of in the operation’s description, in its events and to subscribers', async () => {
    const { ask, http, proposed, relay, ports } = await waiting();
    await ask('user:ana');
    expect((await http({ route: 'GET /api/operations/{id}', as: 'user:ben', id: proposed.operation_id })).body).toMatchObject({
      status: 'pending',
      reveals: [{ subject: 'user:ana', channel: 'api' }],
    });
    await relay({ sweep: true });
    expect(ports.bus.taken.map(({ event }) => event.type)).toEqual(['approval.requested', 'approval.arguments_revealed']);
    expect(ports.bus.taken.map(({ text }) => text).join()).not.toContain('hunter2');
  });

  test.each([
    ['user:root', 'not_an_approver'],
    ['user:olga', 'own_operation'],
    ['agent:other-bot', 'operation_not_found'],
  ])('are refused to %s as %s', async (as, code) => {
    const { ask, proposed, eventsOf } = await waiting();
    expect((await ask(as)).body.code).toBe(code);
    expect(await eventsOf(proposed.operation_id)).toHaveLength(1);
  });

  test('take an empty object and nothing else', async () => {
    const { ask } = await waiting();
    expect((await ask('user:ana', { arguments_hash: 'x' })).body.code).toBe('invalid_request');
    expect((await ask('user:ana', '')).status).toBe(400);
  });

  test('hold the race: a decision at the same time is lost by neither', async () => {
    const { ask, vote, proposed, eventsOf } = await waiting();
    const [shown, decided] = await Promise.all([ask('user:ana'), vote(proposed, 'user:ben', 'deny')]);
    const types = (await eventsOf(proposed.operation_id)).map(({ type }) => type);
    expect(decided.status).toBe(200);
    expect(types.at(0)).toBe('approval.requested');
    expect(types.includes('approval.arguments_revealed')).toBe(shown.status === 200);
    expect(types).toContain('approval.denied');
  });
});
