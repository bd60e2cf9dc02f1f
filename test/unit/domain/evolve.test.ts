import { describe, expect, test } from 'vitest';
import { evolve, fold } from '../../../lambdas/domain/evolve.ts';
import { EVENT_TYPES, type EventType, type OperationEvent } from '../../../lambdas/domain/events.ts';
import { Fault } from '../../../lambdas/domain/faults.ts';
import { isClosed, type Operation, type Status } from '../../../lambdas/domain/operation.ts';
import { HISTORIES, HISTORY_NAMES, history, type HistoryName } from '../../support/domain-histories.ts';
import { at, approve, asking, COMPLETED, instant, LOST, propose, report, tell } from '../../support/operation-builder.ts';

const WAITING = ['pending', 'pending with a vote', 'pending and revealed', 'pending, and reminded', 'pending, and escalated', 'pending, with more time', 'pending, half the glass broken'] as const;
const BROKEN = ['granted, the glass broken', 'completed, the glass broken'] as const;
const GRANTED = ['granted', 'granted by policy', 'granted after a reveal', 'granted, the glass broken', 'granted, the broken glass reviewed'] as const;
/** The status stays what it was. */
const FOLLOWED = 'as before';
/** The table of DESIGN 5: from where each event may come, and where it leads. `nothing` is before event 1. */
const FOLLOWS: Record<EventType, { readonly from: readonly (HistoryName | 'nothing')[]; readonly to: Status | typeof FOLLOWED }> = {
  'approval.requested': { from: ['nothing'], to: 'pending' },
  'approval.auto_granted': { from: ['nothing'], to: 'granted' },
  'approval.refused': { from: ['nothing'], to: 'refused' },
  'approval.arguments_revealed': { from: WAITING, to: 'pending' },
  'approval.voted': { from: WAITING, to: 'pending' },
  'approval.reminded': { from: WAITING, to: 'pending' },
  'approval.escalated': { from: WAITING, to: 'pending' },
  'approval.extended': { from: WAITING, to: 'pending' },
  'approval.break_glass_asked': { from: WAITING, to: 'pending' },
  'approval.break_glass': { from: WAITING, to: 'granted' },
  'approval.break_glass_reviewed': { from: BROKEN, to: FOLLOWED },
  'approval.granted': { from: WAITING, to: 'granted' },
  'approval.answered': { from: WAITING, to: 'answered' },
  'approval.denied': { from: WAITING, to: 'denied' },
  'approval.denied_late': { from: [...WAITING, 'expired', 'expired, and denied late'], to: FOLLOWED },
  'approval.expired': { from: WAITING, to: 'expired' },
  'approval.cancelled': { from: [...WAITING, ...GRANTED], to: 'cancelled' },
  'approval.voided': { from: GRANTED, to: 'voided' },
  'tool.started': { from: GRANTED, to: 'running' },
  'tool.completed': { from: ['running'], to: 'completed' },
  'tool.failed': { from: ['running'], to: 'failed' },
  'tool.review_requested': { from: ['completed', 'completed, to be reviewed', 'completed, the glass broken', 'failed'], to: FOLLOWED },
  'tool.cancel_requested': { from: ['running', 'running, to be cancelled'], to: 'running' },
  'tool.outcome_unknown': { from: ['running', 'running, to be cancelled'], to: 'unknown' },
  'tool.outcome_observed': { from: ['running, to be cancelled', 'unknown', 'unknown after a late result'], to: 'unknown' },
};

const PLACES = ['nothing', ...HISTORY_NAMES] as const;
const stories = new Map(await Promise.all(HISTORY_NAMES.map(async (name) => [name, await history(name)] as const)));
const samples = new Map([...stories.values()].flatMap(({ sealed }) => sealed.map(({ event }) => [event.type, event] as const)));

const pairs = EVENT_TYPES.flatMap((type) => PLACES.map((place) => ({ type, place, tells: `${type} after ${place}` })));
const folds = pairs.filter(({ type, place }) => FOLLOWS[type].from.includes(place));
const corrupt = pairs.filter(({ type, place }) => !FOLLOWS[type].from.includes(place));

