// When votes are enough: seats, and who may take them. An independent rule by trial stands beside the examples.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Eligible, Place } from '../../../lambdas/domain/approvers.ts';
import type { Requirement, Vote } from '../../../lambdas/domain/events.ts';
import { isMet, isVetoed, nobodyCanApprove, progressText, tally } from '../../../lambdas/domain/quorum.ts';

const place = (via: string, ...references: string[]): Place => ({ via, references: references.length === 0 ? [via] : references, path: [] });
const standIn = (whom: string, ...references: string[]): Place => ({ ...place(whom, ...references), stands_in_for: [whom] });
const people = (entries: Readonly<Record<string, Place>>): Eligible => new Map(Object.entries(entries));
const said = (decision: 'approve' | 'deny', ...subjects: string[]): Vote[] => subjects.map((subject) => ({ subject, via: subject, decision, channel: 'api', view: 'short', voted_at: '2026-12-01T09:00:00.000Z' }));
const yes = (...subjects: string[]): Vote[] => said('approve', ...subjects);

const FINANCE = people({ 'user:ana': place('group:finance'), 'user:ben': place('group:finance'), 'user:cho': place('group:finance') });
const BOTH = people({ 'user:ana': place('group:finance', 'group:finance', 'group:security'), 'user:ben': place('group:finance'), 'user:sam': place('group:security') });

const enough = (requirements: readonly Requirement[], eligible: readonly Eligible[], votes: readonly Vote[]): boolean => isMet(tally(requirements, eligible, votes));

describe('a quorum', () => {
  const two: Requirement = { approvers: ['group:finance'], quorum: 2 };

  test('is met by so many people, and by no fewer', () => {
    expect([1, 2, 3].map((count) => enough([two], [FINANCE], yes('user:ana', 'user:ben', 'user:cho').slice(0, count)))).toEqual([false, true, true]);
  });

  test('counts nobody who said no, is asked no more or was never asked', () => {
    expect(enough([two], [FINANCE], [...yes('user:ana'), ...said('deny', 'user:ben')])).toBe(false);
    expect(enough([two], [people({ 'user:ana': place('group:finance') })], yes('user:ana', 'user:ben'))).toBe(false);
    expect(enough([two], [], yes('user:ana', 'user:ben'))).toBe(false);
  });

  test('of nothing is not met', () => expect(isMet([])).toBe(false));

  test('counts a person and the stand-in of that person as one, whoever comes first', () => {
    const withStandIn = people({ 'user:ana': place('group:finance'), 'user:zoe': standIn('user:ana', 'group:finance'), 'user:ben': place('group:finance') });
    expect(enough([two], [withStandIn], yes('user:ana', 'user:zoe'))).toBe(false);
    expect(enough([two], [withStandIn], yes('user:zoe', 'user:ben'))).toBe(true);
  });
});

describe('whoever stands in for two', () => {
  const both = people({ 'user:ana': place('group:finance'), 'user:ben': place('group:security'), 'user:ian': { ...place('user:ana', 'group:finance', 'group:security'), stands_in_for: ['user:ana', 'user:ben'] } });

  test('gives one approval, in place of whoever has not given one', () => {
    const two: Requirement = { approvers: ['group:finance', 'group:security'], quorum: 2 };
    expect(enough([two], [both], yes('user:ian'))).toBe(false);
    expect(enough([two], [both], yes('user:ana', 'user:ian'))).toBe(true);
    expect(enough([two], [both], yes('user:ben', 'user:ian'))).toBe(true);
  });

  test('takes the seat of a group only for a person of that group', () => {
    const each: Requirement = { approvers: ['group:finance', 'group:security'], quorum: 2, min_per_group: 1 };
    expect(enough([each], [both], yes('user:ana', 'user:ian'))).toBe(true);
    expect(tally([{ ...each, approvers: ['group:security'], quorum: 1 }], [people({ 'user:ana': place('group:finance'), 'user:ian': { ...standIn('user:ana', 'group:finance') } })], yes('user:ian'))).toMatchObject([{ approvals: 0 }]);
  });
});

