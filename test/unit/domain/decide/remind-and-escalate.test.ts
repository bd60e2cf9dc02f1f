import { describe, expect, test } from 'vitest';
import { remindersAt } from '../../../../lambdas/domain/decide/remind-and-escalate.ts';
import { dueAt, nextStep } from '../../../../lambdas/domain/decide/settle-operation.ts';
import { isClosed } from '../../../../lambdas/domain/operation.ts';
import { tellStories } from '../../../support/domain-stories.ts';
import { approve, askingWith, at, deny, extend, instant, OPENED_AT, propose, tell, wait, type Step } from '../../../support/operation-builder.ts';

const LEADS = { after_seconds: 1200, approvers: ['group:audit'], quorum: 2 };
const BOARD = { after_seconds: 2400, approvers: ['user:fay'] };
const asked = (ask: Readonly<Record<string, unknown>>): Step[] => [at(0, propose({ policy: askingWith(ask) }))];
const REMINDING = asked({ reminders: [{ fraction: 0.5 }, { after_seconds: 600 }, { fraction: 0.75 }] });
const ESCALATING = asked({ escalation: [LEADS, BOARD] });

describe('a reminder', () => {
  tellStories([
    { tells: 'comes at its moment, and leaves the call as decidable as it was (158)', given: REMINDING, when: at(600, wait()), then: { appends: 'approval.reminded', with: { reminded: [instant(600)], expires_at: instant(3600), requirements: [{ approvers: ['user:ana', 'user:ben'] }] }, then: 'pending' } },
    { tells: 'does not come before', given: REMINDING, when: at(599.999, wait()), then: 'nothing changes' },
    { tells: 'comes once', given: [...REMINDING, at(600, wait())], when: at(1799, wait()), then: 'nothing changes' },
    { tells: 'comes at a fraction of the wait', given: [...REMINDING, at(600, wait())], when: at(1800, wait()), then: { appends: 'approval.reminded', with: { reminded: [instant(1800)] }, then: 'pending' } },
    { tells: 'is one for all that were missed', given: REMINDING, when: at(3000, wait()), then: { appends: 'approval.reminded', with: { reminded: [instant(600), instant(1800), instant(2700)] }, then: 'pending' } },
    { tells: 'that was missed until the end is none: the call expires', given: REMINDING, when: at(3600, wait()), then: { appends: 'approval.expired', then: 'expired' } },
    { tells: 'lets the same call be approved afterwards (158)', given: [...REMINDING, at(600, wait())], when: at(700, approve('user:ana')), then: { appends: 'approval.granted', then: 'granted' } },
    { tells: 'is none for what was decided', given: [...REMINDING, at(60, deny('user:ana'))], when: at(700, wait()), then: 'nothing changes' },
    { tells: 'stays where it was when the time is extended', given: [...asked({ reminders: [{ fraction: 0.5 }], extendable_to_seconds: 7200 }), at(60, extend('user:ana', 7200))], when: at(1800, wait()), then: { appends: 'approval.reminded', with: { reminded: [instant(1800)], expires_at: instant(7200) }, then: 'pending' } },
  ]);

  test('is at so many seconds or that part of the wait, each moment once and never at its end', () => {
    expect(remindersAt([{ fraction: 0.5 }, { after_seconds: 50 }, { after_seconds: 100 }, { after_seconds: 300 }, { fraction: 0.1 }], 100, OPENED_AT)).toEqual([instant(10), instant(50)]);
  });
});