function standing(place: HistoryName | 'nothing'): Operation | undefined {
  return place === 'nothing' ? undefined : stories.get(place)?.operation;
}

function sample(type: EventType): OperationEvent {
  const event = samples.get(type);
  if (event === undefined) throw new Error(`no history holds a ${type}`);
  return event;
}

test('the histories hold an event of every type, and every status', () => {
  expect([...samples.keys()].sort()).toEqual([...EVENT_TYPES].sort());
  expect(new Set(HISTORY_NAMES.map((name) => HISTORIES[name].status)).size).toBe(12);
  for (const name of HISTORY_NAMES) expect(standing(name)?.status).toBe(HISTORIES[name].status);
});

describe('an event that may follow', () => {
  test.each(folds)('$tells is folded', ({ type, place }) => {
    const before = freeze(standing(place));
    const event = freeze(sample(type));
    const after = evolve(before, event);

    expect(after).toMatchObject({ status: FOLLOWS[type].to === FOLLOWED ? before?.status : FOLLOWS[type].to, changed_at: event.time, last_event_id: event.id, tail: { sequence: event.data.sequence, hash: event.data.hash } });
    if (before !== undefined) expect({ ...after.opening, asked: [] }).toEqual({ ...before.opening, asked: [] });
  });
});

describe('an event that no writer of ours could have appended is a corrupt record', () => {
  test.each(corrupt)('$tells', ({ type, place }) => {
    expect(() => evolve(standing(place), sample(type))).toThrow(expect.objectContaining({ name: 'CorruptRecord', retryable: false }));
  });

  test('and says which event, after what, and no value', () => {
    const event = sample('tool.started');

    expect(() => evolve(standing('denied'), event)).toThrow(new Fault('CorruptRecord', `${event.id} tool.started cannot follow denied`));
    expect(() => evolve(undefined, event)).toThrow(new Fault('CorruptRecord', `${event.id} tool.started cannot follow nothing`));
  });
});

describe('what is left after an operation closed', () => {
  test.each(HISTORY_NAMES)('%s: only what exists then', (name) => {
    const { operation, sealed } = stories.get(name) ?? expect.fail();
    const kept = { pending: ['requirements', 'expires_at', 'votes', 'reminders', 'extensions'], granted: ['use_by', 'decision'], running: ['decision', 'run'], completed: ['decision', 'run', 'result_hash', 'review_requested'], failed: ['decision', 'run', 'result_hash', 'error', 'review_requested'], unknown: ['decision', 'run', 'reason', 'observations'] };
    const particular: readonly string[] = HISTORIES[name].status in kept ? kept[HISTORIES[name].status as keyof typeof kept] : ['decision'];
    const had = (type: EventType, field: string): readonly string[] => (sealed.some(({ event }) => event.type === type) ? [field] : []);
    const shown = [...had('approval.arguments_revealed', 'reveals'), ...had('approval.denied_late', 'denied_late'), ...had('approval.break_glass', 'broken_glass'), ...(operation.status === 'pending' ? [...had('approval.break_glass_asked', 'glass'), ...(name.startsWith('pending, and') || name.endsWith('more time') ? ['extendable_until'] : [])] : [])];

    expect(Object.keys(operation).sort()).toEqual(['operation_id', 'opening', 'tail', 'changed_at', 'last_event_id', 'status', ...particular, ...shown].sort());
  });

  test.each(HISTORY_NAMES)('%s: closed or open as its status says', (name) => {
    const { operation } = stories.get(name) ?? expect.fail();

    expect(isClosed(operation)).toBe(!['pending', 'granted', 'running'].includes(operation.status));
  });
});

