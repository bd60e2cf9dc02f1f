import { describe, expect, test } from 'vitest';
import { argumentsHash } from '../../../../lambdas/domain/binding.ts';
import { decideVote } from '../../../../lambdas/domain/decide/cast-vote.ts';
import { canonicalJson } from '../../../../lambdas/domain/json/canonical-json.ts';
import { HISTORIES } from '../../../support/domain-histories.ts';
import { tellStories, type StoryRow } from '../../../support/domain-stories.ts';
import { actor, approve, ARGUMENTS_HASH, asking, askingWith, at, claim, deny, DIRECTORY, instant, OTHER_HASH, propose, report, COMPLETED, tell, UNMANAGED, wait, cancel, type Directory } from '../../../support/operation-builder.ts';

const ASKED = [at(0, propose())];
const TWO_OF_FINANCE = [at(0, propose({ policy: asking(['group:finance'], 2) }))];
const ANA_AND_AUDIT = [at(0, propose({ requirements: [{ approvers: ['user:ana'], quorum: 1 }, { approvers: ['group:audit'], quorum: 1 }] }))];
const finance = (...members: string[]): Directory => ({ ...DIRECTORY, 'group:finance': members });
const no = (code: Exclude<StoryRow['then'], string>['refuses'] & string): StoryRow['then'] => ({ refuses: code });
const denied = (reason: 'denied_by_approver' | 'arguments_hash_mismatch', refuses?: 'arguments_changed'): StoryRow['then'] => ({
  appends: 'approval.denied',
  with: { reason },
  then: 'denied',
  ...(refuses === undefined ? {} : { refuses }),
});

describe('an approval', () => {
  tellStories([
    {
      tells: 'by one of those who were asked grants the call, for a while',
      given: ASKED,
      when: at(60, approve('user:ana', { comment: 'fine by me', channel: 'api' })),
      then: {
        appends: 'approval.granted',
        with: { actor: actor('user:ana'), use_by: instant(960), votes: [{ subject: 'user:ana', via: 'user:ana', decision: 'approve', channel: 'api', view: 'short', comment: 'fine by me', voted_at: instant(60) }] },
        then: 'granted',
      },
    },
    {
      tells: 'by a member of a group names the group that let it count',
      given: [at(0, propose({ policy: asking(['group:finance']) }))],
      when: at(60, approve('user:fay')),
      then: { appends: 'approval.granted', with: { votes: [{ subject: 'user:fay', via: 'group:finance' }], directory_revisions: { 'group:finance': 1, 'user:fay': 1 } }, then: 'granted' },
    },
    {
      tells: 'of an operation that nothing runs is the answer itself',
      given: [at(0, propose({ tool: UNMANAGED }))],
      when: at(60, approve('user:ana')),
      then: { appends: 'approval.answered', with: { votes: [{ subject: 'user:ana' }] }, then: 'answered' },
    },
    {
      tells: 'that does not decide yet says what it was read from, and by which policy',
      given: TWO_OF_FINANCE,
      when: at(30, approve('user:ana', { policy_now: { denies: false, requirements: [], revision: 'org:acme@8' } })),
      then: { appends: 'approval.voted', with: { directory_revisions: { 'group:finance': 1, 'user:ana': 1 }, policy_revision: 'org:acme@8' }, then: 'pending' },
    },
    {
      tells: 'that decides says so of every vote that counts',
      given: [...TWO_OF_FINANCE, at(30, approve('user:ana'))],
      when: at(60, approve('user:ben', { policy_now: { denies: false, requirements: [], revision: 'org:acme@9' } })),
      then: { appends: 'approval.granted', with: { directory_revisions: { 'group:finance': 1, 'user:ana': 1, 'user:ben': 1 }, policy_revision: 'org:acme@9' }, then: 'granted' },
    },
    { tells: 'is in time until the last millisecond', given: ASKED, when: at(3599.999, approve('user:ana')), then: { appends: 'approval.granted', then: 'granted' } },
    { tells: 'is refused at the very deadline, though no timer has fired (152)', given: ASKED, when: at(3600, approve('user:ana')), then: no('operation_expired') },
    { tells: 'is refused after the deadline', given: ASKED, when: at(3601, approve('user:ana')), then: no('operation_expired') },
  ]);
});

