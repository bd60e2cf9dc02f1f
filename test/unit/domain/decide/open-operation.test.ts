import { describe, expect, test } from 'vitest';
import { CLOSED_HISTORIES, HISTORIES, OPEN_HISTORIES } from '../../../support/domain-histories.ts';
import { tellStories, type StoryRow } from '../../../support/domain-stories.ts';
import { ALLOWING, ARGUMENTS_HASH, asking, at, DENYING, instant, OPERATION_ID, POLICY_REVISION, propose, REFUND, REQUESTER, tell, UNMANAGED, type Policy } from '../../../support/operation-builder.ts';

const refused = (reason: 'policy_denied' | 'nobody_can_approve'): StoryRow['then'] => ({ appends: 'approval.refused', with: { reason }, then: 'refused' });
const requested = (requirements: readonly object[]): StoryRow['then'] => ({ appends: 'approval.requested', with: { requirements, expires_at: instant(3600) }, then: 'pending' });

describe('a call that is proposed', () => {
  tellStories([
    {
      tells: 'is granted at once where policy allows it, naming the policy and its revision (I-11)',
      when: at(0, propose({ policy: ALLOWING })),
      then: { appends: 'approval.auto_granted', with: { policy: { policy_id: 'harmless.v1', policy_revision: POLICY_REVISION, matched_rules: ['org:acme/harmless.v1'], agent_mode: 'autonomous' }, use_by: instant(900) }, then: 'granted' },
    },
    { tells: 'waits for the people of its tool where policy asks', when: at(0, propose()), then: requested([{ approvers: ['user:ana', 'user:ben'], quorum: 1 }]) },
    { tells: 'asks for a quorum', when: at(0, propose({ policy: asking(['group:finance'], 3) })), then: requested([{ approvers: ['group:finance'], quorum: 3 }]) },
    {
      tells: 'keeps two requirements apart',
      when: at(0, propose({ requirements: [{ approvers: ['user:ana'], quorum: 1 }, { approvers: ['group:audit'], quorum: 1 }] })),
      then: requested([{ approvers: ['user:ana'], quorum: 1 }, { approvers: ['group:audit'], quorum: 1 }]),
    },
    { tells: 'waits for an answer where nothing would run', when: at(0, propose({ tool: UNMANAGED })), then: { appends: 'approval.requested', with: { run: { managed: false } }, then: 'pending' } },
    { tells: 'is refused where policy denies it', when: at(0, propose({ policy: DENYING })), then: refused('policy_denied') },
    {
      tells: 'is refused where its tool is not registered, since there is nobody to ask',
      when: at(0, propose({ unknown_tool: 'wipe_disk', policy: {} })),
      then: { appends: 'approval.refused', with: { reason: 'nobody_can_approve', operation: { tool: 'wipe_disk', tool_version: 'unregistered' }, risk: { level: 'high' }, policy: { policy_id: 'unlisted.v1' } }, then: 'refused' },
    },
  ]);
});

describe('what was cut of a call', () => {
  const long = { note: 'long '.repeat(4000) };
  const low = { ...REFUND, risk: { level: 'low' as const, reasons: [] } };
  const risky: Policy = { rules: [{ id: 'ask', target: '*', effect: 'ask', approvers: ['user:ana'], timeout_seconds: 3600, risk: { level: 'critical' } }] };
  const cut = (full_view_required: boolean): StoryRow['then'] => ({ appends: 'approval.requested', with: { redaction: { truncated: true, full_view_required } }, then: 'pending' });
  tellStories([
    { tells: 'must be read in full where its tool is of high risk', when: at(0, propose({ arguments: long })), then: cut(true) },
    { tells: 'must be read in full where policy says that it is of high risk', when: at(0, propose({ tool: low, policy: risky, arguments: long })), then: cut(true) },
    { tells: 'need not be read in full at low risk', when: at(0, propose({ tool: low, arguments: long })), then: cut(false) },
  ]);
});

