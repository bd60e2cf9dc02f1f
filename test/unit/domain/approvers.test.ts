import { describe, expect, test } from 'vitest';
import { approvalsOf, claimsAt, nobodyCanApprove, resolveApprovers, type ApproverEntry, type ApproverSource, type Eligible } from '../../../lambdas/domain/approvers.ts';
import type { Requirement, Vote } from '../../../lambdas/domain/events.ts';
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
const people = async (...approvers: string[]): Promise<object> => Object.fromEntries(await eligibleAmong(directory, ...approvers));
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
    expect(Object.fromEntries(await eligibleAmong(source, 'group:all'))).toEqual({ 'user:ana': 'group:all', 'user:ian': 'group:all', 'user:ben': 'group:all' });
  });

  test('are nobody behind a reference that leads back to itself, and those of the others all the same (137)', async () => {
    const source = withEntries({ 'group:a': group('user:ana', 'group:b'), 'group:b': group('user:ben', 'group:a') });
    expect(Object.fromEntries(await eligibleAmong(source, 'group:a', 'user:ian'))).toEqual({ 'user:ian': 'user:ian' });
  });
});

describe('a stand-in', () => {
  const standIn = async (entry: ApproverEntry, ...approvers: string[]): Promise<object> => Object.fromEntries(await eligibleAmong(withEntries({ 'user:ana': entry }), ...approvers));

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
    expect(Object.fromEntries(await eligibleAmong(chain, 'user:ana', 'user:olga'))).toEqual({ 'user:ana': 'user:ana', 'user:ian': 'user:ana' });
  });

  test('and the person that it stands in for are one approval together, and cannot fill a quorum of two', async () => {
    const eligible = await eligibleAmong(withEntries({ 'user:ana': away('user:ian', YESTERDAY, TOMORROW) }), 'user:ana');
    expect(approvalsOf([voteOf('user:ana'), voteOf('user:ian')], eligible)).toBe(1);
    expect(nobodyCanApprove([{ approvers: ['user:ana'], quorum: 2 }], [eligible])).toBe(true);
    expect(nobodyCanApprove([{ approvers: ['user:ana'], quorum: 1 }], [eligible])).toBe(false);
  });
});

describe('a group that tokens name', () => {
  const source = (claimed: ApproverSource['claimed']): ApproverSource => withEntries({ 'group:sso': CLAIMED, 'group:outer': group('group:sso') }, claimed === undefined ? {} : { claimed });

  test('holds whoever brings its name, if the directory knows that person', async () => {
    const claimed = new Map([['user:ian', ['group:sso']], ['user:gone', ['group:sso']], ['user:olga', ['group:sso']], ['user:ben', ['group:other']]]);
    expect([...(await eligibleAmong(source(claimed), 'group:outer'))]).toEqual([['user:ian', 'group:outer']]);
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

describe('nobody can approve', () => {
  const rows: readonly [string, readonly Requirement[], readonly (readonly string[])[], boolean][] = [
    ['when nobody is asked', [], [], true],
    ['when a requirement has nobody', [{ approvers: ['user:ana'], quorum: 1 }], [[]], true],
    ['when a requirement was not resolved', [{ approvers: ['user:ana'], quorum: 1 }], [], true],
    ['when fewer are there than the quorum', [{ approvers: ['group:finance'], quorum: 3 }], [['user:ana', 'user:ben']], true],
    ['when one of two requirements has nobody', [{ approvers: ['user:ana'], quorum: 1 }, { approvers: ['group:gone'], quorum: 1 }], [['user:ana'], []], true],
    ['is wrong when just enough are there', [{ approvers: ['group:finance'], quorum: 2 }], [['user:ana', 'user:ben']], false],
    ['is wrong when every requirement has its people', [{ approvers: ['user:ana'], quorum: 1 }, { approvers: ['user:ben'], quorum: 1 }], [['user:ana'], ['user:ben']], false],
  ];
  test.each(rows)('%s', (_, requirements, eligible, nobody) => {
    expect(nobodyCanApprove(requirements, eligible.map((subjects) => new Map(subjects.map((subject) => [subject, subject]))))).toBe(nobody);
  });
});

function voteOf(subject: string, decision: Vote['decision'] = 'approve'): Vote {
  return { subject, via: subject, decision, channel: 'api', view: 'short', voted_at: T0 };
}