describe('an approval of what the short view could not show', () => {
  const cut = [at(0, propose({ arguments: { note: 'long '.repeat(4000) } }))];
  const hash = argumentsHash(canonicalJson({ note: 'long '.repeat(4000) }));
  tellStories([
    { tells: 'is refused from the short view', given: cut, when: at(60, approve('user:ana', { hash })), then: no('full_view_required') },
    { tells: 'is taken from the full view, and says so', given: cut, when: at(60, approve('user:ana', { hash, view: 'full' })), then: { appends: 'approval.granted', with: { votes: [{ view: 'full' }] }, then: 'granted' } },
    { tells: 'needs nothing for a no', given: cut, when: at(60, deny('user:ana', { hash })), then: denied('denied_by_approver') },
    { tells: 'still ends with a wrong hash', given: cut, when: at(60, approve('user:ana')), then: denied('arguments_hash_mismatch', 'arguments_changed') },
    { tells: 'learns nothing of it as a stranger', given: cut, when: at(60, approve('user:mallory', { hash })), then: no('not_an_approver') },
  ]);
});

describe('a quorum of two', () => {
  tellStories([
    {
      tells: 'is not met by the first vote, which is recorded with the progress',
      given: TWO_OF_FINANCE,
      when: at(30, approve('user:ana')),
      then: { appends: 'approval.voted', with: { vote: { subject: 'user:ana', via: 'group:finance' }, progress: [{ approvals: 1, quorum: 2 }] }, then: 'pending' },
    },
    {
      tells: 'is met by the second person',
      given: [...TWO_OF_FINANCE, at(30, approve('user:ana'))],
      when: at(60, approve('user:ben')),
      then: { appends: 'approval.granted', with: { actor: { subject: 'user:ben' }, votes: [{ subject: 'user:ana' }, { subject: 'user:ben' }], use_by: instant(960) }, then: 'granted' },
    },
    { tells: 'is not met by the same person again', given: [...TWO_OF_FINANCE, at(30, approve('user:ana'))], when: at(60, approve('user:ana')), then: 'nothing changes' },
    { tells: 'is not met by the same person on another channel', given: [...TWO_OF_FINANCE, at(30, approve('user:ana'))], when: at(60, approve('user:ana', { channel: 'api' })), then: 'nothing changes' },
    { tells: 'takes no vote back', given: [...TWO_OF_FINANCE, at(30, approve('user:ana'))], when: at(60, deny('user:ana')), then: no('already_decided') },
    {
      tells: 'ends with one person\u2019s deny, whoever approved before',
      given: [...TWO_OF_FINANCE, at(30, approve('user:ana'))],
      when: at(60, deny('user:ben')),
      then: denied('denied_by_approver'),
    },
    {
      tells: 'does not count the vote of somebody who has left the group since (136)',
      given: [...TWO_OF_FINANCE, at(30, approve('user:ana'))],
      when: at(60, approve('user:ben', { directory: finance('user:ben', 'user:fay') })),
      then: { appends: 'approval.voted', with: { progress: [{ approvals: 1, quorum: 2 }] }, then: 'pending' },
    },
    {
      tells: 'is granted on the votes of those who are still there, and names no other',
      given: [...TWO_OF_FINANCE, at(30, approve('user:ana')), at(40, approve('user:ben', { directory: finance('user:ben', 'user:fay') }))],
      when: at(60, approve('user:fay', { directory: finance('user:ben', 'user:fay') })),
      then: { appends: 'approval.granted', with: { votes: [expect.objectContaining({ subject: 'user:ben' }), expect.objectContaining({ subject: 'user:fay' })] }, then: 'granted' },
    },
    {
      tells: 'refuses somebody who has left the group (136)',
      given: TWO_OF_FINANCE,
      when: at(30, approve('user:ana', { directory: finance('user:ben') })),
      then: no('not_an_approver'),
    },
    {
      tells: 'counts somebody who has joined the group since',
      given: TWO_OF_FINANCE,
      when: at(30, approve('user:ivo', { directory: finance('user:ivo', 'user:ben') })),
      then: { appends: 'approval.voted', with: { progress: [{ approvals: 1, quorum: 2 }] }, then: 'pending' },
    },
    {
      tells: 'is never lowered, however few people are left',
      given: [...TWO_OF_FINANCE, at(30, approve('user:ana'))],
      when: at(60, approve('user:ben', { directory: finance('user:ben') })),
      then: { appends: 'approval.voted', with: { progress: [{ approvals: 1, quorum: 2 }] }, then: 'pending' },
    },
  ]);
});

