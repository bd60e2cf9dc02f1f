import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProduct, type Product } from '../support/local-product.ts';

let product: Product;
beforeAll(async () => void (product = await startProduct({ groups_claim: { claim: 'groups', max_age_seconds: 600 } })));
afterAll(() => product.close());

const path = (subject: string): string => `/api/directory/${encodeURIComponent(subject)}`;
const put = (subject: string, body: unknown, revision = 0) => product.call('PUT', path(subject), { as: 'user:olga', body, headers: { 'if-match': `"${revision}"` } });
const remove = (subject: string, revision: number) => product.call('DELETE', path(subject), { as: 'user:olga', headers: { 'if-match': `"${revision}"` } });
const local = (subject: string) => ({ identities: { oidc: [{ issuer: 'local', subject }] } });

describe('the directory over HTTP', () => {
  test('lets in whom an administrator writes, and turns away whom one removes, at once', async () => {
    expect(await product.call('GET', '/api/inbox', { as: 'user:eve' })).toMatchObject({ status: 401 });
    expect(await put('user:eve', local('user:eve'))).toMatchObject({ status: 200, json: { revision: 1 } });
    expect(await product.call('GET', '/api/inbox', { as: 'user:eve' })).toMatchObject({ status: 200 });
    expect(await remove('user:eve', 1)).toMatchObject({ status: 200 });
    expect(await product.call('GET', '/api/inbox', { as: 'user:eve' })).toMatchObject({ status: 401 });
  });

  test('lets an agent in that an administrator writes', async () => {
    const bot = { principals: ['iam:local:agent:second-bot'], agent_ids: ['second-bot'], workspaces: ['w1'], owner: 'user:olga' };
    expect(await put('agent:second-bot', bot)).toMatchObject({ status: 200 });
    expect(await product.propose('read_customer', {}, { scope: { workspace_id: 'w1', agent_id: 'second-bot' } })).toMatchObject({ status: 403 });
    const proposed = await product.call('POST', '/agent/operations', { as: 'agent:second-bot', body: { tool: 'refund_payment', arguments: { amount: 1 }, scope: { workspace_id: 'w1', agent_id: 'second-bot' } } });
    expect(proposed).toMatchObject({ status: 202 });
    expect(await remove('agent:second-bot', 1)).toMatchObject({ status: 200 });
    expect(await product.call('GET', `/agent/operations/${String(proposed.json.operation_id)}`, { as: 'agent:second-bot' })).toMatchObject({ status: 401 });
  });

  test('keeps entries under encoded subjects, lists them, and tells each change on the bus', async () => {
    expect(await put('team:core#lead', { members: ['user:zoe'] })).toMatchObject({ status: 200 });
    expect(await product.call('GET', path('team:core#lead'), { as: 'user:olga' })).toMatchObject({ status: 200, json: { subject: 'team:core#lead', entry: { members: ['user:zoe'] } } });
    expect((await product.call('GET', '/api/directory?kind=relation', { as: 'user:olga' })).json).toMatchObject({ entries: [{ subject: 'team:core#lead', revision: 1 }] });
    await expect.poll(() => product.published.map(({ id }) => id)).toContain('directory#team:core#lead/1');
  });

  test('shows people what they may decide through groups in groups, relations and the claims of a token (136)', async () => {
    await put('group:auditors', { members: [], from_claim: true });
    await put('group:checkers', { members: ['team:core#lead', 'group:auditors'] });
    const rule = { id: 'checked', target: 'tool:slow_report', effect: 'ask', approvers: ['group:checkers'] };
    const scope = '/api/policies/agent%3Abilling-bot';
    const { json: before } = await product.call('GET', scope, { as: 'user:olga' });
    const written = await product.call('PUT', scope, { as: 'user:olga', body: { ...before.document, rules: [...(before.document?.rules ?? []), rule] }, headers: { 'if-match': `"${String(before.revision)}"` } });
    expect(written).toMatchObject({ status: 200 });
    const { json } = await product.propose('slow_report', {});
    expect(json).toMatchObject({ status: 'pending' });
    const sees = async (as: string, groups?: string): Promise<boolean> => {
      const inbox = await product.call('GET', '/api/inbox', { as, ...(groups === undefined ? {} : { headers: { 'x-local-groups': groups } }) });
      return (inbox.json.operations as { operation_id: string }[]).some(({ operation_id }) => operation_id === json.operation_id);
    };
    await expect.poll(() => sees('user:zoe')).toBe(true);
    expect([await sees('user:ben'), await sees('user:ben', 'other auditors'), await sees('user:ben', 'checkers')]).toEqual([false, true, false]);
    expect(await put('team:core#lead', { members: [] }, 1)).toMatchObject({ status: 200 });
    expect(await sees('user:zoe')).toBe(false);
  });
});

