import { beforeEach, describe, expect, test } from 'vitest';
import { chainFault } from '../../../lambdas/domain/chain.ts';
import type { JsonObject } from '../../../lambdas/domain/json/json-value.ts';
import { LIMITS } from '../../../lambdas/domain/limits.ts';
import type { PolicyScope } from '../../../lambdas/domain/policy/policy-document.ts';
import { instead, unavailable } from '../../support/crash-points.ts';
import { corridor, type Reply } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { allows, asks, denies, testPolicies, testRegistry } from '../../support/port-registry.ts';

let ports: Ports;
let stage: ReturnType<typeof corridor>;

beforeEach(() => {
  ports = inMemoryPorts(testRegistry(), { 'org:acme': { rules: [asks('wire_*', ['group:finance'], { id: 'wires' })], mcp_servers: { crm: { approval_tools: ['update'] } } } });
  stage = corridor({ ports });
});

interface Sent {
  readonly as?: string;
  readonly revision?: string | undefined;
  readonly body?: unknown;
}
const send = (method: string, scope: string, { as = 'user:root', revision, body }: Sent = {}): Promise<Reply> =>
  stage.http({ route: `${method} /api/policies/{scope}`, as, path: { scope }, ...(revision === undefined ? {} : { headers: { 'if-match': revision } }), ...(body === undefined ? {} : { body }) });
const put = (document: unknown, { scope = 'workspace:w1', revision = '"0"', ...more }: Sent & { readonly scope?: string } = {}): Promise<Reply> => send('PUT', scope, { revision, body: document, ...more });
const written = (): number => ports.policies.log.texts().length;
const GOOD: JsonObject = { rules: [asks('refund_payment', ['user:ana'])] };

describe('a policy that is written', () => {
  test('is answered with its revision, and read back as it was written', async () => {
    const reply = await put(GOOD);
    expect(reply).toMatchObject({ status: 200, headers: { etag: '"1"' }, body: { scope: 'workspace:w1', revision: 1, document: GOOD, changed_by: 'user:root', changed_at: ports.clock.now() } });
    expect(await send('GET', 'workspace:w1')).toEqual(reply);
    expect(await put({}, { revision: '"1"' })).toMatchObject({ status: 200, headers: { etag: '"2"' } });
  });

  test('is an event of its scope with actor and revision, and is published once', async () => {
    await put(GOOD);
    await stage.quiet();
    expect(ports.bus.taken).toHaveLength(1);
    const { event, text } = ports.bus.taken[0] ?? expect.fail('nothing was published');
    expect(event).toMatchObject({ type: 'policy.changed', subject: 'policy#workspace:w1', id: 'policy#workspace:w1/1', data: { policy_scope: 'workspace:w1', revision: 1, actor: { subject: 'user:root', kind: 'user', proof: 'jwt' }, document: GOOD } });
    expect(chainFault(text, { sequence: 0, hash: '' })).toBeUndefined();
    expect(ports.log.lines).toContainEqual({ code: 'CS6002', facts: { request_id: 'JKJaXmPLvHcESHA=', event_id: event.id } });
  });

  test('holds for the very next call', async () => {
    expect((await stage.propose('refund_payment', {})).body).toMatchObject({ status: 403, reason: 'nobody_can_approve' });
    await put(GOOD);
    expect((await stage.propose('refund_payment', {})).status).toBe(202);
    await put({ rules: [denies('refund_payment')] }, { revision: '1' });
    expect((await stage.propose('refund_payment', { next: true })).body).toMatchObject({ status: 403, reason: 'policy_denied' });
  });

  test('goes when it is deleted, and says so', async () => {
    await put(GOOD);
    expect(await send('DELETE', 'workspace:w1', { revision: '"1"' })).toMatchObject({ status: 200, headers: { etag: '"2"' }, body: { scope: 'workspace:w1', revision: 2, document: null } });
    expect(await send('GET', 'workspace:w1')).toMatchObject({ status: 404, body: { code: 'policy_not_found', revision: 2 } });
    expect(await put(GOOD, { revision: '"2"' })).toMatchObject({ status: 200, body: { revision: 3 } });
  });
});