describe('two requirements', () => {
  tellStories([
    {
      tells: 'are counted apart',
      given: ANA_AND_AUDIT,
      when: at(30, approve('user:ian')),
      then: { appends: 'approval.voted', with: { progress: [{ approvals: 0, quorum: 1, waiting_for: ['user:ana'] }, { approvals: 1, quorum: 1 }], progress_text: '0 of 1, waiting for user:ana; 1 of 1' }, then: 'pending' },
    },
    {
      tells: 'are met when each has its people, in any order',
      given: [...ANA_AND_AUDIT, at(30, approve('user:ian'))],
      when: at(60, approve('user:ana')),
      then: { appends: 'approval.granted', with: { votes: [{ subject: 'user:ian', via: 'group:audit' }, { subject: 'user:ana', via: 'user:ana' }] }, then: 'granted' },
    },
    {
      tells: 'are not both met by one person whom both name: a vote counts for one of them',
      given: [at(0, propose({ requirements: [{ approvers: ['user:ana'], quorum: 1 }, { approvers: ['group:finance'], quorum: 1 }] }))],
      when: at(30, approve('user:ana')),
      then: { appends: 'approval.voted', with: { progress_text: '1 of 1; 0 of 1, waiting for group:finance' }, then: 'pending' },
    },
    {
      tells: 'are both met by one person whom both name, where one of them shares votes',
      given: [at(0, propose({ requirements: [{ approvers: ['user:ana'], quorum: 1 }, { approvers: ['group:finance'], quorum: 1, share_votes: true }] }))],
      when: at(30, approve('user:ana')),
      then: { appends: 'approval.granted', with: { votes: [{ subject: 'user:ana' }] }, then: 'granted' },
    },
    {
      tells: 'seat a vote where it is needed, whoever voted first',
      given: [at(0, propose({ requirements: [{ approvers: ['group:finance'], quorum: 1 }, { approvers: ['user:ana'], quorum: 1 }] })), at(30, approve('user:ana'))],
      when: at(60, approve('user:ben')),
      then: { appends: 'approval.granted', with: { votes: [{ subject: 'user:ana' }, { subject: 'user:ben' }] }, then: 'granted' },
    },
    {
      tells: 'are not met while the one with a quorum lacks a person',
      given: [at(0, propose({ requirements: [{ approvers: ['user:ana'], quorum: 1 }, { approvers: ['group:finance'], quorum: 2 }] }))],
      when: at(30, approve('user:ana')),
      then: { appends: 'approval.voted', with: { progress: [{ approvals: 1, quorum: 1 }, { approvals: 0, quorum: 2 }] }, then: 'pending' },
    },
    { tells: 'end with the deny of anyone of them', given: [...ANA_AND_AUDIT, at(30, approve('user:ana'))], when: at(60, deny('user:ian')), then: denied('denied_by_approver') },
  ]);
});

