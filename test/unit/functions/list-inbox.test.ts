import { beforeEach, describe, expect, test } from 'vitest';
import { corridor, type Reply, type ReplyBody } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { withFinance } from '../../support/port-registry.ts';
import { standsInAt } from '../../../lambdas/domain/directory/directory-log.ts';
import { plusSeconds } from '../../../lambdas/domain/times.ts';

let ports: Ports;
let stage: ReturnType<typeof corridor>;

beforeEach(() => {
  ports = inMemoryPorts();
  stage = corridor({ ports });
});

interface Page {
  readonly operations: readonly { readonly operation_id: string; readonly tool: string; readonly fingerprint: string; readonly arguments_hash: string }[];
  readonly cursor?: string;
}

const inbox = (as: string | undefined, query?: Readonly<Record<string, string>>): Promise<Reply> => stage.http({ route: 'GET /api/inbox', ...(as === undefined ? {} : { as }), ...(query === undefined ? {} : { query }) });
const pageOf = ({ body }: Reply): Page => body as unknown as Page;
const idsFor = async (as: string, query?: Readonly<Record<string, string>>): Promise<readonly string[]> => pageOf(await inbox(as, query)).operations.map(({ operation_id }) => operation_id);
let calls = 0;
const proposed = async (tool = 'refund_payment'): Promise<ReplyBody> => {
  const { body } = await stage.propose(tool, { amount: 5 }, { call_id: `call-${(calls += 1)}` });
  await stage.quiet();
  await ports.clock.advance(1000);
  return body;
};

/** Whom somebody has named to stand in, from now for an hour. */
function names(subject: string, to: string): void {
  const before = ports.standIns;
  const stand_in = { to, from: ports.clock.now(), until: plusSeconds(ports.clock.now(), 3600) };
  const groups = ['user:ana', 'user:ben', 'user:zoe'].includes(subject) ? ['group:finance'] : [];
  const standsInFor: Ports['standIns']['standsInFor'] = async (reader, now) => [...(await before.standsInFor(reader, now)), ...(reader === to && standsInAt(stand_in, now) ? [{ subject, groups }] : [])];
  ports = { ...ports, standIns: { standsInFor } };
  stage = corridor({ ports });
}

describe('the inbox of a stand-in', () => {
  const itemsOf = async (as: string): Promise<readonly unknown[]> => pageOf(await inbox(as)).operations.map((item) => [item.operation_id, (item as { stands_in_for?: string }).stands_in_for]);

  test('lists what waits for whom it stands in for, and for that person\u2019s groups, and says so', async () => {
    const [refund, wire] = [await proposed(), await proposed('wire_transfer')];
    names('user:ana', 'user:root');
    expect(await itemsOf('user:root')).toEqual([[refund.operation_id, 'user:ana'], [wire.operation_id, 'user:ana']]);
  });

  test('tells what it may decide itself as its own', async () => {
    const [refund, wire] = [await proposed(), await proposed('wire_transfer')];
    names('user:ana', 'user:zoe');
    expect(await itemsOf('user:zoe')).toEqual([[refund.operation_id, 'user:ana'], [wire.operation_id, undefined]]);
  });

  test('lists it from the first instant to the last, and no longer', async () => {
    await ports.clock.advance(1800_000);
    const { operation_id } = await proposed('wire_transfer');
    names('user:ben', 'user:root');
    expect(await itemsOf('user:root')).toEqual([[operation_id, 'user:ben']]);
    await ports.clock.advance(3598_999);
    expect(await itemsOf('user:root')).toEqual([[operation_id, 'user:ben']]);
    await ports.clock.advance(1001);
    expect(await itemsOf('user:root')).toEqual([]);
  });

  test('goes no further than one person', async () => {
    await proposed();
    names('user:ana', 'user:zoe');
    names('user:zoe', 'user:root');
    expect((await itemsOf('user:root')).flat()).not.toContain('user:ana');
  });

  test('lists nothing of what that person asked for', async () => {
    await stage.propose('wire_transfer', { amount: 7 }, { on_behalf_of: 'user:zoe' });
    await stage.quiet();
    names('user:zoe', 'user:root');
    expect(await itemsOf('user:root')).toEqual([]);
  });

  test('is paged as one list', async () => {
    for (let count = 0; count < 5; count += 1) await proposed(count % 2 === 0 ? 'refund_payment' : 'wire_transfer');
    names('user:ben', 'user:zoe');
    const all = await idsFor('user:zoe');
    const [first, cursor] = [pageOf(await inbox('user:zoe', { limit: '2' })), pageOf(await inbox('user:zoe', { limit: '2' })).cursor ?? ''];
    const second = pageOf(await inbox('user:zoe', { limit: '2', cursor }));
    const third = pageOf(await inbox('user:zoe', { limit: '2', cursor: second.cursor ?? '' }));
    expect([first, second, third].flatMap(({ operations }) => operations.map(({ operation_id }) => operation_id))).toEqual(all);
    expect(all).toHaveLength(5);
  });
});

