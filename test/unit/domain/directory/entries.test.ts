import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../lambdas/domain/json/json-value.ts';
import { kindOf, normaliseEmail, parseEntry, referencesOf } from '../../../../lambdas/domain/directory/entries.ts';
import { standingIn } from '../../../../lambdas/domain/directory/directory-log.ts';
import { identitiesOf, listsOf } from '../../../../lambdas/domain/directory/lookups.ts';

const BOT: JsonObject = { principals: ['iam:arn:aws:iam::123456789012:role/bot'], agent_ids: ['bot'], workspaces: ['w1'], owner: 'user:olga' };

describe('a reference', () => {
  test.each([
    ['user:ana', 'user'],
    ['user:ana.b@example.com', 'user'],
    ['agent:billing-bot', 'agent'],
    ['service:deployer', 'service'],
    ['group:finance', 'group'],
    ['team:core#lead', 'relation'],
    ['cost-centre:12#owner', 'relation'],
  ])('%s is of kind %s', (reference, kind) => {
    expect(kindOf(reference)).toBe(kind);
  });

  test.each(['ana', '', 'user:', 'user:ana b', 'User:ana', 'user:ana#lead', 'group:finance#lead', 'agent:x#y', 'group:a@b', 'team:core', 'team:core#', '#lead', 'team:#lead', 'Team:core#lead', 'user:ana\n', 'group:*', 'user:an\u0131'])('%j is none: a bare id could be anybody (130)', (reference) => {
    expect(kindOf(reference)).toBeUndefined();
    expect(() => parseEntry(reference, {})).toThrow(RangeError);
  });
});

describe('an address', () => {
  test.each([
    [' Ana.B@Example.com ', 'ana.b@example.com'],
    ['ana+refunds@example.com', 'ana+refunds@example.com'],
    // Neither the dotless i nor the Kelvin sign is an ASCII letter, whatever a locale would make of them.
    ['an\u0131@example.com', 'an\u0131@example.com'],
    ['ana@\u212Aelvin.example', 'ana@\u212Aelvin.example'],
    ['\u0130na@example.com', '\u0130na@example.com'],
  ])('%j is kept as %j (134)', (written, kept) => {
    expect(normaliseEmail(written)).toBe(kept);
    expect(parseEntry('user:ana', { identities: { email: [written] } })).toMatchObject({ identities: { email: [kept] } });
  });
});

describe('an entry', () => {
  test.each<[string, string, JsonObject, RegExp]>([
    ['an unknown field', 'user:ana', { admin: true }, /admin/],
    ['an unknown identity', 'user:ana', { identities: { github: ['ana'] } }, /github/],
    ['an issuer with #', 'user:ana', { identities: { oidc: [{ issuer: 'https://a#b', subject: 'c' }] } }, /issuer/],
    ['a subject longer than OpenID Connect allows', 'user:ana', { identities: { oidc: [{ issuer: 'https://i', subject: 's'.repeat(256) }] } }, /subject/],
    ['an address that is none', 'user:ana', { identities: { email: ['ana'] } }, /address/],
    ['a Slack name instead of its id', 'user:ana', { identities: { slack: [{ team: 'acme', user: 'ana' }] } }, /Slack/],
    ['no owner (133)', 'agent:bot', { ...BOT, owner: undefined } as unknown as JsonObject, /owner/],
    ['a group for an owner', 'agent:bot', { ...BOT, owner: 'group:finance' }, /user:<id>/],
    ['no principal', 'service:bot', { ...BOT, principals: [] }, /principals/],
    ['a person\'s credential for a program', 'agent:bot', { ...BOT, principals: ['oidc:x#y'] }, /iam:/],
    ['a bare member', 'group:g', { members: ['ana'] }, /member/],
    ['no members at all', 'group:g', {}, /members/],
    ['from_claim for a relation', 'team:a#lead', { members: [], from_claim: true }, /from_claim/],
  ])('with %s is refused', (_, subject, entry, words) => {
    expect(() => parseEntry(subject, entry)).toThrow(words);
  });

  test('names who must stand in the directory too, and where', () => {
    expect(referencesOf(parseEntry('agent:bot', { ...BOT, may_act_for: ['user:zoe'] }))).toEqual([{ reference: 'user:olga', field: 'owner' }, { reference: 'user:zoe', field: 'may_act_for.0' }]);
    expect(referencesOf(parseEntry('group:g', { members: ['user:a', 'group:h'] }))).toEqual([{ reference: 'user:a', field: 'members.0' }, { reference: 'group:h', field: 'members.1' }]);
    expect(referencesOf(parseEntry('user:ana', {}))).toEqual([]);
  });

  test('is found by each of its identities, and stands on the lists that it belongs to', () => {
    const ana = parseEntry('user:Ana', { identities: { oidc: [{ issuer: 'https://i', subject: 's#1' }], email: ['A@B.c'], slack: [{ team: 'T1', user: 'U1' }], iam: ['iam:arn:x'] }, administrator: true });
    expect([...identitiesOf('user:Ana', ana)]).toEqual(['subject:user:ana', 'oidc:https://i#s#1', 'email:a@b.c', 'slack:T1/U1', 'iam:arn:x']);
    const stand_in = { to: 'user:ben', from: '2026-11-02T09:00:00.000Z', until: '2026-11-03T09:00:00.000Z' };
    expect([...listsOf({ entry: ana, stand_in })]).toEqual(['listed#user', 'listed#administrator', 'standin#user:ben']);
    expect([...listsOf({ entry: parseEntry('group:g', { members: ['user:a', 'agent:b'] }), stand_in: undefined })]).toEqual(['listed#group', 'member#user:a', 'member#agent:b']);
    expect([...listsOf({ entry: parseEntry('agent:bot', BOT), stand_in: undefined })]).toEqual(['listed#agent', 'speaker#bot']);
    expect([...listsOf({ entry: parseEntry('user:ana', { administrator: true }), stand_in: undefined })]).toEqual(['listed#user']);
    expect([[...identitiesOf('user:ana', undefined)], [...listsOf(standingIn(undefined))]]).toEqual([[], []]);
  });
});