describe('a policy that became stricter since', () => {
  const audit = [{ approvers: ['group:audit'], quorum: 1 }];
  const own = { approvers: ['user:ana', 'user:ben'], quorum: 1 };
  const stricter = { denies: false, requirements: audit };
  const tightened = [...ASKED, at(30, approve('user:ana', { policy_now: stricter }))];
  tellStories([
    {
      tells: 'adds its requirement to the operation\u2019s own, and says so',
      given: ASKED,
      when: at(30, approve('user:ana', { policy_now: stricter })),
      then: { appends: 'approval.voted', with: { requirements: [...audit, own], progress: [{ approvals: 0, quorum: 1 }, { approvals: 1, quorum: 1 }] }, then: 'pending' },
    },
    { tells: 'lets those whom it asks approve too', given: ASKED, when: at(30, approve('user:ian', { policy_now: stricter })), then: { appends: 'approval.voted', with: { vote: { via: 'group:audit' }, progress: [{ approvals: 1, quorum: 1 }, { approvals: 0, quorum: 1 }] }, then: 'pending' } },
    { tells: 'is met when everyone has agreed', given: tightened, when: at(60, approve('user:ian', { policy_now: stricter })), then: { appends: 'approval.granted', with: { votes: [{ subject: 'user:ana' }, { subject: 'user:ian' }] }, then: 'granted' } },
    { tells: 'keeps what it added when it is loosened again', given: tightened, when: at(60, approve('user:ben')), then: { appends: 'approval.voted', with: { requirements: [...audit, own], progress: [{ approvals: 0, quorum: 1 }, { approvals: 1, quorum: 1 }] }, then: 'pending' } },
    ...[['user:ana', 'user:ben'], ['user:ben', 'user:ana']].map((approvers): StoryRow => ({
      tells: `adds nothing where the operation asks the same people, as ${approvers.join(' and ')}`,
      given: [at(0, propose({ requirements: [{ approvers, quorum: 2 }] }))],
      when: at(30, approve('user:ana', { policy_now: { denies: false, requirements: [{ approvers: [...approvers].reverse(), quorum: 2 }] } })),
      then: { appends: 'approval.voted', with: { requirements: [{ approvers, quorum: 2 }], progress: [{ approvals: 1, quorum: 2 }] }, then: 'pending' },
    })),
    { tells: 'raises the quorum', given: ASKED, when: at(30, approve('user:ana', { policy_now: { denies: false, requirements: [{ ...own, quorum: 2 }] } })), then: { appends: 'approval.voted', with: { requirements: [{ ...own, quorum: 2 }], progress: [{ approvals: 1, quorum: 2 }] }, then: 'pending' } },
    { tells: 'takes nothing away where it asks fewer people now', given: TWO_OF_FINANCE, when: at(30, approve('user:ana', { policy_now: { denies: false, requirements: [{ approvers: ['group:finance'], quorum: 1 }] } })), then: { appends: 'approval.voted', with: { requirements: [{ approvers: ['group:finance'], quorum: 2 }], progress: [{ approvals: 1, quorum: 2 }] }, then: 'pending' } },
    { tells: 'that denies lets nobody approve', given: ASKED, when: at(30, approve('user:ana', { policy_now: { denies: true, requirements: [] } })), then: no('policy_denied') },
    { tells: 'that denies still lets an approver deny', given: ASKED, when: at(30, deny('user:ana', { policy_now: { denies: true, requirements: [] } })), then: denied('denied_by_approver') },
    { tells: 'that denies does not hide a wrong hash', given: ASKED, when: at(30, approve('user:ana', { hash: OTHER_HASH, policy_now: { denies: true, requirements: [] } })), then: denied('arguments_hash_mismatch', 'arguments_changed') },
    { tells: 'that denies tells a stranger nothing', given: ASKED, when: at(30, approve('user:mallory', { policy_now: { denies: true, requirements: [] } })), then: no('not_an_approver') },
  ]);

  test('lets those whom it added see the operation from the first vote on', async () => {
    expect((await tell(tightened)).operation.opening.asked).toEqual(['group:audit', 'user:ana', 'user:ben']);
  });
});

