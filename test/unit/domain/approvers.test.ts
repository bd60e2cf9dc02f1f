import { describe, expect, test } from 'vitest';
import { claimsAt, resolveApprovers, type ApproverEntry, type ApproverSource, type Eligible } from '../../../lambdas/domain/approvers.ts';
import type { Vote } from '../../../lambdas/domain/events.ts';
import { Fault } from '../../../lambdas/domain/faults.ts';
import { nobodyCanApprove, tally } from '../../../lambdas/domain/quorum.ts';
import { plusSeconds } from '../../../lambdas/domain/times.ts';
import { REQUESTER } from '../../support/operation-builder.ts';

const T0 = '2026-03-02T09:00:00.000Z';
const GROUPS: Readonly<Record<string, readonly string[]>> = { 'group:finance': ['user:ana', 'user:ben', 'user:olga'], 'group:audit': ['user:ana', 'user:ian'] };
const PEOPLE = ['user:ana', 'user:ben', 'user:ian', 'user:olga', 'user:zoe'];
const directory: ApproverSource = { now: T0, entryOf: async (reference) => entryIn(reference, {}) };

function entryIn(reference: string, also: Readonly<Record<string, ApproverEntry>>): ApproverEntry | undefined {
  const members = GROUPS[reference];
  return also[reference] ?? (members === undefined ? (PEOPLE.includes(reference) ? { kind: 'person', revision: 1 } : undefined) : { kind: 'group', revision: 1, members, from_claim: false });
}
/** The directory, and these entries in it or instead of its own. */
const withEntries = (also: Readonly<Record<string, ApproverEntry>>, more: Partial<ApproverSource> = {}): ApproverSource => ({ now: T0, ...more, entryOf: async (reference) => entryIn(reference, also) });
const eligibleAmong = async (source: ApproverSource, ...approvers: string[]): Promise<Eligible> => (await resolveApprovers([{ approvers, quorum: 1 }], REQUESTER, source))[0] ?? new Map();
/** Subject → what put it there. */
const viaOf = (eligible: Eligible): object => Object.fromEntries([...eligible].map(([subject, { via }]) => [subject, via]));
const people = async (...approvers: string[]): Promise<object> => viaOf(await eligibleAmong(directory, ...approvers));
const away = (to: string, from: string, until: string): ApproverEntry => ({ kind: 'person', revision: 2, stand_in: { to, from, until } });
const group = (...members: string[]): ApproverEntry => ({ kind: 'group', revision: 1, members, from_claim: false });
const CLAIMED: ApproverEntry = { kind: 'group', revision: 1, members: [], from_claim: true };
const YESTERDAY = plusSeconds(T0, -86_400);
const TOMORROW = plusSeconds(T0, 86_400);