describe('who settled it and why', () => {
  const decisions: readonly [HistoryName, object][] = [
    ['granted', { by: 'user:ana', decided_at: instant(60), votes: [{ subject: 'user:ana' }] }],
    ['granted by policy', { by: 'harmless.v1', decided_at: instant(0), reason: 'allowed_by_policy', votes: [] }],
    ['refused', { by: 'never.v1', reason: 'policy_denied', votes: [] }],
    ['answered', { by: 'user:ana', votes: [{ subject: 'user:ana' }] }],
    ['denied', { by: 'user:ana', reason: 'denied_by_approver', votes: [{ decision: 'deny' }] }],
    ['denied for a wrong hash', { by: 'user:ana', reason: 'arguments_hash_mismatch', votes: [{ decision: 'approve' }] }],
    ['expired', { by: 'system:clock', reason: 'nobody_decided_in_time', decided_at: instant(3600), votes: [] }],
    ['cancelled', { by: 'user:olga', reason: 'cancelled_on_request' }],
    ['cancelled with its execution', { by: 'system:state-machine', reason: 'execution_stopped' }],
    ['granted, the glass broken', { by: 'user:hal', reason: 'break_glass', comment: 'payments are down', decided_at: instant(90), votes: [] }],
    ['voided', { by: 'system:clock', reason: 'grant_lapsed' }],
    ['completed', { by: 'user:ana', decided_at: instant(60) }],
  ];
  test.each(decisions)('%s', (name, decision) => {
    expect(standing(name)).toMatchObject({ decision });
  });
});

test('the votes of a quorum add up', async () => {
  const asked = at(0, propose({ policy: asking(['group:finance'], 3) }));
  const { operation } = await tell([asked, at(10, approve('user:ana', { comment: 'ok' })), at(20, approve('user:ben'))]);

  expect(operation).toMatchObject({ status: 'pending', votes: [{ subject: 'user:ana', comment: 'ok' }, { subject: 'user:ben' }], changed_at: instant(20), opening: { requested_at: instant(0) } });
});

test('what came of the time that an approver was given', () => {
  expect(standing('pending, and reminded')).toMatchObject({ reminders: [], expires_at: instant(3600), extendable_until: instant(7200) });
  expect(standing('pending, and escalated')).toMatchObject({ requirements: [{ approvers: ['group:finance', 'user:ana', 'user:ben'], quorum: 1, escalated: [{ approvers: ['group:finance'] }] }], opening: { asked: ['group:finance', 'user:ana', 'user:ben'] } });
  expect(standing('pending, with more time')).toMatchObject({ expires_at: instant(7200), extensions: 1, reminders: [instant(1800)] });
});

test('who broke the glass is told through everything that follows, and who looked at it', () => {
  const broken_glass = { by: [{ subject: 'user:gil', reason: 'payments are down', ticket: 'INC-7', acted_at: instant(60) }, { subject: 'user:hal', acted_at: instant(90) }], review_by: 'group:audit' };

  expect(standing('pending, half the glass broken')).toMatchObject({ glass: { by: { subject: 'user:gil' }, second_person_until: instant(660) } });
  expect(standing('granted, the glass broken')).toMatchObject({ use_by: instant(690), broken_glass });
  expect(standing('completed, the glass broken')).toMatchObject({ broken_glass });
  expect(standing('granted, the broken glass reviewed')).toMatchObject({ broken_glass: { ...broken_glass, reviewed: { by: 'user:ian', comment: 'looked at', reviewed_at: instant(120) } } });
});

test('who was shown the exact arguments is told through everything that follows', () => {
  const reveals = [{ subject: 'user:ana', channel: 'page', revealed_at: instant(30) }];

  expect(standing('pending and revealed')).toMatchObject({ status: 'pending', reveals });
  expect(standing('granted after a reveal')).toMatchObject({ status: 'granted', reveals });
});

test('a late result is evidence of a run that stays unknown, for the reason it was unknown before', async () => {
  const { operation } = await tell([...HISTORIES.running.steps, at(75, report(LOST)), at(90, report(COMPLETED))]);

  expect(operation).toMatchObject({ status: 'unknown', reason: 'invoke_timed_out', observations: [{ observed: 'completed', result_hash: COMPLETED.result_hash }] });
  expect(standing('unknown after a late result')).toMatchObject({ status: 'unknown', reason: 'cancel_requested' });
});

test('a log is folded from its first event on, and no event is nothing', () => {
  expect(fold([])).toBeUndefined();
  for (const { sealed, operation } of stories.values()) expect(fold(sealed.map(({ event }) => event))).toEqual(operation);
});

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) for (const each of Object.values(Object.freeze(value))) freeze(each);
  return value;
}
