import { describe, expect, test } from 'vitest';
import { dueAt, nextStep } from '../../../../lambdas/domain/decide/settle-operation.ts';
import { isClosed } from '../../../../lambdas/domain/operation.ts';
import { CLOSED_HISTORIES, HISTORIES, history, OPEN_HISTORIES } from '../../../support/domain-histories.ts';
import { tellStories, type StoryRow } from '../../../support/domain-stories.ts';
import { abandon, at, instant, wait } from '../../../support/operation-builder.ts';

const clock = { subject: 'system:clock', kind: 'system' };
const FAR = 100 * 24 * 3600;
/** When each open history ends by itself. */
const DUE = {
  pending: 3600,
  'pending with a vote': 3600,
  'pending and revealed': 3600,
  'pending, and reminded': 3600,
  'pending, and escalated': 3600,
  'pending, with more time': 7200,
  'pending, half the glass broken': 3600,
  granted: 960,
  'granted by policy': 900,
  'granted after a reveal': 960,
  'granted, the glass broken': 690,
  'granted, the broken glass reviewed': 690,
  running: 145,
  'running, to be cancelled': 145,
} as const;
/** What happens by itself before that. */
const BEFORE: Readonly<Partial<Record<keyof typeof DUE, number>>> = { 'pending, and reminded': 2700, 'pending, with more time': 1800 };
const OPEN = Object.keys(DUE) as (keyof typeof DUE)[];

test('every open history has its deadline in this table', () => {
  expect(new Set(OPEN)).toEqual(new Set(OPEN_HISTORIES));
});

describe('time', () => {
  const closes: Record<'pending' | 'granted' | 'running', StoryRow['then']> = {
    pending: { appends: 'approval.expired', with: { actor: clock }, then: 'expired' },
    granted: { appends: 'approval.voided', with: { actor: clock, reason: 'grant_lapsed' }, then: 'voided' },
    running: { appends: 'tool.outcome_unknown', with: { actor: clock, reason: 'run_deadline_passed' }, then: 'unknown' },
  };
  tellStories(
    OPEN.flatMap((name) => [
      { tells: `leaves what is ${name} alone until the last millisecond`, given: HISTORIES[name].steps, when: at((BEFORE[name] ?? DUE[name]) - 0.001, wait()), then: 'nothing changes' as const },
      { tells: `closes what is ${name} at its very deadline`, given: HISTORIES[name].steps, when: at(DUE[name], wait()), then: closes[HISTORIES[name].status] },
      { tells: `closes what is ${name} long after`, given: HISTORIES[name].steps, when: at(FAR, wait()), then: closes[HISTORIES[name].status] },
    ]),
  );
  tellStories(CLOSED_HISTORIES.map((name) => ({ tells: `does nothing more to what is ${name}`, given: HISTORIES[name].steps, when: at(FAR, wait()), then: 'nothing changes' as const })));
});

describe.each(['execution_stopped', 'execution_lost'] as const)('an execution that is gone (%s)', (reason) => {
  const actor = { subject: 'system:state-machine', kind: 'system' };
  const ends: StoryRow['then'] = { appends: 'approval.cancelled', with: { actor, reason }, then: 'cancelled' };
  const unsure: StoryRow['then'] = { appends: 'tool.outcome_unknown', with: { actor, reason }, then: 'unknown' };
  tellStories(OPEN.map((name) => ({ tells: `ends what is ${name}`, given: HISTORIES[name].steps, when: at(140, abandon(reason)), then: HISTORIES[name].status === 'running' ? unsure : ends })));
  tellStories(CLOSED_HISTORIES.map((name) => ({ tells: `leaves what is ${name}`, given: HISTORIES[name].steps, when: at(140, abandon(reason)), then: 'nothing changes' as const })));
});

describe('the next step', () => {
  test.each(OPEN)('of what is %s lasts until its deadline, in whole seconds rounded up and never none', async (name) => {
    const { operation } = await history(name);
    const next = HISTORIES[name].status === 'pending' ? 'await_decision' : 'run_tool';

    expect(isClosed(operation) ? undefined : dueAt(operation)).toBe(instant(BEFORE[name] ?? DUE[name]));
    expect(nextStep(operation, instant(DUE[name] - 30))).toEqual({ next, timeout_seconds: 30 });
    expect(nextStep(operation, instant(DUE[name] - 29.999))).toEqual({ next, timeout_seconds: 30 });
    expect(nextStep(operation, instant(DUE[name] - 0.001))).toEqual({ next, timeout_seconds: 1 });
    expect(nextStep(operation, instant(DUE[name]))).toEqual({ next, timeout_seconds: 1 });
    expect(nextStep(operation, instant(FAR))).toEqual({ next, timeout_seconds: 1 });
  });

  test.each(CLOSED_HISTORIES)('of what is %s is none', async (name) => {
    expect(nextStep((await history(name)).operation, instant(90))).toEqual({ next: 'done', timeout_seconds: 1 });
  });
});
