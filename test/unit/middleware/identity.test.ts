import { describe, expect, test } from 'vitest';
import { identify, proofOf } from '../../../lambdas/middleware/identity.ts';
import { group, person, program, writeAll } from '../../support/directory-samples.ts';
import { inMemoryDirectory } from '../../support/in-memory-directory.ts';
import { countedIds, handSetClock } from '../../support/in-memory-system.ts';
import { inMemoryRegistry } from '../../support/in-memory-registry.ts';
import { testRegistry } from '../../support/port-registry.ts';
import { authorizedBy, recorded, withNothing, withSignature, withToken } from './recorded-requests.ts';

const registry = inMemoryRegistry(testRegistry());

function signedBy(userArn: unknown) {
  return authorizedBy(withSignature, { iam: { accountId: '123456789012', userArn } });
}

function tokenWith(claims: unknown) {
  return authorizedBy(withToken, { jwt: { claims, scopes: null } });
}

describe('who is asking', () => {
  test('is the person of a verified token, with the groups of the registry and not of the token', async () => {
    expect(await identify(registry, recorded(withToken))).toEqual({
      ok: true,
      caller: { subject: 'user:ana', kind: 'user', groups: ['group:finance'], administrator: false, proof: { method: 'jwt', principal: 'oidc:https://issuer.example#ana' } },
    });
  });

  test('is the program whose role signed, with what the registry lets it do', async () => {
    expect(await identify(registry, recorded(withSignature))).toEqual({
      ok: true,
      caller: {
        subject: 'agent:billing-bot',
        kind: 'agent',
        groups: [],
        administrator: false,
        proof: { method: 'iam', principal: 'iam:arn:aws:iam::123456789012:role/billing-bot' },
        agency: { agent_ids: ['billing-bot'], workspaces: ['w1'], may_act_for: ['user:zoe'], owner: 'user:olga' },
      },
    });
  });

  test('is a service where the registry says so, and an administrator where it says so', async () => {
    const document = testRegistry({ programs: [{ subject: 'service:deployer', principals: ['iam:arn:aws:iam::123456789012:user/deployer'], agent_ids: ['deployer'], workspaces: ['w1'], owner: 'user:olga' }] });
    expect(await identify(inMemoryRegistry(document), signedBy('arn:aws:iam::123456789012:user/deployer'))).toMatchObject({ caller: { kind: 'service' } });
    expect(await identify(registry, tokenWith({ iss: 'https://issuer.example', sub: 'root' }))).toMatchObject({ caller: { subject: 'user:root', administrator: true } });
  });

  test('is nobody without a credential', async () => {
    expect(await identify(registry, recorded(withNothing))).toMatchObject({ ok: false, refusal: { code: 'unauthenticated' } });
  });

  test.each([
    ['of another issuer', tokenWith({ iss: 'https://elsewhere.example', sub: 'ana' })],
    ['of another person', tokenWith({ iss: 'https://issuer.example', sub: 'mallory' })],
    ['of a role that is not registered', signedBy('arn:aws:sts::123456789012:assumed-role/mallory/s')],
    ['of the role of another account', signedBy('arn:aws:sts::999999999999:assumed-role/billing-bot/s')],
    ['of the account itself', signedBy('arn:aws:iam::123456789012:root')],
  ])('is nobody with a good credential %s', async (_, event) => {
    expect(await identify(registry, event)).toMatchObject({ ok: false, refusal: { code: 'unauthenticated' } });
  });

  test.each(['__proto__', 'constructor', 'toString', ''])('is nobody under the name %j', async (sub) => {
    expect(await identify(registry, tokenWith({ iss: 'https://issuer.example', sub }))).toMatchObject({ ok: false });
  });

  test.each([
    ['headers', { headers: { 'x-local-identity': 'user:ana', 'x-amzn-oidc-identity': 'ana', authorization: 'Bearer x' } }],
    ['the query', { queryStringParameters: { sub: 'ana', actor_id: 'user:ana' } }],
    ['a cookie', { cookies: ['identity=user:ana'] }],
    ['the body', { body: '{"actor_id":"user:ana"}' }],
  ])('cannot be said in %s', async (_, change) => {
    expect(await identify(registry, recorded(withNothing, change))).toMatchObject({ ok: false });
  });

  test('cannot be said in the shapes of other gateways', async () => {
    for (const authorizer of [{ claims: { iss: 'https://issuer.example', sub: 'ana' } }, { lambda: { sub: 'ana' } }, { jwt: { iss: 'https://issuer.example', sub: 'ana' } }, { principalId: 'ana' }, null]) {
      expect(proofOf(authorizedBy(withNothing, authorizer ?? undefined))).toBeUndefined();
    }
    const restApi = recorded(withNothing);
    Object.assign(restApi.requestContext, { identity: { userArn: 'arn:aws:iam::123456789012:role/billing-bot', user: 'ana' } });
    expect(proofOf(restApi)).toBeUndefined();
  });
});