describe('who may decide', () => {
  const RULES = [{ id: 'alone', target: 'tool:fail_always', effect: 'ask', approvers: ['group:deciders'] }];

  test('is asked of the directory at the vote: who was taken out, or whose group is gone, decides nothing (127, 136)', async () => {
    expect(await put('group:inner', { members: ['user:ana', 'user:ben'] })).toMatchObject({ status: 200 });
    await put('group:deciders', { members: ['group:inner', 'agent:billing-bot'] });
    await put('agent:third-bot', { principals: ['iam:local:agent:third-bot'], agent_ids: ['third-bot'], workspaces: ['w2'], owner: 'user:olga' });
    const policy = { as: 'user:olga', body: { rules: RULES }, headers: { 'if-match': '"0"' } };
    expect(await product.call('PUT', '/api/policies/agent%3Athird-bot', policy)).toMatchObject({ status: 200 });
    const propose = async () => (await product.call('POST', '/agent/operations', { as: 'agent:third-bot', body: { tool: 'fail_always', arguments: {}, scope: { workspace_id: 'w2', agent_id: 'third-bot' } } })).json;
    const first = await propose();
    expect(first.status).toBe('pending');
    await put('group:inner', { members: ['user:ben'] }, 1);
    const refused = await product.decide(first, 'approve', 'user:ana');
    expect([403, 404]).toContain(refused.status);
    await remove('group:inner', 2);
    expect([403, 404]).toContain((await product.decide(first, 'approve', 'user:ben')).status);
    expect((await product.call('GET', `/agent/operations/${String(first.operation_id)}`, { as: 'agent:third-bot' })).json.status).toBe('pending');
    await put('group:inner', { members: ['user:ben'] }, 3);
    expect((await product.decide(first, 'approve', 'user:ben')).status).toBe(200);
  });

  test('is never a circle of groups: no write can close one', async () => {
    await put('group:loop', { members: ['user:ana'] });
    await put('group:outer', { members: ['group:loop'] });
    expect(await put('group:loop', { members: ['user:ana', 'group:outer'] }, 1)).toMatchObject({ status: 422, json: { code: 'directory_invalid' } });
  });
});

describe('a second start', () => {
  test('keeps what an administrator wrote, and seeds the rest', async () => {
    await put('group:leads', { members: ['user:zoe'] }, 1);
    await product.close();
    product = await startProduct({ data_folder: product.data_folder, groups_claim: { claim: 'groups', max_age_seconds: 600 } });
    expect((await product.call('GET', path('group:leads'), { as: 'user:olga' })).json).toMatchObject({ revision: 2, entry: { members: ['user:zoe'] }, changed_by: 'user:olga' });
    expect((await product.call('GET', path('group:finance'), { as: 'user:olga' })).json).toMatchObject({ revision: 1, changed_by: 'system:seed' });
  });
});

describe('a stand-in', () => {
  const now = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
  const inboxOf = async (as: string): Promise<readonly { readonly operation_id: string; readonly stands_in_for?: string }[]> => (await product.call('GET', '/api/inbox', { as })).json.operations;

  test('finds what waits for that person in its inbox, on the page too, and its vote names both', async () => {
    const { json } = await product.propose('send_email', { to: 'kim@example.com', subject: 'Hi', body: 'x' });
    expect((await inboxOf('user:zoe')).map(({ operation_id }) => operation_id)).not.toContain(json.operation_id);
    expect(await product.call('PUT', '/api/delegations', { as: 'user:ana', body: { to: 'user:zoe', from: now(-60), until: now(3600) } })).toMatchObject({ status: 200 });
    await expect.poll(() => inboxOf('user:zoe')).toContainEqual(expect.objectContaining({ operation_id: json.operation_id, stands_in_for: 'user:ana' }));
    expect((await product.call('GET', '/inbox?still=yes', { as: 'user:zoe' })).text).toContain('in place of <bdi>user:ana</bdi>');
    expect((await product.decide(json, 'approve', 'user:zoe')).json).toMatchObject({ status: 'granted', decision: { votes: [{ subject: 'user:zoe', via: 'user:ana' }] } });
    expect(await product.call('DELETE', '/api/delegations', { as: 'user:ana' })).toMatchObject({ status: 200 });
    const { json: next } = await product.propose('send_email', { to: 'kim@example.com', subject: 'Again', body: 'x' });
    await expect.poll(async () => (await inboxOf('user:ana')).map(({ operation_id }) => operation_id)).toContain(next.operation_id);
    expect((await inboxOf('user:zoe')).map(({ operation_id }) => operation_id)).not.toContain(next.operation_id);
  });
});