describe('an escalation', () => {
  tellStories([
    {
      tells: 'asks its people too, with its quorum, and takes nobody away',
      given: ESCALATING,
      when: at(1200, wait()),
      then: { appends: 'approval.escalated', with: { escalated: [LEADS], requirements: [{ approvers: ['group:audit', 'user:ana', 'user:ben'], quorum: 2, escalation: [{ ...BOARD, quorum: 1 }], escalated: [LEADS] }], expires_at: instant(3600) }, then: 'pending' },
    },
    { tells: 'does not come before its time', given: ESCALATING, when: at(1199.999, wait()), then: 'nothing changes' },
    { tells: 'comes once', given: [...ESCALATING, at(1200, wait())], when: at(2399, wait()), then: 'nothing changes' },
    { tells: 'comes level by level, and never with a smaller quorum', given: [...ESCALATING, at(1200, wait())], when: at(2400, wait()), then: { appends: 'approval.escalated', with: { escalated: [{ ...BOARD, quorum: 1 }], requirements: [{ approvers: ['group:audit', 'user:ana', 'user:ben', 'user:fay'], quorum: 2 }] }, then: 'pending' } },
    { tells: 'comes with all levels that were missed at once', given: ESCALATING, when: at(3000, wait()), then: { appends: 'approval.escalated', with: { escalated: [LEADS, { ...BOARD, quorum: 1 }] }, then: 'pending' } },
    { tells: 'lets its people decide', given: [...asked({ escalation: [{ ...LEADS, quorum: 1 }] }), at(1200, wait())], when: at(1300, approve('user:ian')), then: { appends: 'approval.granted', with: { votes: [{ subject: 'user:ian', via: 'group:audit' }] }, then: 'granted' } },
    { tells: 'does not let them before', given: ESCALATING, when: at(1100, approve('user:ian')), then: { refuses: 'not_an_approver' } },
    { tells: 'keeps the votes that were cast before', given: [...ESCALATING, at(1200, wait()), at(1300, approve('user:ana'))], when: at(1400, approve('user:ian')), then: { appends: 'approval.granted', with: { votes: [{ subject: 'user:ana' }, { subject: 'user:ian' }] }, then: 'granted' } },
    { tells: 'is what a quorum that can no longer be met waits for; it does not shrink', given: [...asked({ quorum: 2, escalation: [BOARD] }), at(60, approve('user:ana'))], when: at(2400, wait()), then: { appends: 'approval.escalated', with: { requirements: [{ quorum: 2, approvers: ['user:ana', 'user:ben', 'user:fay'] }] }, then: 'pending' } },
    { tells: 'comes before a reminder of the same moment, so that whoever is new is reminded as well', given: asked({ escalation: [LEADS], reminders: [{ after_seconds: 1200 }] }), when: at(1200, wait()), then: { appends: 'approval.escalated', then: 'pending' } },
    { tells: 'leaves the reminder of that moment for the next look', given: [...asked({ escalation: [LEADS], reminders: [{ after_seconds: 1200 }] }), at(1200, wait())], when: at(1200, wait()), then: { appends: 'approval.reminded', then: 'pending' } },
    {
      tells: 'stays agreed when policy is asked again at a vote',
      given: [...asked({ escalation: [{ ...LEADS, quorum: 1 }] }), at(1200, wait())],
      when: at(1300, approve('user:ian', { policy_now: { denies: false, requirements: [{ approvers: ['user:ana', 'user:ben'], quorum: 1, escalation: [{ ...LEADS, quorum: 1 }] }] } })),
      then: { appends: 'approval.granted', then: 'granted' },
    },
    {
      tells: 'that has not come yet adds nothing when policy is asked again',
      given: asked({ quorum: 2, escalation: [LEADS] }),
      when: at(60, approve('user:ana', { policy_now: { denies: false, requirements: [{ approvers: ['user:ana', 'user:ben'], quorum: 2, escalation: [LEADS] }] } })),
      then: { appends: 'approval.voted', with: { requirements: [{ approvers: ['user:ana', 'user:ben'], quorum: 2, escalation: [LEADS] }], progress: [{ approvals: 1, quorum: 2 }] }, then: 'pending' },
    },
    {
      tells: 'is not enough any more where policy took it back since: its people decide beside those who were asked first',
      given: [...asked({ escalation: [{ ...LEADS, quorum: 1 }] }), at(1200, wait())],
      when: at(1300, approve('user:ian', { policy_now: { denies: false, requirements: [{ approvers: ['user:ana', 'user:ben'], quorum: 1 }] } })),
      then: { appends: 'approval.voted', with: { progress_text: '1 of 1; 0 of 1, waiting for user:ana or user:ben' }, then: 'pending' },
    },
  ]);
});

test('the due list looks at the next moment, the state machine waits for the deadline alone: no reminder makes a second task token', async () => {
  const { operation } = await tell(asked({ escalation: [LEADS], reminders: [{ after_seconds: 600 }] }));
  expect(isClosed(operation) ? undefined : dueAt(operation)).toBe(instant(600));
  expect(nextStep(operation, instant(0))).toEqual({ next: 'await_decision', timeout_seconds: 3600 });
});