describe('an assumed role proves the role and never the session', () => {
  test.each([
    'arn:aws:sts::123456789012:assumed-role/billing-bot/session-1',
    'arn:aws:sts::123456789012:assumed-role/billing-bot/user@example.com',
    'arn:aws:sts::123456789012:assumed-role/billing-bot/other-bot',
    'arn:aws:sts::123456789012:assumed-role/billing-bot/arn=aws:iam::123456789012:role=other-bot',
  ])('%s', (userArn) => {
    expect(proofOf(signedBy(userArn))).toEqual({ method: 'iam', principal: 'iam:arn:aws:iam::123456789012:role/billing-bot' });
  });

  test.each([
    ['arn:aws:sts::123456789012:assumed-role/mallory/billing-bot', 'iam:arn:aws:iam::123456789012:role/mallory'],
    ['arn:aws:sts::123456789012:assumed-role/mallory/x/assumed-role/billing-bot/y', 'iam:arn:aws:iam::123456789012:role/mallory'],
    ['arn:aws-us-gov:sts::123456789012:assumed-role/billing-bot/s', 'iam:arn:aws-us-gov:iam::123456789012:role/billing-bot'],
    ['arn:aws-cn:sts::123456789012:assumed-role/billing-bot/s', 'iam:arn:aws-cn:iam::123456789012:role/billing-bot'],
    ['arn:aws:sts::123456789012:federated-user/billing-bot', 'iam:arn:aws:sts::123456789012:federated-user/billing-bot'],
    ['arn:aws:iam::123456789012:user/assumed-role/billing-bot/s', 'iam:arn:aws:iam::123456789012:user/assumed-role/billing-bot/s'],
    ['arn:aws:sts::123456789012:assumed-role/billing-bot', 'iam:arn:aws:sts::123456789012:assumed-role/billing-bot'],
    ['arn:aws:sts::123456789012:assumed-role//s', 'iam:arn:aws:sts::123456789012:assumed-role//s'],
    ['arn:aws:sts::123456789012:assumed-role/billing-bot/s\narn:aws:sts::123456789012:assumed-role/other-bot/s', 'iam:arn:aws:sts::123456789012:assumed-role/billing-bot/s\narn:aws:sts::123456789012:assumed-role/other-bot/s'],
  ])('%j proves %j', (userArn, principal) => {
    expect(proofOf(signedBy(userArn))).toEqual({ method: 'iam', principal });
  });
});

describe('a credential that is not whole proves nothing', () => {
  test.each([
    ['no issuer', { sub: 'ana' }],
    ['no subject', { iss: 'https://issuer.example' }],
    ['an empty subject', { iss: 'https://issuer.example', sub: '' }],
    ['an empty issuer', { iss: '', sub: 'ana' }],
    ['a list as subject', { iss: 'https://issuer.example', sub: ['ana'] }],
    ['a number as subject', { iss: 'https://issuer.example', sub: 1 }],
    ['no claims', undefined],
  ])('%s', (_, claims) => {
    expect(proofOf(tokenWith(claims))).toBeUndefined();
  });

  test.each([[undefined], [''], [null], [{ arn: 'x' }], [['arn:aws:iam::123456789012:role/billing-bot']]])('the ARN %o', (userArn) => {
    expect(proofOf(signedBy(userArn))).toBeUndefined();
  });
});