describe('of each group', () => {
  const oneOfEach: Requirement = { approvers: ['group:finance', 'group:security'], quorum: 2, min_per_group: 1 };

  test('somebody must agree, and nobody does so for two groups', () => {
    expect(enough([oneOfEach], [BOTH], yes('user:ben'))).toBe(false);
    expect(enough([oneOfEach], [BOTH], yes('user:ana'))).toBe(false);
    expect(enough([oneOfEach], [BOTH], yes('user:ben', 'user:sam'))).toBe(true);
    expect(enough([oneOfEach], [BOTH], yes('user:ana', 'user:ben'))).toBe(true);
  });

  test('two of the same do not stand for the other', () => {
    const two = people({ 'user:ben': place('group:finance'), 'user:cho': place('group:finance'), 'user:sam': place('group:security') });
    expect(tally([oneOfEach], [two], yes('user:ben', 'user:cho'))).toEqual([{ approvals: 1, quorum: 2, waiting_for: ['group:security'] }]);
  });

  test('it raises a quorum that would be less, and a person beside the groups takes a free seat only', () => {
    const three: Requirement = { approvers: ['group:finance', 'group:security', 'user:max'], quorum: 3, min_per_group: 1 };
    const withMax = people({ 'user:ben': place('group:finance'), 'user:sam': place('group:security'), 'user:max': place('user:max') });
    expect(tally([{ ...three, quorum: 1 }], [withMax], [])).toMatchObject([{ quorum: 2 }]);
    expect(tally([three], [withMax], yes('user:max', 'user:ben'))).toEqual([{ approvals: 2, quorum: 3, waiting_for: ['group:security'] }]);
    expect(enough([three], [withMax], yes('user:max', 'user:ben', 'user:sam'))).toBe(true);
  });
});

describe('several requirements', () => {
  const finance: Requirement = { approvers: ['group:finance'], quorum: 1 };
  const ana: Requirement = { approvers: ['user:ana'], quorum: 1 };
  const ANA = people({ 'user:ana': place('user:ana') });

  test('want a person each', () => {
    expect(enough([finance, ana], [FINANCE, ANA], yes('user:ana'))).toBe(false);
    expect(enough([finance, ana], [FINANCE, ANA], yes('user:ana', 'user:ben'))).toBe(true);
  });

  test('share a vote where one of them says so', () => {
    expect(enough([{ ...finance, share_votes: true }, ana], [FINANCE, ANA], yes('user:ana'))).toBe(true);
    expect(enough([finance, ana, { approvers: ['user:ben', 'user:ana'], quorum: 1, share_votes: true }], [FINANCE, ANA, people({ 'user:ana': place('user:ana'), 'user:ben': place('user:ben') })], yes('user:ana', 'user:cho'))).toBe(true);
  });

  test('let a stand-in take a seat of its own beside the person that it stands in for elsewhere', () => {
    const zoeHerself = people({ 'user:ana': place('user:ana'), 'user:zoe': place('user:zoe') });
    const anaOrZoe = people({ 'user:ana': place('user:ana'), 'user:zoe': standIn('user:ana', 'user:ana') });
    const asked: readonly Requirement[] = [{ approvers: ['user:ana', 'user:zoe'], quorum: 1 }, ana];
    expect(enough(asked, [zoeHerself, anaOrZoe], yes('user:zoe'))).toBe(false);
    expect(enough(asked, [zoeHerself, anaOrZoe], yes('user:zoe', 'user:ana'))).toBe(true);
  });
});

describe('what is still waited for', () => {
  test('is told in order, in a sentence that people can read', () => {
    const tallies = tally([{ approvers: ['group:finance', 'group:security'], quorum: 3, min_per_group: 1 }, { approvers: ['user:max'], quorum: 1 }], [BOTH, people({ 'user:max': place('user:max') })], yes('user:ben'));
    expect(tallies).toEqual([{ approvals: 1, quorum: 3, waiting_for: ['group:security', 'group:finance'] }, { approvals: 0, quorum: 1, waiting_for: ['user:max'] }]);
    expect(progressText(tallies)).toBe('1 of 3, waiting for group:security or group:finance; 0 of 1, waiting for user:max');
    expect(progressText(tally([{ approvers: ['user:max'], quorum: 1 }], [people({ 'user:max': place('user:max') })], yes('user:max')))).toBe('1 of 1');
  });
});

describe('nobody can approve', () => {
  const FROM_TOKENS = Object.assign(new Map<string, Place>(), { from_claim: true });

  test.each<[string, readonly Requirement[], readonly Eligible[], boolean]>([
    ['where nobody is asked', [], [], true],
    ['where a group is empty', [{ approvers: ['group:empty'], quorum: 1 }], [new Map()], true],
    ['where fewer are there than are needed', [{ approvers: ['group:finance'], quorum: 4 }], [FINANCE], true],
    ['what enough are there for', [{ approvers: ['group:finance'], quorum: 3 }], [FINANCE], false],
    ['where one person would have to be two', [{ approvers: ['group:finance'], quorum: 3 }, { approvers: ['user:ana'], quorum: 1 }], [FINANCE, people({ 'user:ana': place('user:ana') })], true],
    ['where one group of two is too small', [{ approvers: ['group:finance', 'group:security'], quorum: 2, min_per_group: 2 }], [people({ 'user:ben': place('group:finance'), 'user:cho': place('group:finance'), 'user:sam': place('group:security') })], true],
    ['which a token may answer', [{ approvers: ['group:claimed'], quorum: 5 }], [FROM_TOKENS], false],
    ['where a token may answer one of two', [{ approvers: ['group:claimed'], quorum: 1 }, { approvers: ['group:empty'], quorum: 1 }], [FROM_TOKENS, new Map()], true],
  ])('%s', (_, requirements, eligible, nobody) => {
    expect(nobodyCanApprove(requirements, eligible)).toBe(nobody);
  });
});