describe('whoever is not asked', () => {
  const everybody = [at(0, propose({ policy: asking(['user:ana', 'user:zoe', 'user:olga', 'group:finance']) }))];
  tellStories([
    { tells: 'cannot approve', given: ASKED, when: at(60, approve('user:mallory')), then: no('not_an_approver') },
    { tells: 'cannot deny', given: ASKED, when: at(60, deny('user:mallory')), then: no('not_an_approver') },
    { tells: 'cannot approve under a name that differs in case', given: ASKED, when: at(60, approve('user:Ana')), then: no('not_an_approver') },
    { tells: 'cannot approve by an empty name (133)', given: ASKED, when: at(60, approve('', { kind: 'user' })), then: no('not_an_approver') },
    { tells: 'cannot approve as the group itself', given: [at(0, propose({ policy: asking(['group:finance']) }))], when: at(60, approve('group:finance')), then: no('not_an_approver') },
    { tells: 'learns nothing of the deadline', given: ASKED, when: at(3601, approve('user:mallory')), then: no('not_an_approver') },
    { tells: 'changes nothing with a wrong hash', given: ASKED, when: at(60, approve('user:mallory', { hash: OTHER_HASH })), then: no('not_an_approver') },
    { tells: 'changes nothing with a deny and a wrong hash', given: ASKED, when: at(60, deny('user:mallory', { hash: OTHER_HASH })), then: no('not_an_approver') },
    { tells: 'is every agent, though an approver list should name it (131)', given: ASKED, when: at(60, approve('user:ana', { kind: 'agent' })), then: no('not_an_approver') },
    { tells: 'is every service', given: ASKED, when: at(60, approve('user:ana', { kind: 'service' })), then: no('not_an_approver') },
    { tells: 'is an agent with a wrong hash, which ends nothing', given: ASKED, when: at(60, approve('user:ana', { kind: 'agent', hash: OTHER_HASH })), then: no('not_an_approver') },
    { tells: 'is the requester', given: everybody, when: at(60, approve('agent:billing-bot')), then: no('own_operation') },
    { tells: 'is the agent\u2019s owner, though policy names it', given: everybody, when: at(60, approve('user:olga')), then: no('own_operation') },
    { tells: 'is the person acted for, though a group holds it', given: everybody, when: at(60, approve('user:zoe')), then: no('own_operation') },
    { tells: 'is the owner with a wrong hash, which ends nothing', given: everybody, when: at(60, approve('user:olga', { hash: OTHER_HASH })), then: no('own_operation') },
    { tells: 'is the owner whom nobody asked, and who denies: it cancels instead', given: ASKED, when: at(60, deny('user:olga')), then: no('not_an_approver') },
  ]);

  test('is an agent, even where a group resolves to it', async () => {
    const { operation } = await tell([at(0, propose({ policy: asking(['group:finance']) }))]);
    const eligible = [new Map([['agent:helper', { via: 'group:finance', references: ['group:finance'], path: [] }]])];

    expect(decideVote(operation, { actor: actor('agent:helper'), arguments_hash: ARGUMENTS_HASH, decision: 'approve', channel: 'api', eligible }, instant(60))).toMatchObject({ kind: 'refuse', refusal: { code: 'not_an_approver' } });
  });

  test('is everybody, when the approvers resolve to nobody (127)', async () => {
    const { operation } = await tell(ASKED);
    const cast = { actor: actor('user:ana'), arguments_hash: ARGUMENTS_HASH, decision: 'approve', channel: 'api' } as const;

    for (const eligible of [[], [new Map()]]) expect(decideVote(operation, { ...cast, eligible }, instant(60))).toMatchObject({ kind: 'refuse', refusal: { code: 'not_an_approver' } });
  });
});

