import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../lambdas/domain/json/json-value.ts';
import { LIMITS } from '../../../lambdas/domain/limits.ts';
import { buildHandler } from '../../../lambdas/functions/manage-directory/handler.ts';
import { seedDirectory } from '../../../lambdas/functions/seed-registry/seed-directory.ts';
import { unavailable } from '../../support/crash-points.ts';
import { group, person, program, writeAll } from '../../support/directory-samples.ts';
import { gatewayEvent } from '../../support/gateway-events.ts';
import { corridor } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { testRegistry } from '../../support/port-registry.ts';

let ports: Ports;
let directory: Ports['directoryEditor'];

beforeEach(async () => {
  ports = inMemoryPorts();
  directory = ports.directoryEditor;
  await seedDirectory(directory, testRegistry());
});

interface Sent {
  readonly as?: string;
  readonly revision?: string | number;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly body: any;
  readonly etag: unknown;
}

async function send(route: string, subject: string | undefined, { as = 'user:root', revision, body, query }: Sent = {}): Promise<Answer> {
  const event = gatewayEvent({ route, as, ...(subject === undefined ? {} : { path: { subject } }), ...(query === undefined ? {} : { query }), ...(revision === undefined ? {} : { headers: { 'if-match': String(revision) } }), ...(body === undefined ? {} : { body }) });
  const reply = await buildHandler({ ...ports, callers: directory })(event);
  return { status: reply.statusCode ?? 0, body: JSON.parse(reply.body ?? 'null') as unknown, etag: reply.headers?.['etag'] };
}

const ENTRY = '/api/directory/{subject}';
const put = (subject: string, body: unknown, more: Sent = {}): Promise<Answer> => send(`PUT ${ENTRY}`, subject, { revision: 0, body, ...more });
const get = (subject: string, as?: string): Promise<Answer> => send(`GET ${ENTRY}`, subject, as === undefined ? {} : { as });
const remove = (subject: string, revision: number, as = 'user:root'): Promise<Answer> => send(`DELETE ${ENTRY}`, subject, { revision, as });
const written = (): number => directory.log.texts().length;

describe('an entry that is written', () => {
  test('is answered with its revision, read back, and holds for the very next request', async () => {
    expect((await get('user:eve')).body).toMatchObject({ code: 'directory_entry_not_found', revision: 0 });
    const entry = { identities: { oidc: [{ issuer: 'https://issuer.example', subject: 'eve' }], email: ['eve@example.com'], slack: [], iam: [] }, administrator: true };
    const reply = await put('user:eve', { identities: { oidc: entry.identities.oidc, email: [' Eve@Example.com '] }, administrator: true });
    expect(reply).toEqual({ status: 200, etag: '"1"', body: { subject: 'user:eve', revision: 1, entry, changed_at: ports.clock.now(), changed_by: 'user:root' } });
    expect(await get('user:eve', 'user:eve')).toEqual(reply);
    expect(await remove('user:eve', 1)).toMatchObject({ status: 200, etag: '"2"', body: { revision: 2, entry: null } });
    expect(await get('user:eve', 'user:eve')).toMatchObject({ status: 401 });
    expect(await get('user:eve')).toMatchObject({ status: 404, body: { revision: 2 } });
    expect(await put('user:eve', person('eve'), { revision: 2 })).toMatchObject({ status: 200, body: { revision: 3 } });
  });

  test('is an event with actor and revision, and is published once', async () => {
    const stage = corridor({ ports });
    await stage.quiet();
    const before = ports.bus.taken.length;
    expect(before).toBe(written());
    await put('group:new', group('user:ana'));
    await stage.quiet();
    expect(ports.bus.taken.slice(before).map(({ event }) => event)).toMatchObject([{ type: 'directory.changed', id: 'directory#group:new/1', data: { directory_subject: 'group:new', revision: 1, actor: { subject: 'user:root', kind: 'user', proof: 'jwt' }, entry_by: 'user:root', causation_id: 'request:JKJaXmPLvHcESHA=' } }]);
    expect(ports.log.lines).toContainEqual({ code: 'CS6003', facts: { request_id: 'JKJaXmPLvHcESHA=', event_id: 'directory#group:new/1' } });
  });

  test('waits in the outbox while the bus does not take it, and is told once it does, under the same id', async () => {
    const stage = corridor({ ports });
    await stage.quiet();
    await put('group:new', group('user:ana'));
    await put('group:new', group('user:ben'), { revision: 1 });
    ports.bus.answering(({ event }) => (event.id.endsWith('group:new/2') ? 'try_again' : 'published'));
    await stage.quiet();
    expect(await ports.outbox.unpublished(ports.clock.now())).toEqual(['directory#group:new']);
    ports.bus.answering(() => 'published');
    await stage.quiet();
    expect(await ports.outbox.unpublished(ports.clock.now())).toEqual([]);
    expect(ports.bus.taken.map(({ event }) => event.id).filter((id) => id.includes('group:new'))).toEqual(['directory#group:new/1', 'directory#group:new/2']);
  });

  test.each(['team:core#lead', 'group:a.b_c-d', 'service:deployer', 'user:ana.b@example.com'])('may stand under %s', async (subject) => {
    expect(await put(subject, subject.startsWith('user:') ? person('x') : subject.startsWith('service:') ? program('deployer') : group('user:ana'))).toMatchObject({ status: 200 });
  });
});

