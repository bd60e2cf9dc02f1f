// The inbox page and the inbox of the API list the same: what the person may decide, and nothing of their own.
import { describe, expect, test } from 'vitest';
import { buildHandler as showPages } from '../../../lambdas/functions/show-pages/handler.ts';
import { gatewayEvent } from '../../support/gateway-events.ts';
import { corridor } from '../../support/in-memory-corridor.ts';

async function inboxesOf(as: string, all: ReturnType<typeof corridor>, query: Record<string, string> = {}): Promise<{ api: readonly string[]; page: readonly string[]; cursor: unknown }> {
  const { body } = await all.http({ route: 'GET /api/inbox', as, query });
  const reply = await showPages(all.ports)(gatewayEvent({ route: 'GET /inbox', as }));
  const page = [...(reply.body ?? '').matchAll(/href="\/review\/(op_[0-9a-f]{32})"/g)].map(([, id = '']) => id);
  return { api: (body['operations'] as { operation_id: string }[]).map(({ operation_id }) => operation_id), page, cursor: body['cursor'] };
}

describe('the two inboxes', () => {
  test('agree, and leave out what one’s own agent asks for', async () => {
    const all = corridor();
    // Olga is asked beside Ana, and owns the agent that asks.
    const { body } = await all.propose('ask_human', { question: 'May I?' });
    await all.relay({ sweep: true });
    expect(await inboxesOf('user:ana', all)).toMatchObject({ api: [body.operation_id], page: [body.operation_id] });
    expect(await inboxesOf('user:olga', all)).toMatchObject({ api: [], page: [] });
  });

  test('a page of nothing but one’s own leads on at once, however long one would wait', async () => {
    const all = corridor();
    for (let each = 0; each < 3; each += 1) await all.propose('ask_human', { question: each });
    await all.relay({ sweep: true });
    const before = all.ports.clock.sleeps.length;
    expect(await inboxesOf('user:olga', all, { limit: '2', wait_seconds: '20' })).toMatchObject({ api: [], cursor: expect.stringContaining('#op_') });
    expect(all.ports.clock.sleeps.length).toBe(before);
  });
});