describe('a deny', () => {
  tellStories([
    {
      tells: 'ends it, with the words of whoever said no',
      given: ASKED,
      when: at(60, deny('user:ben', { comment: 'wrong customer' })),
      then: { appends: 'approval.denied', with: { reason: 'denied_by_approver', actor: actor('user:ben'), vote: { subject: 'user:ben', decision: 'deny', comment: 'wrong customer' } }, then: 'denied' },
    },
    { tells: 'may be the owner\u2019s, where it is among those who would be asked (133)', given: [at(0, propose({ policy: asking(['user:ana', 'user:olga']) }))], when: at(60, deny('user:olga')), then: denied('denied_by_approver') },
    { tells: 'may be of the person acted for, through a group', given: TWO_OF_FINANCE, when: at(60, deny('user:zoe')), then: denied('denied_by_approver') },
    { tells: 'says what it was read from', given: TWO_OF_FINANCE, when: at(60, deny('user:ben')), then: { appends: 'approval.denied', with: { directory_revisions: { 'group:finance': 1, 'user:ben': 1 } }, then: 'denied' } },
    { tells: 'needs no quorum', given: TWO_OF_FINANCE, when: at(60, deny('user:ben')), then: denied('denied_by_approver') },
    {
      tells: 'comes too late at the deadline: it is kept as a note, the call expires, and nothing runs (154)',
      given: ASKED,
      when: at(3600, deny('user:ben', { comment: 'not this one' })),
      then: { appends: 'approval.denied_late', with: { actor: actor('user:ben'), comment: 'not this one' }, refuses: 'operation_expired', then: 'pending' },
    },
    { tells: 'that comes too late is noted once a person', given: [...ASKED, at(3600, deny('user:ben'))], when: at(3601, deny('user:ben')), then: no('operation_expired') },
    { tells: 'that comes too late from no approver is not noted', given: ASKED, when: at(3600, deny('user:max')), then: no('not_an_approver') },
    { tells: 'that comes too late with another hash is not noted', given: ASKED, when: at(3600, deny('user:ben', { hash: OTHER_HASH })), then: no('operation_expired') },
  ]);
});

describe('a wrong hash', () => {
  const mismatch = [...ASKED, at(60, approve('user:ana', { hash: OTHER_HASH }))];
  tellStories([
    { tells: 'from an approver ends the operation and is told to be changed', given: ASKED, when: at(60, approve('user:ana', { hash: OTHER_HASH })), then: denied('arguments_hash_mismatch', 'arguments_changed') },
    { tells: 'from an approver who denies ends it under the same name', given: ASKED, when: at(60, deny('user:ana', { hash: OTHER_HASH })), then: denied('arguments_hash_mismatch', 'arguments_changed') },
    { tells: 'ends it even when the first of two votes was right', given: [...TWO_OF_FINANCE, at(30, approve('user:ana'))], when: at(60, approve('user:ben', { hash: OTHER_HASH })), then: denied('arguments_hash_mismatch', 'arguments_changed') },
    { tells: 'is wrong in upper case', given: ASKED, when: at(60, approve('user:ana', { hash: ARGUMENTS_HASH.toUpperCase() })), then: denied('arguments_hash_mismatch', 'arguments_changed') },
    { tells: 'is wrong when it is cut', given: ASKED, when: at(60, approve('user:ana', { hash: ARGUMENTS_HASH.slice(0, -1) })), then: denied('arguments_hash_mismatch', 'arguments_changed') },
    { tells: 'is wrong when it is empty', given: ASKED, when: at(60, approve('user:ana', { hash: '' })), then: denied('arguments_hash_mismatch', 'arguments_changed') },
    { tells: 'after the deadline ends nothing: the call expires', given: ASKED, when: at(3600, approve('user:ana', { hash: OTHER_HASH })), then: no('operation_expired') },
    { tells: 'is final: the right hash comes too late', given: mismatch, when: at(70, approve('user:ana')), then: no('already_decided') },
    { tells: 'is final: another approver comes too late', given: mismatch, when: at(70, approve('user:ben')), then: no('already_decided') },
    { tells: 'is final: the same wrong hash again is no success', given: mismatch, when: at(70, approve('user:ana', { hash: OTHER_HASH })), then: no('already_decided') },
    {
      tells: 'from somebody who has voted already ends the operation too',
      given: [...TWO_OF_FINANCE, at(30, approve('user:ana'))],
      when: at(60, approve('user:ana', { hash: OTHER_HASH })),
      then: denied('arguments_hash_mismatch', 'arguments_changed'),
    },
  ]);
});