describe('an inbox', () => {
  test('shows what its owner may decide, oldest first, under the name and by the group', async () => {
    const [refund, wire, email] = [await proposed(), await proposed('wire_transfer'), await proposed('sync_ledger')];
    expect(await idsFor('user:ana')).toEqual([refund.operation_id, wire.operation_id, email.operation_id]);
    expect(await idsFor('user:ben')).toEqual([refund.operation_id, wire.operation_id]);
    expect(await idsFor('user:zoe')).toEqual([wire.operation_id]);
    expect(await idsFor('user:root')).toEqual([]);
  });

  test('shows all that is needed to decide from the entry', async () => {
    const body = await proposed();
    expect(pageOf(await inbox('user:ana')).operations).toEqual([
      {
        operation_id: body.operation_id,
        tool: 'refund_payment',
        summary: expect.stringContaining('refund_payment') as string,
        arguments_hash: body.arguments_hash,
        binding_hash: body.binding_hash,
        fingerprint: body.fingerprint,
        risk: { level: 'medium', reasons: [] },
        requester: { subject: 'agent:billing-bot', owner: 'user:olga' },
        workspace_id: 'w1',
        requested_at: '2026-11-02T09:00:00.000Z',
        expires_at: body.expires_at,
      },
    ]);
  });

  test.each<[string, (body: ReplyBody) => Promise<unknown>]>([
    ['approved', (body) => stage.vote(body, 'user:ana')],
    ['denied', (body) => stage.vote(body, 'user:ben', 'deny')],
    ['cancelled', ({ operation_id }) => stage.http({ route: 'POST /agent/operations/{id}/cancel', as: 'agent:billing-bot', id: operation_id, body: {} })],
  ])('lets go of what is %s, for everybody who was asked', async (_, settle) => {
    const body = await proposed();
    await settle(body);
    await stage.quiet();
    expect(await idsFor('user:ana')).toEqual([]);
    expect(await idsFor('user:ben')).toEqual([]);
  });

  test('keeps what waits for a second vote', async () => {
    const body = await proposed('wire_transfer');
    await stage.vote(body, 'user:ana');
    await stage.quiet();
    expect(await idsFor('user:ben')).toEqual([body.operation_id]);
  });

  test('shows nothing of a group that its owner has left', async () => {
    await proposed('wire_transfer');
    await ports.registry.replace(withFinance(['user:ben']));
    expect(await idsFor('user:zoe')).toEqual([]);
  });

  test('is nobody else\u2019s: not without a credential, and not by asking for it', async () => {
    await proposed();
    expect(await inbox(undefined)).toMatchObject({ status: 401 });
    expect(await idsFor('user:zoe', { subject: 'user:ana', as: 'user:ana' })).toEqual([]);
  });

  test('leaves out what its owner asked for, which is not his to decide', async () => {
    await proposed('own_books').catch(() => undefined);
    const asked = await proposed('ask_human');
    expect(await idsFor('user:ana')).toEqual([asked.operation_id]);
    expect(await idsFor('user:olga')).toEqual([]);
  });

  test('leaves out what is past its deadline, before any sweep has closed it', async () => {
    await proposed();
    await ports.clock.advance(3600_000);
    expect(await idsFor('user:ana')).toEqual([]);
  });
});

