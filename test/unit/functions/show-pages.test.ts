import { describe, expect, test } from 'vitest';
import { operationViews, type InboxEntry } from '../../../lambdas/domain/operation-views.ts';
import { Fault } from '../../../lambdas/domain/faults.ts';
import { buildHandler } from '../../../lambdas/functions/show-pages/handler.ts';
import { STYLE_SOURCES } from '../../../lambdas/pages/style.ts';
import { fieldOf, textOf } from '../../support/page-html.ts';
import { asked, ASKS, NOW, OPERATION_ID, voted } from '../../support/page-operations.ts';
import { cursorOf, pageRequest, pageWorld, type PageWorld } from '../../support/page-requests.ts';

const route = 'GET /review/{id}' as const;

async function look(world: PageWorld, as: string | undefined, more: { id?: string; query?: Record<string, string> } = {}) {
  const reply = await buildHandler(world.ports)(pageRequest({ route, id: more.id ?? OPERATION_ID, ...(as === undefined ? {} : { as }), ...(more.query === undefined ? {} : { query: more.query }) }));
  return { status: reply.statusCode, headers: reply.headers ?? {}, page: reply.body ?? '' };
}

const quorumOfTwo = { says: { ...ASKS, approvers: ['user:ben', 'group:finance'], quorum: 2 } };