describe('a vote after the end', () => {
  const stands = (name: keyof typeof HISTORIES, tells: string, when: StoryRow['when'], then: StoryRow['then']): StoryRow => ({ tells, given: HISTORIES[name].steps, when, then });
  const decided = (status: string): StoryRow['then'] => ({ refuses: 'already_decided', saying: { more: { operation_status: status } } });
  tellStories([
    ...(['granted', 'running', 'running, to be cancelled', 'completed', 'failed', 'unknown', 'answered'] as const).flatMap((name) => [
      stands(name, `repeats the recorded answer while it is ${name}`, at(4000, approve('user:ana')), 'nothing changes'),
      stands(name, `is too late for another approver while it is ${name}`, at(100, approve('user:ben')), decided(HISTORIES[name].status)),
      stands(name, `cannot turn a yes into a no while it is ${name}`, at(100, deny('user:ana')), decided(HISTORIES[name].status)),
      stands(name, `is no repetition with another hash while it is ${name}`, at(100, approve('user:ana', { hash: OTHER_HASH })), decided(HISTORIES[name].status)),
    ]),
    stands('denied', 'repeats the recorded no', at(4000, deny('user:ana')), 'nothing changes'),
    stands('denied', 'cannot turn a no into a yes', at(100, approve('user:ana')), decided('denied')),
    stands('denied', 'of another approver cannot turn a no into a yes', at(100, approve('user:ben')), decided('denied')),
    stands('denied', 'of another approver adds no second no', at(100, deny('user:ben')), decided('denied')),
    stands('expired', 'learns that the time was over', at(3700, approve('user:ana')), no('operation_expired')),
    stands('expired', 'of one who denies is kept as a note, and the call stays expired (154)', at(3601, deny('user:ana')), { appends: 'approval.denied_late', with: { actor: actor('user:ana') }, refuses: 'operation_expired', then: 'expired' }),
    stands('cancelled', 'cannot bring a cancelled call back (160)', at(100, approve('user:ana')), decided('cancelled')),
    stands('cancelled with its execution', 'cannot bring back a call whose execution was stopped (160)', at(100, approve('user:ana')), decided('cancelled')),
    stands('cancelled after the grant', 'of another approver cannot bring a cancelled grant back', at(100, approve('user:ben')), decided('cancelled')),
    stands('voided', 'of another approver cannot renew a lapsed grant', at(1000, approve('user:ben')), decided('voided')),
    stands('refused', 'cannot open what policy refused', at(100, approve('user:ana')), decided('refused')),
    stands('granted by policy', 'has nothing to add to what policy granted', at(100, approve('user:ana')), decided('granted')),
    stands('cancelled after the grant', 'repeats the recorded answer though the grant was cancelled since', at(100, approve('user:ana')), 'nothing changes'),
    stands('voided', 'repeats the recorded answer though the grant lapsed since', at(1000, approve('user:ana')), 'nothing changes'),
    {
      tells: 'repeats the recorded answer though somebody else has denied since',
      given: [...TWO_OF_FINANCE, at(30, approve('user:ana')), at(60, deny('user:ben'))],
      when: at(70, approve('user:ana')),
      then: 'nothing changes',
    },
  ]);
});