describe('a veto', () => {
  test('takes one no where nothing is said, and as many as are said', () => {
    const three: Requirement = { approvers: ['group:finance'], quorum: 1, veto: 2 };
    expect(isVetoed([{ approvers: ['group:finance'], quorum: 3 }], [FINANCE], said('deny', 'user:ana'))).toBe(true);
    expect([1, 2].map((count) => isVetoed([three], [FINANCE], said('deny', 'user:ana', 'user:ben').slice(0, count)))).toEqual([false, true]);
  });

  test('is of the requirement that the person is asked by, counts a stand-in once and nobody who is asked no more', () => {
    const own: Requirement = { approvers: ['user:sam'], quorum: 1 };
    const three: Requirement = { approvers: ['group:finance'], quorum: 1, veto: 2 };
    expect(isVetoed([three, own], [FINANCE, people({ 'user:sam': place('user:sam') })], said('deny', 'user:ana'))).toBe(false);
    expect(isVetoed([three, own], [FINANCE, people({ 'user:sam': place('user:sam') })], said('deny', 'user:sam'))).toBe(true);
    expect(isVetoed([three], [people({ 'user:ana': place('group:finance'), 'user:zoe': standIn('user:ana', 'group:finance') })], said('deny', 'user:ana', 'user:zoe'))).toBe(false);
    expect(isVetoed([three], [new Map()], said('deny', 'user:ana', 'user:ben'))).toBe(false);
  });
});

test('seats are taken exactly where trying every way finds one', () => {
  const names = ['user:a', 'user:b', 'user:c', 'user:d'] as const;
  const somebody = fc.dictionary(fc.constantFrom(...names), fc.tuple(fc.constantFrom(...names), fc.subarray(['group:x', 'group:y'])), { maxKeys: 4 });
  const eligible = somebody.map((entries): Eligible => {
    // Whom somebody stands in for is there too, by its own right.
    const own = Object.entries(entries).map(([subject, [, references]]) => [subject, place(references[0] ?? subject, ...references)] as const);
    const standIns = Object.entries(entries).flatMap(([subject, [other]]) => (other in entries ? [] : [[other, standIn(subject, ...(entries[subject]?.[1] ?? []))] as const]));
    return new Map([...standIns, ...own]);
  });
  const requirement = fc.record({ approvers: fc.constant<string[]>(['group:x', 'group:y']), quorum: fc.integer({ min: 1, max: 3 }), min_per_group: fc.integer({ min: 0, max: 1 }) });
  fc.assert(
    fc.property(fc.array(fc.tuple(requirement, eligible), { minLength: 1, maxLength: 2 }), fc.subarray([...names]), (asked, voters) => {
      const [requirements, found] = [asked.map(([each]) => each), asked.map(([, each]) => each)];
      expect(enough(requirements, found, yes(...voters))).toBe(byTrying(requirements, found, voters));
    }),
    { numRuns: Number(process.env['FAST_CHECK_RUNS'] ?? 2000) },
  );
});

/** Each seat gets another voter, acting for somebody whom no other seat has. */
function byTrying(requirements: readonly Requirement[], eligible: readonly Eligible[], voters: readonly string[]): boolean {
  const seats = requirements.flatMap(({ approvers, quorum, min_per_group = 0 }, index) => {
    const kept = approvers.flatMap((group) => Array.from({ length: min_per_group }, () => ({ index, group })));
    return [...kept, ...Array.from({ length: Math.max(0, quorum - kept.length) }, () => ({ index, group: undefined }))];
  });
  const actsFor = new Map(voters.map((voter) => [voter, new Set(eligible.flatMap((each) => { const found = each.get(voter); return found === undefined ? [] : (found.stands_in_for ?? [voter]); }))]));
  const fill = (left: typeof seats, usedVoters: ReadonlySet<string>, usedFor: ReadonlySet<string>): boolean => {
    const [seat, ...others] = left;
    if (seat === undefined) return true;
    return voters.some((voter) => !usedVoters.has(voter) && [...(actsFor.get(voter) ?? [])].some((authority) => {
      const standing = eligible[seat.index]?.get(authority);
      const may = standing !== undefined && standing.stands_in_for === undefined && (seat.group === undefined || standing.references.includes(seat.group));
      return may && !usedFor.has(authority) && fill(others, new Set([...usedVoters, voter]), new Set([...usedFor, authority]));
    }));
  };
  return fill(seats, new Set(), new Set());
}