describe('the people of a requirement', () => {
  test('are those who are named', async () => {
    expect(await people('user:ana', 'user:ben')).toEqual({ 'user:ana': 'user:ana', 'user:ben': 'user:ben' });
  });

  test('are those of a group, with the group that let them count', async () => {
    expect(await people('group:audit')).toEqual({ 'user:ana': 'group:audit', 'user:ian': 'group:audit' });
  });

  test('count once, by what names them first', async () => {
    expect(await people('group:audit', 'user:ana', 'group:finance')).toEqual({ 'user:ana': 'group:audit', 'user:ian': 'group:audit', 'user:ben': 'group:finance' });
  });

  test('never hold the requester set, however it is named', async () => {
    expect(await people('agent:billing-bot', 'user:zoe', 'user:olga', 'group:finance')).toEqual({ 'user:ana': 'group:finance', 'user:ben': 'group:finance' });
  });

  test.each(['group:gone', 'team:core#lead', 'ana', 'agent:helper', 'service:deployer', 'USER:ana', ''])('are nobody for %j', async (reference) => {
    expect(await people(reference)).toEqual({});
  });

  test('are resolved for each requirement apart, in their order', async () => {
    const requirements = [{ approvers: ['user:ben'], quorum: 1 }, { approvers: [], quorum: 1 }, { approvers: ['group:audit'], quorum: 2 }];

    expect((await resolveApprovers(requirements, REQUESTER, directory)).map((each) => [...each.keys()])).toEqual([['user:ben'], [], ['user:ana', 'user:ian']]);
  });

  test('are not guessed when the directory does not answer (137)', async () => {
    await expect(resolveApprovers([{ approvers: ['group:finance'], quorum: 1 }], REQUESTER, { now: T0, entryOf: () => Promise.reject(new Error('no directory')) })).rejects.toThrow('no directory');
  });

  test('leave out a person named by name who is in the directory no more (136)', async () => {
    expect(await people('user:gone', 'user:ana')).toEqual({ 'user:ana': 'user:ana' });
  });

  test('are found through groups in groups and relations, and count by what the requirement names', async () => {
    const source = withEntries({ 'group:all': group('group:audit', 'team:core#lead', 'agent:helper', 'user:gone'), 'team:core#lead': group('user:ben') });
    expect(viaOf(await eligibleAmong(source, 'group:all'))).toEqual({ 'user:ana': 'group:all', 'user:ian': 'group:all', 'user:ben': 'group:all' });
  });

  test('are nobody behind a reference that leads back to itself, and those of the others all the same (137)', async () => {
    const source = withEntries({ 'group:a': group('user:ana', 'group:b'), 'group:b': group('user:ben', 'group:a') });
    expect(viaOf(await eligibleAmong(source, 'group:a', 'user:ian'))).toEqual({ 'user:ian': 'user:ian' });
  });
});

describe('a stand-in', () => {
  const standIn = async (entry: ApproverEntry, ...approvers: string[]): Promise<object> => viaOf(await eligibleAmong(withEntries({ 'user:ana': entry }), ...approvers));

  test.each([
    ['counts in its time, by the person that it stands in for', away('user:ian', YESTERDAY, TOMORROW), { 'user:ana': 'user:ana', 'user:ian': 'user:ana' }],
    ['counts from the first instant on', away('user:ian', T0, TOMORROW), { 'user:ana': 'user:ana', 'user:ian': 'user:ana' }],
    ['is nobody before its time', away('user:ian', TOMORROW, plusSeconds(TOMORROW, 60)), { 'user:ana': 'user:ana' }],
    ['is nobody at the end of its time', away('user:ian', YESTERDAY, T0), { 'user:ana': 'user:ana' }],
    ['is nobody when it has left the directory', away('user:gone', YESTERDAY, TOMORROW), { 'user:ana': 'user:ana' }],
    ['is nobody when it belongs to the requester set', away('user:olga', YESTERDAY, TOMORROW), { 'user:ana': 'user:ana' }],
    ['is nobody when it is a program', away('agent:helper', YESTERDAY, TOMORROW), { 'user:ana': 'user:ana' }],
  ])('%s', async (_, entry, expected) => {
    expect(await standIn(entry, 'user:ana')).toEqual(expected);
  });

  test('that may decide anyway does so by its own right', async () => {
    expect(await standIn(away('user:ben', YESTERDAY, TOMORROW), 'group:finance')).toEqual({ 'user:ana': 'group:finance', 'user:ben': 'group:finance' });
  });

  test('of a stand-in is nobody, and neither is that of a person who asked', async () => {
    const chain = withEntries({ 'user:ana': away('user:ian', YESTERDAY, TOMORROW), 'user:ian': away('user:ben', YESTERDAY, TOMORROW), 'user:olga': away('user:ben', YESTERDAY, TOMORROW) });
    expect(viaOf(await eligibleAmong(chain, 'user:ana', 'user:olga'))).toEqual({ 'user:ana': 'user:ana', 'user:ian': 'user:ana' });
  });

  test('of two counts for either', async () => {
    const source = withEntries({ 'user:ana': away('user:ian', YESTERDAY, TOMORROW), 'user:ben': away('user:ian', YESTERDAY, TOMORROW) });
    const eligible = await eligibleAmong(source, 'user:ana', 'user:ben');
    expect(eligible.get('user:ian')).toMatchObject({ via: 'user:ana', stands_in_for: ['user:ana', 'user:ben'], references: ['user:ana', 'user:ben'] });
    expect(tally([{ approvers: ['user:ana', 'user:ben'], quorum: 2 }], [eligible], [voteOf('user:ana'), voteOf('user:ian')])).toMatchObject([{ approvals: 2 }]);
  });

  test('whose record cannot be read is nobody, and keeps nobody from deciding', async () => {
    const source: ApproverSource = { now: T0, entryOf: async (reference) => (reference === 'user:ian' ? Promise.reject(new Fault('CorruptRecord', 'not as it was written')) : entryIn(reference, { 'user:ana': away('user:ian', YESTERDAY, TOMORROW) })) };
    expect(viaOf(await eligibleAmong(source, 'user:ana', 'user:ben'))).toEqual({ 'user:ana': 'user:ana', 'user:ben': 'user:ben' });
  });

  test('and the person that it stands in for are one approval together, and cannot fill a quorum of two', async () => {
    const eligible = await eligibleAmong(withEntries({ 'user:ana': away('user:ian', YESTERDAY, TOMORROW) }), 'user:ana');
    expect(tally([{ approvers: ['user:ana'], quorum: 2 }], [eligible], [voteOf('user:ana'), voteOf('user:ian')])).toMatchObject([{ approvals: 1 }]);
    expect(nobodyCanApprove([{ approvers: ['user:ana'], quorum: 2 }], [eligible])).toBe(true);
    expect(nobodyCanApprove([{ approvers: ['user:ana'], quorum: 1 }], [eligible])).toBe(false);
  });
});