describe('only administrators', () => {
  test.each(['user:ana', 'user:olga', 'agent:billing-bot'])('and not %s read or write, whatever is sent', async (as) => {
    const before = written();
    for (const reply of [await put('group:x', group(), { as }), await put('user:ana', person('ana', { administrator: true }), { as, revision: 1 }), await remove('user:root', 1, as), await get('user:ana', as), await send('GET /api/directory', undefined, { as, query: { kind: 'user' } })]) {
      expect(reply).toMatchObject({ status: 403, body: { code: 'not_an_administrator' } });
    }
    expect(written()).toBe(before);
  });
});

describe('a write names the revision that its writer read', () => {
  test.each([undefined, '', '*', 'W/"0"', '-1'])('and is refused with If-Match %j', async (revision) => {
    expect(await send(`PUT ${ENTRY}`, 'group:x', { body: group(), ...(revision === undefined ? {} : { revision }) })).toMatchObject({ status: 428, body: { code: 'revision_required' } });
  });

  test('and is refused on any other than the newest', async () => {
    for (const revision of [0, 2]) expect(await put('group:finance', group('user:ana'), { revision })).toMatchObject({ status: 412, body: { code: 'revision_conflict' } });
    expect(await remove('group:finance', 7)).toMatchObject({ status: 412 });
    expect(await remove('group:nobody', 0)).toMatchObject({ status: 404, body: { code: 'directory_entry_not_found' } });
  });

  test('and one of two wins who write on the same', async () => {
    const replies = await Promise.all([put('group:finance', group('user:ana'), { revision: 1 }), put('group:finance', group('user:ben'), { revision: 1 })]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412]);
  });
});

describe('is refused with its field and stores nothing:', () => {
  test.each<[string, string, unknown, number, string, string | undefined]>([
    ['a bare id', 'eve', person('eve'), 422, 'directory_invalid', 'subject'],
    ['an unknown subject form', 'robot:eve', {}, 422, 'directory_invalid', 'subject'],
    ['a relation without its name', 'team:core#', group(), 422, 'directory_invalid', 'subject'],
    ['an unknown field', 'user:eve', { ...person('eve'), admin: true }, 422, 'directory_invalid', 'admin'],
    ['an unknown field further in', 'user:eve', { identities: { github: [] } }, 422, 'directory_invalid', 'identities.github'],
    ['a bare member', 'group:x', group('ana'), 422, 'directory_invalid', 'members.0'],
    ['a member who is not there (127)', 'group:x', group('user:ana', 'user:ghost'), 422, 'directory_invalid', 'members.1'],
    ['a group that is not there', 'group:x', group('group:ghost'), 422, 'directory_invalid', 'members.0'],
    ['an owner who is not there (133)', 'agent:x', program('x', 'user:ghost'), 422, 'directory_invalid', 'owner'],
    ['no owner (133)', 'agent:x', { ...program('x'), owner: undefined }, 422, 'directory_invalid', 'owner'],
    ['somebody to act for who is not there', 'agent:x', program('x', 'user:ana', { may_act_for: ['user:ghost'] }), 422, 'directory_invalid', 'may_act_for.0'],
    ['a workspace that is not there', 'agent:x', program('x', 'user:ana', { workspaces: ['w1', 'w7'] }), 422, 'directory_invalid', 'workspaces.1'],
    ['a group in itself', 'group:x', group('group:x'), 422, 'directory_invalid', 'members'],
    ['the identity of another person', 'user:eve', person('ana'), 409, 'identity_taken', undefined],
    ['the principal of another program', 'agent:x', { ...program('x'), principals: ['iam:arn:aws:iam::123456789012:role/billing-bot'] }, 409, 'identity_taken', undefined],
    ['a subject in another case (134)', 'user:Ana', person('eve'), 409, 'identity_taken', undefined],
    ['a body that is no object', 'group:x', [], 400, 'invalid_request', undefined],
    ['more than an entry may hold', 'group:x', { members: [], note: 'x'.repeat(LIMITS.policy_bytes) }, 413, 'arguments_too_large', undefined],
  ])('%s', async (_, subject, body, status, code, field) => {
    const before = written();
    const reply = await put(subject, body);
    expect(reply).toMatchObject({ status, body: { code } });
    if (field !== undefined) expect(reply.body.field).toBe(field);
    expect(written()).toBe(before);
  });

  test('a circle through groups and relations, with the way that it takes', async () => {
    await writeAll(directory, { 'group:a': group('user:ana'), 'team:t#lead': group('group:a'), 'group:b': group('team:t#lead') });
    const reply = await put('group:a', group('user:ana', 'group:b'), { revision: 1 });
    expect(reply).toMatchObject({ status: 422, body: { code: 'directory_invalid', detail: expect.stringContaining('group:a → group:b → team:t#lead → group:a') as string } });
  });

  test('groups deeper in one another than anybody follows', async () => {
    await writeAll(directory, { 'group:0': group('user:ana'), ...Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`group:${index + 1}`, group(`group:${index}`)])) });
    expect(await put('group:9', group('group:8'))).toMatchObject({ status: 422, body: { detail: expect.stringContaining('too deep') as string } });
    expect(await put('group:9', group('group:6'))).toMatchObject({ status: 200 });
  });
});

