import { describe, expect, test } from 'vitest';
import { argumentsHash } from '../../../../lambdas/domain/binding.ts';
import { decideBreakGlass, decideGlassReview } from '../../../../lambdas/domain/decide/break-glass.ts';
import { canonicalJson } from '../../../../lambdas/domain/json/canonical-json.ts';
import { tellStories, type StoryRow } from '../../../support/domain-stories.ts';
import { actor, approve, ARGUMENTS_HASH, askingWith, at, BREAK_GLASS, breakGlass, cancel, claim, COMPLETED, deny, DIRECTORY, instant, OTHER_HASH, propose, report, reviewGlass, tell, UNMANAGED, wait, type Directory } from '../../../support/operation-builder.ts';

const POLICY = askingWith({}, { break_glass: BREAK_GLASS });
const ASKED = [at(0, propose({ policy: POLICY }))];
const HALF = [...ASKED, at(60, breakGlass('user:gil'))];
const BROKEN = [...HALF, at(90, breakGlass('user:hal'))];
const oncall = (...members: string[]): Directory => ({ ...DIRECTORY, 'group:oncall': members });
const no = (code: Exclude<StoryRow['then'], string>['refuses'] & string): StoryRow['then'] => ({ refuses: code });
const asks: StoryRow['then'] = { appends: 'approval.break_glass_asked', then: 'pending' };

describe('breaking the glass', () => {
  tellStories([
    { tells: 'takes two: the first is recorded, with reason and ticket, and changes nothing else', given: ASKED, when: at(60, breakGlass('user:gil')), then: { appends: 'approval.break_glass_asked', with: { actor: actor('user:gil'), by: { subject: 'user:gil', reason: 'payments are down', ticket: 'INC-7', acted_at: instant(60) }, second_person_until: instant(660) }, then: 'pending' } },
    { tells: 'is done by the second, and names both', given: HALF, when: at(90, breakGlass('user:hal')), then: { appends: 'approval.break_glass', with: { severity: 'high', with: { subject: 'user:gil' }, by: { subject: 'user:hal' }, review_by: 'group:audit', use_by: instant(690) }, then: 'granted' } },
    { tells: 'of what nothing runs is the answer', given: [at(0, propose({ policy: POLICY, tool: UNMANAGED })), at(60, breakGlass('user:gil'))], when: at(90, breakGlass('user:hal')), then: { appends: 'approval.break_glass', then: 'answered' } },
    { tells: 'is not done by one person twice', given: HALF, when: at(90, breakGlass('user:gil')), then: 'nothing changes' },
    { tells: 'must be seconded in a short time', given: HALF, when: at(659.999, breakGlass('user:hal')), then: { appends: 'approval.break_glass', then: 'granted' } },
    { tells: 'begins anew when the second comes too late', given: HALF, when: at(660, breakGlass('user:hal')), then: asks },
    { tells: 'begins anew when the first has left the group', given: HALF, when: at(90, breakGlass('user:hal', { directory: oncall('user:hal', 'user:ina') })), then: asks },
    { tells: 'is no longer in time than the call itself', given: [...ASKED, at(3500, breakGlass('user:gil'))], when: at(3600, breakGlass('user:hal')), then: no('operation_expired') },
    { tells: 'is not for a member who asked for the call', given: HALF, when: at(90, breakGlass('user:zoe')), then: no('own_operation') },
    { tells: 'is not for an approver who is no member', given: ASKED, when: at(60, breakGlass('user:ana')), then: no('not_an_approver') },
    { tells: 'is not for a program', given: ASKED, when: at(60, breakGlass('user:gil', { kind: 'service' })), then: no('not_an_approver') },
    { tells: 'is not to be had where policy did not say so when the call was proposed', given: [at(0, propose())], when: at(60, breakGlass('user:gil')), then: no('break_glass_not_allowed') },
    { tells: 'is not to be had where policy says so no more', given: HALF, when: at(90, breakGlass('user:hal', { policy_now: { denies: false } })), then: no('break_glass_not_allowed') },
    { tells: 'is not to be had on other terms than were agreed', given: HALF, when: at(90, breakGlass('user:hal', { policy_now: { denies: false, break_glass: { ...BREAK_GLASS, within_seconds: 3600 } } })), then: no('break_glass_not_allowed') },
    { tells: 'breaks no deny of policy', given: HALF, when: at(90, breakGlass('user:hal', { policy_now: { denies: true, break_glass: BREAK_GLASS } })), then: no('policy_denied') },
    { tells: 'breaks no deny of an approver', given: [...HALF, at(70, deny('user:ana'))], when: at(90, breakGlass('user:hal')), then: no('already_decided') },
    { tells: 'brings nothing back that expired', given: [...HALF, at(3600, wait())], when: at(3601, breakGlass('user:hal')), then: no('operation_expired') },
    { tells: 'brings nothing back that was cancelled', given: [...HALF, at(70, cancel('user:olga'))], when: at(90, breakGlass('user:hal')), then: no('already_decided') },
    { tells: 'with a wrong hash ends the call, as any decision does', given: HALF, when: at(90, breakGlass('user:hal', { hash: OTHER_HASH })), then: { appends: 'approval.denied', with: { reason: 'arguments_hash_mismatch', vote: { subject: 'user:hal', via: 'group:oncall' } }, then: 'denied', refuses: 'arguments_changed' } },
    { tells: 'with a wrong hash from a stranger ends nothing', given: HALF, when: at(90, breakGlass('user:ana', { hash: OTHER_HASH })), then: no('not_an_approver') },
    { tells: 'half done leaves the call to its approvers', given: HALF, when: at(90, approve('user:ana')), then: { appends: 'approval.granted', then: 'granted' } },
    { tells: 'done is told again to whoever did it', given: BROKEN, when: at(100, breakGlass('user:hal')), then: 'nothing changes' },
    { tells: 'done is told to the first as well', given: BROKEN, when: at(100, breakGlass('user:gil')), then: 'nothing changes' },
    { tells: 'does not lift the check at the claim', given: BROKEN, when: at(100, claim({ vault_hash: OTHER_HASH })), then: { appends: 'approval.voided', with: { reason: 'arguments_changed' }, then: 'voided' } },
    { tells: 'gives a grant that soon lapses', given: BROKEN, when: at(690, claim()), then: { appends: 'approval.voided', with: { reason: 'grant_lapsed' }, then: 'voided' } },
  ]);

  const value = { note: 'long '.repeat(4000) };
  const hash = argumentsHash(canonicalJson(value));
  const cut = [at(0, propose({ policy: POLICY, arguments: value }))];
  tellStories([
    { tells: 'needs all of it read, where the short view leaves something out', given: cut, when: at(60, breakGlass('user:gil', { hash })), then: no('full_view_required') },
    { tells: 'is done from the full view', given: cut, when: at(60, breakGlass('user:gil', { hash, view: 'full' })), then: asks },
  ]);
});