describe('a group that tokens name', () => {
  const source = (claimed: ApproverSource['claimed']): ApproverSource => withEntries({ 'group:sso': CLAIMED, 'group:outer': group('group:sso') }, claimed === undefined ? {} : { claimed });

  test('holds whoever brings its name, if the directory knows that person', async () => {
    const claimed = new Map([['user:ian', ['group:sso']], ['user:gone', ['group:sso']], ['user:olga', ['group:sso']], ['user:ben', ['group:other']]]);
    expect(viaOf(await eligibleAmong(source(claimed), 'group:outer'))).toEqual({ 'user:ian': 'group:outer' });
  });

  test('is not called empty, since nobody can count it; but a group that takes no tokens is', async () => {
    const requirements = [{ approvers: ['group:sso'], quorum: 2 }];
    expect(nobodyCanApprove(requirements, await resolveApprovers(requirements, REQUESTER, source(undefined)))).toBe(false);
    const closed = withEntries({ 'group:sso': group() }, { claimed: new Map([['user:ian', ['group:sso']]]) });
    expect(nobodyCanApprove(requirements, await resolveApprovers(requirements, REQUESTER, closed))).toBe(true);
  });

  test('is believed of an earlier vote only as long as the token that said so', () => {
    const vote = { ...voteOf('user:ian'), claim: { groups: ['group:sso'], holds_until: TOMORROW } };
    const acting = { subject: 'user:ana', claimed_groups: ['group:sso'] };
    expect([...claimsAt(T0, [vote, voteOf('user:ben')], acting)]).toEqual([['user:ian', ['group:sso']], ['user:ana', ['group:sso']]]);
    expect([...claimsAt(TOMORROW, [vote], { subject: 'user:ana' })]).toEqual([]);
  });
});