describe('the last administrator', () => {
  test.each<[string, () => Promise<Answer>]>([
    ['cannot be removed', () => remove('user:root', 1)],
    ['cannot resign', () => put('user:root', person('root'), { revision: 1 })],
    ['cannot lose the only way to sign in', () => put('user:root', { administrator: true }, { revision: 1 })],
  ])('%s', async (_, attempt) => {
    expect(await attempt()).toMatchObject({ status: 409, body: { code: 'last_administrator' } });
    await put('user:eve', person('eve', { administrator: true }));
    expect(await attempt()).toMatchObject({ status: 200 });
  });
});

describe('the list', () => {
  test('is of one kind, by subject, page by page', async () => {
    const first = await send('GET /api/directory', undefined, { query: { kind: 'user', limit: '2' } });
    expect(first.body.entries).toMatchObject([{ subject: 'user:ana', revision: 1, entry: { administrator: false } }, { subject: 'user:ben' }]);
    expect(first.body.entries[0].entry.kind).toBeUndefined();
    const second = await send('GET /api/directory', undefined, { query: { kind: 'user', limit: '50', cursor: String(first.body.cursor) } });
    expect(second.body.entries.map((each: { subject: string }) => each.subject)).toEqual(['user:olga', 'user:root', 'user:zoe']);
    expect(second.body.cursor).toBeUndefined();
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['no kind', {}],
    ['an unknown kind', { kind: 'robot' }],
    ['a cursor of another kind', { kind: 'user', cursor: 'group:finance' }],
    ['no entries wanted', { kind: 'user', limit: '0' }],
    ['too many wanted', { kind: 'user', limit: '51' }],
  ])('is refused with %s', async (_, query) => {
    expect(await send('GET /api/directory', undefined, { query })).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});

describe('a directory that fails', () => {
  test.each(['newest', 'standing', 'change', 'callerOf'] as const)('at %s lets nothing through', async (method) => {
    const before = written();
    const broken: Ports['directoryEditor'] = { ...directory, [method]: unavailable };
    const event = gatewayEvent({ route: `${method === 'newest' ? 'GET' : 'PUT'} ${ENTRY}`, as: 'user:root', path: { subject: 'group:x' }, headers: { 'if-match': '0' }, body: group('user:ana') });
    expect(await buildHandler({ ...ports, directoryEditor: broken, callers: broken })(event)).toMatchObject({ statusCode: 503 });
    expect(written()).toBe(before);
  });
});

describe('a stand-in', () => {
  const ROUTE = '/api/delegations';
  const MONTH = { to: 'user:ben', from: '2026-11-10T00:00:00Z', until: '2026-12-10T00:00:00Z' };
  const KEPT = { to: 'user:ben', from: '2026-11-10T00:00:00.000Z', until: '2026-12-10T00:00:00.000Z' };
  const name = (body: unknown, as = 'user:ana'): Promise<Answer> => send(`PUT ${ROUTE}`, undefined, { as, body });
  const mine = async (as: string): Promise<unknown> => (await send(`GET ${ROUTE}`, undefined, { as })).body;

  test('is named by everybody for themselves, seen by both, and withdrawn', async () => {
    expect(await name(MONTH)).toMatchObject({ status: 200, body: { given: KEPT, received: [] } });
    expect([await mine('user:ana'), await mine('user:ben'), await mine('user:zoe')]).toEqual([{ given: KEPT, received: [] }, { given: null, received: [{ by: 'user:ana', from: KEPT.from, until: KEPT.until }] }, { given: null, received: [] }]);
    expect(await directory.approverEntry('user:ana')).toEqual({ kind: 'person', revision: 2, stand_in: KEPT });
    expect((await directory.newest('user:ana'))?.data).toMatchObject({ actor: { subject: 'user:ana' }, entry_by: 'system:seed', stand_in: KEPT });
    expect(await send(`DELETE ${ROUTE}`, undefined, { as: 'user:ana' })).toMatchObject({ status: 200, body: { given: null } });
    expect(await directory.approverEntry('user:ana')).toEqual({ kind: 'person', revision: 3 });
    const before = written();
    expect(await send(`DELETE ${ROUTE}`, undefined, { as: 'user:ana' })).toMatchObject({ status: 200 });
    expect(written()).toBe(before);
  });

  test('is replaced by the next, kept by an administrator who writes the entry, and gone with it', async () => {
    await name(MONTH);
    await name({ ...MONTH, to: 'user:zoe' });
    expect(await mine('user:ben')).toEqual({ given: null, received: [] });
    const entry = person('ana', { administrator: true });
    expect(await put('user:ana', entry, { revision: 3 })).toMatchObject({ status: 200, body: { stand_in: { ...KEPT, to: 'user:zoe' } } });
    expect(await mine('user:zoe')).toMatchObject({ received: [{ by: 'user:ana' }] });
    await remove('user:ana', 4);
    expect(await mine('user:zoe')).toEqual({ given: null, received: [] });
    await put('user:ana', entry, { revision: 5 });
    expect(await mine('user:ana')).toEqual({ given: null, received: [] });
  });

  test('is shown until its time has ended', async () => {
    await name(MONTH);
    await ports.clock.set(KEPT.until);
    expect([await mine('user:ana'), await mine('user:ben')]).toEqual([{ given: null, received: [] }, { given: null, received: [] }]);
  });

  const at = (days: number): string => new Date(Date.parse(MONTH.from) + days * 86_400_000).toISOString();
  test.each<[string, JsonObject, string]>([
    ['oneself', { ...MONTH, to: 'user:ana' }, 'to'],
    ['a person who is not there', { ...MONTH, to: 'user:ghost' }, 'to'],
    ['a group', { ...MONTH, to: 'group:finance' }, 'to'],
    ['an agent (131)', { ...MONTH, to: 'agent:billing-bot' }, 'to'],
    ['a bare id', { ...MONTH, to: 'ben' }, 'to'],
    ['a time that ends before it begins', { ...MONTH, until: at(-1) }, 'until'],
    ['no time at all', { ...MONTH, until: MONTH.from }, 'until'],
    ['a time that has passed', { ...MONTH, from: '2026-10-01T00:00:00Z', until: '2026-10-02T00:00:00Z' }, 'until'],
    ['a moment more than 90 days', { ...MONTH, until: new Date(Date.parse(at(90)) + 1).toISOString() }, 'until'],
  ])('is refused: %s', async (_, body, field) => {
    expect(await name(body)).toMatchObject({ status: 422, body: { code: 'delegation_invalid', field } });
    expect(await mine('user:ana')).toEqual({ given: null, received: [] });
  });

  test('may be named for 90 days to the very end', async () => {
    expect(await name({ ...MONTH, until: at(90) })).toMatchObject({ status: 200 });
  });

  test.each<[string, JsonObject]>([
    ['somebody else to name them for (130)', { ...MONTH, for: 'user:zoe' }],
    ['a time without a zone', { ...MONTH, from: '2026-11-10T00:00:00' }],
    ['no end', { to: 'user:ben', from: MONTH.from }],
  ])('is refused with %s', async (_, body) => {
    expect(await name(body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  test('is named by no program', async () => {
    expect(await name(MONTH, 'agent:billing-bot')).toMatchObject({ status: 422, body: { code: 'delegation_invalid' } });
  });
});