describe('only administrators write', () => {
  test.each(['user:ana', 'user:olga', 'agent:billing-bot'])('and not %s, whatever is sent', async (as) => {
    for (const reply of [await put(GOOD, { as }), await send('PUT', 'workspace:w1', { as }), await put({ nonsense: 1 }, { as }), await send('DELETE', 'org:acme', { as, revision: '"1"' }), await send('DELETE', 'org:acme', { as }), await send('GET', 'org:acme', { as })]) expect(reply).toMatchObject({ status: 403, body: { code: 'not_an_administrator' } });
    expect(written()).toBe(1);
  });

  test('and nobody whom no credential names', async () => {
    expect(await stage.http({ route: 'PUT /api/policies/{scope}', path: { scope: 'workspace:w1' }, headers: { 'if-match': '"0"' }, body: GOOD })).toMatchObject({ status: 401 });
    expect(written()).toBe(1);
  });
});

describe('a write names the revision that its writer read', () => {
  test.each([undefined, '', '*', 'W/"0"', '"x"', '-1', '"0", "1"', '1e3'])('and is refused with If-Match %j', async (revision) => {
    for (const reply of [await send('PUT', 'workspace:w1', { revision, body: GOOD }), await send('DELETE', 'org:acme', { revision })]) expect(reply).toMatchObject({ status: 428, body: { code: 'revision_required' } });
    expect(written()).toBe(1);
  });

  test.each(['"1"', '7', '"000000009"'])('and is refused on a revision that is not the newest: %s', async (revision) => {
    expect(await put(GOOD, { revision })).toMatchObject({ status: 412, body: { code: 'revision_conflict' } });
    expect(await send('DELETE', 'org:acme', { revision: '"0"' })).toMatchObject({ status: 412 });
    expect(written()).toBe(1);
  });

  test('so that of two at once one wins, and the other learns of it', async () => {
    const other: JsonObject = { rules: [asks('refund_payment', ['user:ben'])] };
    const replies = await Promise.all([put(GOOD), put(other)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const winner = replies[0]?.status === 200 ? GOOD : other;
    expect((await send('GET', 'workspace:w1')).body).toMatchObject({ revision: 1, document: winner });
  });

  test('so that a deletion does not sweep away what was written meanwhile', async () => {
    await put(GOOD);
    const replies = await Promise.all([put({}, { revision: '"1"' }), send('DELETE', 'workspace:w1', { revision: '"1"' })]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  });
});

describe('a document is refused and nothing is stored', () => {
  const refused = async (document: unknown, body: object, status = 422, scope: PolicyScope = 'workspace:w1'): Promise<void> => {
    expect(await put(document, { scope })).toMatchObject({ status, body });
    expect(written()).toBe(1);
  };

  test.each<[string, unknown]>([
    ['rules.0.approvers.0', { rules: [{ id: 'r', target: '*', effect: 'ask', approvers: ['ana'] }] }],
    ['rules.0.approvers.0', { rules: [{ id: 'r', target: '*', effect: 'ask', approvers: ['U024BE7LH'] }] }],
    ['rules.0.approvers.0', { rules: [{ id: 'r', target: '*', effect: 'ask', approvers: ['agent:billing-bot'] }] }],
    ['rules.0.approvers', { rules: [{ id: 'r', target: '*', effect: 'ask', approvers: ['team:core#lead'] }] }],
    ['rules.0.approvers', { rules: [asks('x', [])] }],
    ['rules.0.approvers', { rules: [asks('x', ['user:nobody'])] }],
    ['rules.0.approvers', { rules: [asks('x', ['user:ana', 'group:gone'])] }],
    ['rules.0.approvers', { rules: [asks('x', ['user:Ana'])] }],
    ['rules.0.quorum', { rules: [asks('x', ['user:ana'], { quorum: 2 })] }],
    ['rules.0.quorum', { rules: [asks('x', ['group:finance', 'user:ana'], { quorum: 4 })] }],
    ['default_approvers.approvers', { default_approvers: { approvers: ['group:gone'] } }],
    ['default_approvers.quorum', { default_approvers: { approvers: ['user:ana', 'user:ana'], quorum: 2 } }],
    ['rules.1.id', { rules: [denies('x'), denies('x')] }],
    ['rules.0.when', { rules: [denies('x', { when: '(((' })] }],
    ['rules.0.when', { rules: [denies('x', { when: '$contains("a", /(a)\\1/)' })] }],
    ['rules.0.when', { rules: [denies('x', { when: '$now() > "2026"' })] }],
    ['rules.0.escalation', { rules: [asks('x', ['user:ana'], { escalation: [] })] }],
    ['agent_mode', { agent_mode: 'strict' }],
    ['approval_mode', { approval_mode: 'tools' }],
    ['code', { code: 'not_an_approver', detail: 'x' }],
    ['auto_approve', { auto_approve: true }],
  ])('naming the field %s', async (field, document) => {
    await refused(document, { code: 'policy_invalid', field });
  });

  test('where it would loosen a wider scope, naming both rules', async () => {
    await refused({ rules: [allows('wire_transfer', { id: 'mine' })] }, { code: 'policy_loosens', rule: 'workspace:w1/mine', wider_rule: 'org:acme/wires' }, 409);
    await refused({ rules: [{ id: 'mine', target: 'mcp:crm/*', effect: 'allow' }] }, { code: 'policy_loosens', rule: 'workspace:w1/mine', wider_rule: 'org:acme/mcp_servers' }, 409);
    await refused({ rules: [allows('wire_transfer', { id: 'mine' })] }, { code: 'policy_loosens', rule: 'agent:billing-bot/mine', wider_rule: 'org:acme/wires' }, 409, 'agent:billing-bot');
  });

  test('where an agent would loosen one of its workspaces', async () => {
    await put({ rules: [denies('sync_ledger', { id: 'never' })] });
    expect(await put({ rules: [allows('sync_*', { id: 'mine' })] }, { scope: 'agent:billing-bot' })).toMatchObject({ status: 409, body: { rule: 'agent:billing-bot/mine', wider_rule: 'workspace:w1/never' } });
  });

  test.each(['[]', '"allow"', 'null', '{"rules":[],"rules":[]}', '{"rules":[}', ''])('where it is no document: %s', async (body) => {
    expect(await stage.http({ route: 'PUT /api/policies/{scope}', as: 'user:root', path: { scope: 'workspace:w1' }, headers: { 'if-match': '"0"' }, body })).toMatchObject({ status: 400 });
    expect(written()).toBe(1);
  });

  test('where it is more than its event could carry', async () => {
    const when = `arguments.a = "${'x'.repeat(2000)}"`;
    const rules = Array.from({ length: Math.ceil(LIMITS.policy_bytes / 2000) }, (_, index) => denies('x', { id: `r${String(index)}`, when }));
    await refused({ rules }, { code: 'arguments_too_large' }, 413);
  });

  test.each(['acme', 'org:', 'policy#org:acme', 'user:ana', 'org:a b', 'org:acme/x'])('where %j is no scope', async (scope) => {
    expect(await put(GOOD, { scope })).toMatchObject({ status: 404, body: { code: 'policy_not_found' } });
    expect(written()).toBe(1);
  });

  test('where the store cannot be reached, without claiming success', async () => {
    instead(ports.policies, 'change', () => unavailable);
    expect(await put(GOOD)).toMatchObject({ status: 503 });
    expect(ports.log.codes()).not.toContain('CS6002');
  });
});

test('what nobody wrote is not found, with the revision to write on', async () => {
  expect(await send('GET', 'agent:billing-bot')).toMatchObject({ status: 404, body: { code: 'policy_not_found', revision: 0 } });
});

test('an approver who leaves afterwards makes the policy no weaker: nobody can approve', async () => {
  ports = inMemoryPorts(testRegistry(), testPolicies());
  stage = corridor({ ports });
  await ports.registry.replace(testRegistry({ groups: [] }));
  expect((await stage.propose('wire_transfer', {})).body).toMatchObject({ status: 403, reason: 'nobody_can_approve' });
});