test('a registry that cannot be read lets nobody in', async () => {
  const broken = { callerOf: async () => Promise.reject(Object.assign(new Error('down'), { name: 'Unavailable' })) };
  await expect(identify(broken, recorded(withToken))).rejects.toMatchObject({ name: 'Unavailable' });
});

describe('groups that a token names', () => {
  const NOW = recorded(withToken).requestContext.timeEpoch;
  const seconds = (later: number): string => String(Math.floor(NOW / 1000) + later);
  const directory = inMemoryDirectory({ clock: handSetClock(), ids: countedIds() }, { claim: 'https://idp.example/groups', max_age_seconds: 600 });
  const ready = writeAll(directory, {
    'user:ana': person('ana'),
    'agent:bot': program('bot'),
    'group:finance': { members: [], from_claim: true },
    'group:leads': { members: [], from_claim: true },
    'group:closed': group(),
    'group:mine': group('user:ana'),
    'group:all': group('group:finance'),
  });
  const callerWith = async (claims: Readonly<Record<string, unknown>>) => {
    await ready;
    const identified = await identify(directory, tokenWith({ iss: 'https://issuer.example', sub: 'ana', ...claims }));
    return identified.ok ? identified.caller : expect.fail('not identified');
  };

  test.each<[string, unknown]>([
    ['as an HTTP API writes a list', '[finance leads closed ghost]'],
    ['as a list', ['finance', 'leads', 'closed', 'ghost', 7, 'finance']],
    ['as JSON text', '["finance", "leads", "closed"]'],
  ])('count where the directory lets tokens name them: %s', async (_, claim) => {
    expect(await callerWith({ 'https://idp.example/groups': claim, exp: seconds(900) })).toMatchObject({
      groups: ['group:all', 'group:finance', 'group:leads', 'group:mine'],
      claimed_groups: ['group:finance', 'group:leads'],
      claims_hold_until: new Date(NOW + 600_000).toISOString(),
    });
  });

  test('hold no longer than the token', async () => {
    expect(await callerWith({ 'https://idp.example/groups': '[finance]', exp: seconds(60) })).toMatchObject({ claims_hold_until: new Date(Number(seconds(60)) * 1000).toISOString() });
  });

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['another claim', { groups: '[finance]', exp: seconds(900) }],
    ['no claim', { exp: seconds(900) }],
    ['a token without an end', { 'https://idp.example/groups': '[finance]' }],
    ['an end that cannot be read', { 'https://idp.example/groups': '[finance]', exp: 'Tue Apr 04 18:39:39 UTC 2023' }],
    ['a token that has ended', { 'https://idp.example/groups': '[finance]', exp: seconds(0) }],
    ['a whole reference', { 'https://idp.example/groups': '[group:finance]', exp: seconds(900) }],
    ['another case', { 'https://idp.example/groups': '[Finance]', exp: seconds(900) }],
    ['names run together', { 'https://idp.example/groups': '[finance,leads]', exp: seconds(900) }],
    ['JSON that does not end', { 'https://idp.example/groups': '["finance"', exp: seconds(900) }],
    ['an object', { 'https://idp.example/groups': { finance: true }, exp: seconds(900) }],
  ])('do not count with %s', async (_, claims) => {
    const caller = await callerWith(claims);
    expect(caller.groups).toEqual(['group:mine']);
    expect(Object.keys(caller)).not.toContain('claimed_groups');
  });

  test('are none for programs, and none where the deployment names no claim', async () => {
    await ready;
    const signed = authorizedBy(withSignature, { iam: { accountId: '123456789012', userArn: 'arn:aws:sts::123456789012:assumed-role/bot/s' }, jwt: { claims: { 'https://idp.example/groups': '[finance]', exp: seconds(900) } } });
    expect(await identify(directory, signed)).toMatchObject({ caller: { kind: 'agent', groups: [] } });
    expect(await identify({ callerOf: (principal) => directory.callerOf(principal) }, tokenWith({ iss: 'https://issuer.example', sub: 'ana', 'https://idp.example/groups': '[finance]', exp: seconds(900) }))).toMatchObject({ caller: { groups: ['group:mine'] } });
  });
});