describe('a page of it', () => {
  test('ends where it was told to, and the cursor leads to the next', async () => {
    const all: string[] = [];
    for (let count = 0; count < 5; count += 1) all.push((await proposed()).operation_id);
    const first = pageOf(await inbox('user:ana', { limit: '2' }));
    const second = pageOf(await inbox('user:ana', { limit: '2', cursor: first.cursor! }));
    const third = pageOf(await inbox('user:ana', { limit: '2', cursor: second.cursor! }));
    expect([first, second, third].map(({ operations }) => operations.map(({ operation_id }) => operation_id))).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
    expect(third.cursor).toBeUndefined();
  });

  test('holds fifty at most', async () => {
    for (let count = 0; count < 51; count += 1) await stage.propose('refund_payment', { count });
    await stage.quiet();
    const page = pageOf(await inbox('user:ana'));
    expect(page.operations).toHaveLength(50);
    expect(pageOf(await inbox('user:ana', { cursor: page.cursor! })).operations).toHaveLength(1);
  });

  test.each([
    [{ limit: '0' }, 'limit'],
    [{ limit: '51' }, 'limit'],
    [{ limit: 'x' }, 'limit'],
    [{ wait_seconds: '21' }, 'wait_seconds'],
    [{ workspace: '' }, 'workspace'],
    [{ tool: 'x'.repeat(129) }, 'tool'],
    [{ risk: 'any' }, 'risk'],
    [{ risk: 'low,high' }, 'risk'],
    [{ cursor: '' }, 'cursor'],
    [{ cursor: 'x' }, 'cursor'],
    [{ cursor: '2026-11-02T09:00:00.000Z#op_1' }, 'cursor'],
    [{ cursor: `2026-11-02T09:00:00.000Z#op_${'0'.repeat(32)} OR 1=1` }, 'cursor'],
  ])('asked for with %o is refused', async (query, field) => {
    expect(await inbox('user:ana', query)).toMatchObject({ status: 400, body: { code: 'invalid_request', field } });
  });
});

describe('a narrowed inbox', () => {
  test('lists what is of that workspace, tool and risk', async () => {
    const [refund, wire] = [await proposed(), await proposed('wire_transfer')];
    expect(await idsFor('user:ana', { tool: 'refund_payment' })).toEqual([refund.operation_id]);
    expect(await idsFor('user:ana', { tool: 'wire_transfer', workspace: 'w1' })).toEqual([wire.operation_id]);
    expect(await idsFor('user:ana', { workspace: 'w9' })).toEqual([]);
    expect(await idsFor('user:ana', { risk: 'medium' })).toEqual([refund.operation_id, wire.operation_id]);
    expect(await idsFor('user:ana', { risk: 'high' })).toEqual([]);
  });

  test('shows nobody what is not theirs', async () => {
    await proposed();
    expect(await idsFor('user:zoe', { tool: 'refund_payment' })).toEqual([]);
  });
});

describe('waiting for a first entry', () => {
  test('ends as soon as there is one', async () => {
    ports.clock.after(2500, async () => {
      await stage.propose('refund_payment', { amount: 5 });
      await stage.quiet();
    });
    expect(pageOf(await inbox('user:ana', { wait_seconds: '20' })).operations).toHaveLength(1);
    expect(ports.clock.sleeps).toEqual([1000, 1000, 1000]);
  });

  test('is not needed where there is one', async () => {
    await proposed();
    await inbox('user:ana', { wait_seconds: '20' });
    expect(ports.clock.sleeps).toEqual([]);
  });

  test('ends with nothing when the time is over', async () => {
    expect(pageOf(await inbox('user:ana', { wait_seconds: '3' }))).toEqual({ operations: [] });
    expect(ports.clock.sleeps).toEqual([1000, 1000, 1000]);
  });
});
