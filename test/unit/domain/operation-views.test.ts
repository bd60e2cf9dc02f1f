import { describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../../lambdas/domain/binding.ts';
import { decidableEntries, inboxEntrySchema, operationSummarySchema, operationViews, STATUSES, type InboxEntry } from '../../../lambdas/domain/operation-views.ts';
import { CLOSED_HISTORIES, HISTORIES, HISTORY_NAMES, history } from '../../support/domain-histories.ts';
import { ARGUMENTS_HASH, approve, asking, at, instant, OPERATION_ID, propose, REFUND, REQUESTER, tell } from '../../support/operation-builder.ts';

describe('the inbox', () => {
  test('holds a row for everyone who is asked, saying what they need to choose it', async () => {
    const { operation } = await history('pending');
    const views = operationViews(operation);

    expect(views).toEqual({
      workspace_id: 'w1',
      operation_id: OPERATION_ID,
      sequence: 1,
      inboxes: ['user:ana', 'user:ben'],
      requested_at: instant(0),
      due_at: instant(3600),
      summary: {
        operation_id: OPERATION_ID,
        status: 'pending',
        tool: 'refund_payment',
        summary: operation.opening.operation.summary,
        risk: REFUND.risk,
        requester: REQUESTER,
        workspace_id: 'w1',
        requested_at: instant(0),
        changed_at: instant(0),
        arguments_hash: ARGUMENTS_HASH,
        fingerprint: fingerprintOf(operation.opening.operation.binding_hash),
      },
      entry: {
        operation_id: OPERATION_ID,
        tool: 'refund_payment',
        summary: operation.opening.operation.summary,
        arguments_hash: ARGUMENTS_HASH,
        binding_hash: operation.opening.operation.binding_hash,
        risk: REFUND.risk,
        requester: REQUESTER,
        workspace_id: 'w1',
        requested_at: instant(0),
        expires_at: instant(3600),
      },
    });
    expect(inboxEntrySchema.parse(views.entry)).toEqual(views.entry);
  });

  test('holds one row for whoever two requirements name', async () => {
    const { operation } = await tell([at(0, propose({ requirements: [{ approvers: ['user:ana', 'group:finance'], quorum: 1 }, { approvers: ['group:finance', 'user:ana'], quorum: 2 }] }))]);

    expect(operationViews(operation).inboxes).toEqual(['user:ana', 'group:finance']);
  });

  test('keeps its row while votes come in, under a newer sequence', async () => {
    const asked = at(0, propose({ policy: asking(['group:finance'], 3) }));
    const { operation } = await tell([asked, at(10, approve('user:ana')), at(20, approve('user:ben'))]);

    expect(operationViews(operation)).toMatchObject({ sequence: 3, inboxes: ['group:finance'], requested_at: instant(0), entry: { expires_at: instant(3600) } });
  });

  test.each(HISTORY_NAMES.filter((name) => HISTORIES[name].status !== 'pending'))('shows nothing of what is %s, at the same places and under a newer sequence', async (name) => {
    const story = await history(name);
    const [first] = story.sealed;
    const views = operationViews(story.operation);

    expect(views).not.toHaveProperty('entry');
    expect(views.sequence).toBe(story.sealed.length);
    expect(views.requested_at).toBe(instant(0));
    const reviewing = story.operation.broken_glass === undefined ? [] : ['group:audit'];
    expect(views.inboxes).toEqual(first?.event.type === 'approval.requested' ? [...story.operation.opening.asked, ...reviewing] : []);
  });

  test.each(['granted, the glass broken', 'completed, the glass broken'] as const)('shows what is %s to those who look at it afterwards, until somebody has', async (name) => {
    expect(operationViews((await history(name)).operation)).toMatchObject({ review: { inbox: 'group:audit', entry: { review: 'break_glass' } } });
    expect(operationViews((await history('granted, the broken glass reviewed')).operation)).not.toHaveProperty('review');
  });

  test('is read without the operations that are the reader\u2019s own, or whose time is over', async () => {
    const { entry } = operationViews((await tell([at(0, propose({ policy: asking(['user:ana', 'user:olga', 'group:finance']) }))])).operation);
    const entries = [entry ?? expect.fail(), { ...entry, operation_id: 'op_2', requester: { subject: 'agent:other-bot' } } as InboxEntry];
    const seenBy = (subject: string): readonly string[] => decidableEntries(entries, subject, instant(60)).map(({ operation_id }) => operation_id);

    expect(seenBy('user:ana')).toEqual([OPERATION_ID, 'op_2']);
    for (const own of ['user:olga', 'user:zoe', 'agent:billing-bot']) expect(seenBy(own)).toEqual(['op_2']);
    expect(decidableEntries(entries, 'user:ana', entry?.expires_at ?? expect.fail())).toEqual([]);
  });
});

describe('the operators\u2019 list', () => {
  test.each(HISTORY_NAMES)('holds what is %s, under the status that it has now', async (name) => {
    const { operation, sealed } = await history(name);
    const { summary } = operationViews(operation);

    expect(summary).toMatchObject({ status: operation.status, requested_at: instant(0), changed_at: sealed.at(-1)?.event.time });
    expect(operationSummarySchema.parse(summary)).toEqual(summary);
  });

  test('knows every status that a history ends in', () => {
    expect(new Set(Object.values(HISTORIES).map(({ status }) => status))).toEqual(new Set(STATUSES));
  });
});

describe('the due list', () => {
  test.each([
    ['pending', 3600],
    ['pending with a vote', 3600],
    ['pending and revealed', 3600],
    ['granted', 960],
    ['granted by policy', 900],
    ['running', 145],
    ['running, to be cancelled', 145],
  ] as const)('holds what is %s until it falls due', async (name, second) => {
    expect(operationViews((await history(name)).operation).due_at).toBe(instant(second));
  });

  test.each(CLOSED_HISTORIES)('does not hold what is %s', async (name) => {
    expect(operationViews((await history(name)).operation)).not.toHaveProperty('due_at');
  });
});