test('a decision is the same through everything that follows it (I-3)', async () => {
  const granted = [...ASKED, at(60, approve('user:ana', { comment: 'yes' }))];
  const { operation: first } = await tell(granted);
  const decision = { by: 'user:ana', decided_at: instant(60), comment: 'yes', votes: [expect.objectContaining({ subject: 'user:ana', decision: 'approve' })] };

  expect(first).toMatchObject({ decision });
  for (const steps of [[at(70, claim())], [at(70, claim()), at(80, report(COMPLETED))], [at(70, claim()), at(80, cancel('user:olga'))], [at(70, claim()), at(200, wait())]]) {
    expect((await tell([...granted, ...steps])).operation).toMatchObject({ decision });
  }
});

test('a cancelled grant still tells who had approved it', async () => {
  const { operation } = await tell(HISTORIES['cancelled after the grant'].steps);

  expect(operation).toMatchObject({ status: 'cancelled', decision: { votes: [{ subject: 'user:ana', decision: 'approve' }] } });
});

describe('a requirement that wants more than one no', () => {
  const asked = [at(0, propose({ policy: askingWith({ approvers: ['group:finance'], quorum: 2, veto: 2 }) }))];
  tellStories([
    { tells: 'records the first, and goes on', given: asked, when: at(30, deny('user:ana', { comment: 'too much' })), then: { appends: 'approval.voted', with: { vote: { decision: 'deny', comment: 'too much' }, progress_text: '0 of 2, waiting for group:finance' }, then: 'pending' } },
    { tells: 'ends with the second', given: [...asked, at(30, deny('user:ana'))], when: at(60, deny('user:ben')), then: denied('denied_by_approver') },
    { tells: 'hears the first no once', given: [...asked, at(30, deny('user:ana'))], when: at(60, deny('user:ana')), then: 'nothing changes' },
    { tells: 'does not let the first take it back', given: [...asked, at(30, deny('user:ana'))], when: at(60, approve('user:ana')), then: no('already_decided') },
    { tells: 'does not count somebody who left', given: [...asked, at(30, deny('user:ana'))], when: at(60, deny('user:ben', { directory: finance('user:ben', 'user:fay') })), then: { appends: 'approval.voted', then: 'pending' } },
    { tells: 'still counts who agrees', given: [...asked, at(30, deny('user:ana')), at(40, approve('user:ben'))], when: at(60, approve('user:fay')), then: { appends: 'approval.granted', then: 'granted' } },
    { tells: 'ends at once with a wrong hash', given: asked, when: at(30, deny('user:ana', { hash: OTHER_HASH })), then: denied('arguments_hash_mismatch', 'arguments_changed') },
    { tells: 'ends at once with the no of whoever asked for it (133)', given: asked, when: at(30, deny('user:zoe')), then: denied('denied_by_approver') },
  ]);
});

describe('duties that are not separated, since policy says so', () => {
  const asked = [at(0, propose({ policy: askingWith({ approvers: ['user:ana', 'user:olga', 'user:billing-bot'], separation_of_duties: false }) }))];
  const both = [at(0, propose({ requirements: [{ approvers: ['user:olga', 'user:zoe'], quorum: 1, separation_of_duties: false }, { approvers: ['group:finance'], quorum: 1 }] }))];
  tellStories([
    { tells: 'let the owner approve', given: asked, when: at(30, approve('user:olga')), then: { appends: 'approval.granted', with: { votes: [{ subject: 'user:olga', via: 'user:olga' }] }, then: 'granted' } },
    { tells: 'let no agent approve', given: asked, when: at(30, approve('agent:billing-bot')), then: no('own_operation') },
    { tells: 'are so for that requirement only', given: both, when: at(30, approve('user:zoe')), then: { appends: 'approval.voted', with: { progress_text: '1 of 1; 0 of 1, waiting for group:finance' }, then: 'pending' } },
    { tells: 'are separated again where policy now says so', given: asked, when: at(30, approve('user:olga', { policy_now: { denies: false, requirements: [{ approvers: ['user:ana', 'user:billing-bot', 'user:olga'], quorum: 1 }] } })), then: no('own_operation') },
  ]);
});