describe('the review page', () => {
  test('offers the form to an approver, with a token for this person', async () => {
    const { status, page } = await look(pageWorld([await asked()]), 'ana');
    expect(status).toBe(200);
    expect(fieldOf(page, 'form_token')).toMatch(/^\d+\.[\w-]{43}$/);
    expect(fieldOf(page, 'form_token')).not.toBe(fieldOf((await look(pageWorld([await asked()]), 'ben')).page, 'form_token'));
  });

  test('offers it to a member of a group that is asked', async () => {
    expect((await look(pageWorld([await asked(quorumOfTwo)]), 'ana')).page).toContain('<form');
  });

  test.each([
    ['the owner of the agent', 'olga', 'Somebody else must decide'],
    ['an administrator', 'root', 'You are not among its approvers'],
  ])('shows it to %s without the form', async (_who, as, told) => {
    const { status, page } = await look(pageWorld([await asked()]), as);
    expect(status).toBe(200);
    expect(page).not.toContain('<form');
    expect(textOf(page)).toContain(told);
  });

  test('has no approval for the person it was asked for, though named among the approvers: only a no (133)', async () => {
    const story = await asked({ ...quorumOfTwo, requester: { subject: 'agent:billing-bot', on_behalf_of: 'user:ben' } });
    expect(story.operation.status).toBe('pending');
    const { page } = await look(pageWorld([story]), 'ben');
    expect(page).not.toContain('value="approve"');
    expect(page).toContain('value="deny"');
    expect(textOf(page)).toContain('somebody else must approve it. You may deny it.');
  });

  test('has no form for somebody who has voted, and counts the vote', async () => {
    const world = pageWorld([await voted(await asked(quorumOfTwo), 'user:ben', 'approve')]);
    const mine = await look(world, 'ben');
    expect(mine.page).not.toContain('<form');
    expect(textOf(mine.page)).toContain('votes are final');
    expect(textOf((await look(world, 'ana')).page)).toContain('1 of 2 approvals from group:finance , user:ben');
  });

  test('has no form once the time is over, even before anybody closed it', async () => {
    const world = pageWorld([await asked()]);
    world.at(3600);
    const { page } = await look(world, 'ana');
    expect(page).not.toContain('<form');
    expect(textOf(page)).toContain('The time to decide has ended');
  });

  test('has no form after the end', async () => {
    const { page } = await look(pageWorld([await voted(await asked(), 'user:ben', 'deny')]), 'ana');
    expect(page).not.toContain('<form');
    expect(textOf(page)).toContain('Denied by user:ben');
  });

  test('answers unknown, foreign and malformed ids alike', async () => {
    const world = pageWorld([await asked()]);
    const foreign = await look(world, 'zoe');
    const unknown = await look(world, 'zoe', { id: `op_${'f'.repeat(32)}` });
    const malformed = await look(world, 'zoe', { id: 'op_nope' });
    expect(foreign.status).toBe(404);
    expect(unknown.page).toBe(foreign.page);
    expect(malformed.page).toBe(foreign.page);
    expect(foreign.page).not.toContain('refund_payment');
  });

  test('without an identity says that a sign-in or a link is needed', async () => {
    const { status, page, headers } = await look(pageWorld([await asked()]), undefined);
    expect(status).toBe(401);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(textOf(page)).toContain('A sign-in or a personal link is needed');
    expect(page).not.toContain('refund_payment');
  });

  test('an unregistered person is nobody', async () => {
    expect((await look(pageWorld([await asked()]), 'mallory')).status).toBe(401);
  });

  test('decides nothing, whatever the query says (failure 011)', async () => {
    const story = await asked();
    const world = pageWorld([story]);
    const { arguments_hash } = story.operation.opening.operation;
    const plain = await look(world, 'ana');
    const form_token = fieldOf(plain.page, 'form_token') ?? '';
    const asking = await look(world, 'ana', { query: { decision: 'approve', arguments_hash, form_token, _method: 'POST' } });
    expect(asking.page).toBe(plain.page);
    expect(world.events(OPERATION_ID)).toHaveLength(1);
  });

  test('is framed: no script, no frame, not stored, not indexed, no referrer', async () => {
    const { headers } = await look(pageWorld([await asked()]), 'ana');
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
    expect(lower['content-security-policy']).toContain("default-src 'none'");
    expect(lower['content-security-policy']).toContain(`style-src ${STYLE_SOURCES}`);
    expect(lower['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(lower['content-security-policy']).not.toContain('script-src');
    expect(lower).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' });
  });

  test('a lost store is a fault that claims nothing and leaks nothing', async () => {
    const world = pageWorld([]);
    const ports = { ...world.ports, eventLog: { ...world.ports.eventLog, load: () => Promise.reject(new Fault('Unavailable', 'table events is throttled')) } };
    const reply = await buildHandler(ports)(pageRequest({ route, id: OPERATION_ID, as: 'ana' }));
    expect(reply.statusCode).toBe(503);
    expect(reply.body).not.toContain('throttled');
  });
});

describe('the inbox page', () => {
  async function entries(...asks: Parameters<typeof asked>[0][]): Promise<InboxEntry[]> {
    return (await Promise.all(asks.map(async (ask) => operationViews((await asked(ask)).operation).entry))).filter((entry) => entry !== undefined);
  }
  const id = (number: number): string => `op_${String(number).padStart(32, '0')}`;

  async function open(world: PageWorld, query?: Record<string, string>) {
    const reply = await buildHandler(world.ports)(pageRequest({ route: 'GET /inbox', as: 'ana', ...(query === undefined ? {} : { query }) }));
    return { status: reply.statusCode, page: reply.body ?? '' };
  }

  test('lists what the caller may decide, and leaves out the caller’s own', async () => {
    const listed = await entries({ operation_id: id(1) }, { operation_id: id(2), requester: { subject: 'agent:billing-bot', on_behalf_of: 'user:ana' } });
    const { status, page } = await open(pageWorld([], listed));
    expect(status).toBe(200);
    expect(page).toContain(`/review/${id(1)}`);
    expect(page).not.toContain(`/review/${id(2)}`);
  });

  test('goes from page to page', async () => {
    const listed = await entries(...Array.from({ length: 51 }, (_, index) => ({ operation_id: id(index) })));
    const world = pageWorld([], listed);
    const first = await open(world);
    expect(first.page).toContain('Next page');
    const second = await open(world, { cursor: cursorOf(listed[49]!) });
    expect(second.page).toContain(`/review/${id(50)}`);
    expect(second.page).not.toContain('Next page');
  });

  test('lists what passes the filter, and takes fields that were left empty for no filter', async () => {
    const [entry] = await entries({ operation_id: id(1) });
    const world = pageWorld([], [entry!, { ...entry!, operation_id: id(2), workspace_id: 'w7' }]);
    const { page } = await open(world, { workspace: 'w7', tool: '', risk: '' });
    expect(page).toContain(`/review/${id(2)}`);
    expect(page).not.toContain(`/review/${id(1)}`);
    expect((await open(world, { workspace: '', tool: '', risk: '' })).page).toContain(`/review/${id(1)}`);
  });

  test.each([[{ risk: 'enormous' }], [{ tool: 'x'.repeat(129) }]])('refuses the filter %o', async (query) => {
    expect((await open(pageWorld([]), query)).status).toBe(400);
  });

  test('refuses a cursor that is not ours', async () => {
    expect((await open(pageWorld([]), { cursor: `${NOW}#"><script>` })).status).toBe(400);
  });
});