describe('a call that nobody could approve is refused, never left to wait or let through', () => {
  const nobody: readonly [string, StoryRow['when']][] = [
    ['the agent\u2019s owner is the only approver', at(0, propose({ policy: asking(['user:olga']) }))],
    ['the person that it acts for is the only approver', at(0, propose({ policy: asking(['user:zoe']) }))],
    ['the requester is the only approver', at(0, propose({ policy: asking(['user:ana']), requester: { subject: 'user:ana' } }))],
    ['every member of its group is in the requester set', at(0, propose({ policy: asking(['group:home']), directory: { 'group:home': ['user:olga', 'user:zoe'] } }))],
    ['its group is empty', at(0, propose({ policy: asking(['group:empty']) }))],
    ['its group is gone', at(0, propose({ policy: asking(['group:gone']) }))],
    ['fewer people than the quorum are left without the requester set', at(0, propose({ policy: asking(['user:ana', 'user:olga'], 2) }))],
    ['one person is named twice, by name and by group, and two are needed', at(0, propose({ policy: asking(['user:ian', 'group:audit'], 2) }))],
    ['a second requirement has nobody', at(0, propose({ requirements: [{ approvers: ['user:ana'], quorum: 1 }, { approvers: ['group:empty'], quorum: 1 }] }))],
    ['there is no requirement at all', at(0, propose({ requirements: [] }))],
    ['a requirement names nobody', at(0, propose({ requirements: [{ approvers: [], quorum: 1 }] }))],
    ['the approver reference has a form that nobody knows', at(0, propose({ requirements: [{ approvers: ['team:core#lead', 'ana'], quorum: 1 }] }))],
  ];
  tellStories(nobody.map(([tells, when]) => ({ tells, when, then: refused('nobody_can_approve') })));
});

describe('the same call proposed again', () => {
  tellStories(
    [...OPEN_HISTORIES, ...CLOSED_HISTORIES].map((name) => ({
      tells: `leaves an operation that is ${name} as it is`,
      given: HISTORIES[name].steps,
      when: at(4000, propose()),
      then: 'nothing changes' as const,
    })),
  );
});

test('the first event holds all that the decision will be about', async () => {
  const { operation, sealed } = await tell([at(0, propose({ reason: 'the customer asked', call_id: 'call-7' }))]);

  expect(sealed[0]?.event.data).toMatchObject({
    sequence: 1,
    requester: REQUESTER,
    call_id: 'call-7',
    reason_claimed: 'the customer asked',
    operation: { id: OPERATION_ID, type: 'tool_call', tool: REFUND.name, tool_version: REFUND.version, arguments_hash: ARGUMENTS_HASH },
    run: { managed: true, timeout_seconds: 60, use_within_seconds: 900 },
  });
  expect(operation).toMatchObject({ status: 'pending', expires_at: instant(3600), votes: [], opening: { asked: ['user:ana', 'user:ben'], decide_by: instant(3600), requested_at: instant(0) } });
});

test('says of each approver that stands for nobody why it does (127, 137)', async () => {
  const gone = { 'group:empty': [], 'group:own': ['user:olga'] };
  const ruling = await propose({ requirements: [{ approvers: ['group:empty', 'team:core#lead'], quorum: 1 }, { approvers: ['group:own'], quorum: 1 }], directory: gone })(undefined, instant(0));
  expect(ruling).toMatchObject({ kind: 'append', event: { type: 'approval.refused', data: { reason: 'nobody_can_approve', nobody: [{ approver: 'group:empty', because: 'empty' }, { approver: 'team:core#lead', because: 'unresolvable' }, { approver: 'group:own', because: 'own_operation' }] } } });
});

test('says nothing of the kind where there are approvers, and too few', async () => {
  const ruling = await propose({ requirements: [{ approvers: ['user:ana'], quorum: 2 }] })(undefined, instant(0));
  expect(ruling.kind === 'append' ? ruling.event.data : ruling).not.toHaveProperty('nobody');
});