describe('a reference that stands for nobody says why (127, 137)', () => {
  const corrupt = (bad: string, also: Readonly<Record<string, ApproverEntry>>): ApproverSource => ({ now: T0, entryOf: async (reference) => (reference === bad ? Promise.reject(new Fault('CorruptRecord', 'not as it was written')) : entryIn(reference, also)) });
  const LOOP = { 'group:a': group('group:b'), 'group:b': group('group:a') };

  test.each<[string, string, ApproverSource, string]>([
    ['a group without members', 'group:none', withEntries({ 'group:none': group() }), 'empty'],
    ['a group of people who have left', 'group:gone', withEntries({ 'group:gone': group('user:gone') }), 'empty'],
    ['a group that is not there', 'group:nowhere', directory, 'unresolvable'],
    ['a program', 'agent:helper', directory, 'unresolvable'],
    ['a group in itself', 'group:a', withEntries(LOOP), 'cyclic'],
    ['a record that cannot be read', 'group:finance', corrupt('group:finance', {}), 'unreadable'],
    ['a group with such a record in it', 'group:outer', corrupt('group:finance', { 'group:outer': group('user:ian', 'group:finance') }), 'unreadable'],
    ['the owner alone', 'user:olga', directory, 'own_operation'],
  ])('%s', async (_, reference, source, why) => {
    const eligible = await eligibleAmong(source, reference, 'user:ian');
    expect([...(eligible.nobody ?? [])]).toEqual([[reference, why]]);
    expect(viaOf(eligible)).toEqual({ 'user:ian': 'user:ian' });
  });

  test('and one that stands for somebody, or that a token may answer, says nothing', async () => {
    expect(await eligibleAmong(withEntries({ 'group:sso': CLAIMED }), 'group:finance', 'group:sso')).not.toHaveProperty('nobody');
  });

  test('a store that does not answer is no reason but a fault (137)', async () => {
    const down: ApproverSource = { now: T0, entryOf: () => Promise.reject(new Fault('Unavailable', 'throttled')) };
    await expect(eligibleAmong(down, 'group:finance')).rejects.toMatchObject({ name: 'Unavailable' });
  });
});

describe('a place among the approvers', () => {
  test('names every reference that leads there, and the entries on the way as they were read', async () => {
    const source = withEntries({ 'group:all': { ...group('group:audit'), revision: 7 } });
    expect((await eligibleAmong(source, 'group:all', 'user:ian', 'group:audit')).get('user:ian')).toEqual({
      via: 'group:all',
      references: ['group:all', 'user:ian', 'group:audit'],
      path: [{ reference: 'group:all', revision: 7 }, { reference: 'group:audit', revision: 1 }, { reference: 'user:ian', revision: 1 }],
    });
  });

  test('of a stand-in goes on from the person that it stands in for', async () => {
    const source = withEntries({ 'user:ana': away('user:ian', YESTERDAY, TOMORROW) });
    expect((await eligibleAmong(source, 'group:finance')).get('user:ian')).toEqual({
      via: 'user:ana',
      stands_in_for: ['user:ana'],
      references: ['group:finance'],
      path: [{ reference: 'group:finance', revision: 1 }, { reference: 'user:ana', revision: 2 }, { reference: 'user:ian', revision: 1 }],
    });
  });

  test('is told of those whose operation it is, apart from those who may approve', async () => {
    const { own } = await eligibleAmong(directory, 'group:finance', 'user:zoe');
    expect([...(own ?? [])].map(([subject, { via }]) => [subject, via])).toEqual([['user:olga', 'group:finance'], ['user:zoe', 'user:zoe']]);
  });

  test('is theirs too where the requirement does not separate duties', async () => {
    const [eligible] = await resolveApprovers([{ approvers: ['group:finance'], quorum: 1, separation_of_duties: false }], REQUESTER, directory);
    expect([...(eligible ?? [])].map(([subject]) => subject)).toEqual(['user:ana', 'user:ben', 'user:olga']);
    expect(eligible).not.toHaveProperty('own');
  });
});

function voteOf(subject: string, decision: Vote['decision'] = 'approve'): Vote {
  return { subject, via: subject, decision, channel: 'api', view: 'short', voted_at: T0 };
}
