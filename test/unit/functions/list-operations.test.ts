import { beforeEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../../lambdas/domain/limits.ts';
import { corridor, type Reply, type ReplyBody } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { testRegistry } from '../../support/port-registry.ts';

let ports: Ports;
let stage: ReturnType<typeof corridor>;

beforeEach(() => {
  ports = inMemoryPorts();
  stage = corridor({ ports });
});

const list = (query: Readonly<Record<string, string>> = {}, as: string | undefined = 'user:root'): Promise<Reply> => stage.http({ route: 'GET /api/operations', as, query });
const idsOf = ({ body }: Reply): readonly string[] => (body['operations'] as readonly { operation_id: string }[]).map(({ operation_id }) => operation_id);
let calls = 0;
const proposed = async (tool = 'refund_payment', workspace = 'w1'): Promise<ReplyBody> => {
  const [agent_id, as] = workspace === 'w1' ? ['billing-bot', 'agent:billing-bot'] : ['other-bot', 'agent:other-bot'];
  const { body } = await stage.propose(tool, { amount: 5 }, { call_id: `call-${(calls += 1)}`, scope: { workspace_id: workspace, agent_id } }, as);
  await stage.quiet();
  await ports.clock.advance(1000);
  return body;
};

describe('the operators\u2019 list', () => {
  test('shows every operation of every workspace, newest first, closed ones too', async () => {
    const [refund, denied, allowed, elsewhere] = [await proposed(), await proposed('drop_table'), await proposed('read_customer'), await proposed('refund_payment', 'w9')];
    expect(idsOf(await list())).toEqual([elsewhere.operation_id, allowed.operation_id, denied.operation_id, refund.operation_id]);
    expect(idsOf(await list({ workspace: 'w1', status: 'pending' }))).toEqual([refund.operation_id]);
    expect(idsOf(await list({ status: 'refused' }))).toEqual([denied.operation_id]);
    expect(idsOf(await list({ workspace: 'nowhere' }))).toEqual([]);
  });

  test('shows a summary, and nothing of the arguments', async () => {
    const body = await proposed();
    expect((await list()).body).toEqual({
      operations: [
        {
          operation_id: body.operation_id,
          status: 'pending',
          tool: 'refund_payment',
          summary: expect.stringContaining('refund_payment') as string,
          risk: { level: 'medium', reasons: [] },
          requester: { subject: 'agent:billing-bot', owner: 'user:olga' },
          workspace_id: 'w1',
          requested_at: '2026-11-02T09:00:00.000Z',
          changed_at: '2026-11-02T09:00:00.000Z',
          arguments_hash: body.arguments_hash,
          fingerprint: body['fingerprint'],
        },
      ],
    });
  });

  test('follows an operation from status to status', async () => {
    const body = await proposed();
    await stage.vote(body, 'user:ana');
    await stage.quiet();
    expect(idsOf(await list({ status: 'pending' }))).toEqual([]);
    expect(idsOf(await list({ status: 'completed' }))).toEqual([body.operation_id]);
  });

  test('begins where it is told to, and the cursor leads on', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.unshift((await proposed()).operation_id);
    const first = await list({ limit: '2' });
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    expect(idsOf(await list({ limit: '2', cursor: String(first.body['cursor']) }))).toEqual(ids.slice(2));
    // The second of the four, said with an offset and without milliseconds.
    expect(idsOf(await list({ since: '2026-11-02T10:00:01+01:00' }))).toEqual(ids.slice(0, 3));
  });

  test.each(['user:ana', 'user:olga', 'agent:billing-bot'])('is not for %s', async (as) => {
    await proposed();
    const reply = await list({}, as);
    expect(reply).toMatchObject({ status: 403, body: { code: 'not_an_administrator' } });
    expect(reply.body).not.toHaveProperty('operations');
  });

  test.each([
    [{ status: 'open' }, 'status'],
    [{ status: '' }, 'status'],
    [{ workspace: '' }, 'workspace'],
    [{ since: 'yesterday' }, 'since'],
    [{ since: '2026-11-02' }, 'since'],
    [{ since: '2026-11-02T09:00:00' }, 'since'],
    [{ cursor: 'x' }, 'cursor'],
    [{ limit: '51' }, 'limit'],
    [{ limit: '0' }, 'limit'],
  ])('asked for with %o is refused', async (query, field) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { code: 'invalid_request', field } });
  });

  test('wants a workspace named where there are too many to ask each', async () => {
    const workspaces = Array.from({ length: LIMITS.listed_workspaces + 1 }, (_, index) => ({ id: `w${index}`, org_id: 'acme' }));
    await ports.registry.replace(testRegistry({ workspaces }));
    expect(await list()).toMatchObject({ status: 400, body: { code: 'invalid_request', field: 'workspace' } });
    expect(await list({ workspace: 'w7' })).toMatchObject({ status: 200 });
    await ports.registry.replace(testRegistry({ workspaces: workspaces.slice(1) }));
    expect(await list()).toMatchObject({ status: 200 });
  });
});