describe('the review of a broken glass', () => {
  const ended = [...BROKEN, at(100, claim()), at(105, report(COMPLETED))];
  tellStories([
    { tells: 'is closed by one of the group that is named, also long after the end', given: ended, when: at(90_000, reviewGlass('user:ian')), then: { appends: 'approval.break_glass_reviewed', with: { actor: actor('user:ian'), comment: 'looked at' }, then: 'completed' } },
    { tells: 'is closed while it has not run yet, too', given: BROKEN, when: at(100, reviewGlass('user:ian')), then: { appends: 'approval.break_glass_reviewed', then: 'granted' } },
    { tells: 'is closed once', given: [...BROKEN, at(100, reviewGlass('user:ian'))], when: at(110, reviewGlass('user:ian')), then: 'nothing changes' },
    { tells: 'is not closed a second time by another', given: [...BROKEN, at(100, reviewGlass('user:ian'))], when: at(110, reviewGlass('user:ida', { directory: { ...DIRECTORY, 'group:audit': ['user:ian', 'user:ida'] } })), then: no('nothing_to_review') },
    { tells: 'is not for those who broke it', given: BROKEN, when: at(100, reviewGlass('user:gil', { directory: { ...DIRECTORY, 'group:audit': ['user:gil'] } })), then: no('own_operation') },
    { tells: 'is not for whoever asked for the call', given: BROKEN, when: at(100, reviewGlass('user:olga', { directory: { ...DIRECTORY, 'group:audit': ['user:olga'] } })), then: no('own_operation') },
    { tells: 'is not for others', given: BROKEN, when: at(100, reviewGlass('user:ana')), then: no('not_an_approver') },
    { tells: 'is not for a program', given: BROKEN, when: at(100, reviewGlass('user:ian', { kind: 'agent' })), then: no('not_an_approver') },
    { tells: 'is none where nobody broke it', given: [...HALF, at(70, approve('user:ana'))], when: at(100, reviewGlass('user:ian')), then: no('nothing_to_review') },
  ]);
});

test('whoever only stands in for a member is none, neither to break the glass nor to review it', async () => {
  const { operation } = await tell(HALF);
  const members = new Map([['user:gil', { via: 'group:oncall', references: ['group:oncall'], path: [] }], ['user:sam', { via: 'user:gil', references: ['group:oncall'], path: [] }]]);
  const wish = { arguments_hash: ARGUMENTS_HASH, channel: 'api', reason: 'r', ticket: 't', members, policy_now: { denies: false, break_glass: BREAK_GLASS } } as const;
  expect(decideBreakGlass(operation, { ...wish, actor: actor('user:sam') }, instant(90))).toMatchObject({ kind: 'refuse', refusal: { code: 'not_an_approver' } });
  const broken = (await tell(BROKEN)).operation;
  expect(decideGlassReview(broken, { actor: actor('user:sam'), channel: 'api', comment: 'c', reviewers: members })).toMatchObject({ kind: 'refuse', refusal: { code: 'not_an_approver' } });
});
