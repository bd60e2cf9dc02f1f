import { beforeEach, describe, expect, test } from 'vitest';
import { Fault } from '../../../lambdas/domain/faults.ts';
import { LIMITS } from '../../../lambdas/domain/limits.ts';
import { instead, unavailable } from '../../support/crash-points.ts';
import { corridor, type Reply, type ReplyBody } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { asks, testRegistry, withFinance } from '../../support/port-registry.ts';

let ports: Ports;
let stage: ReturnType<typeof corridor>;

beforeEach(() => {
  ports = inMemoryPorts();
  stage = corridor({ ports });
});

const WRONG = `sha256:${'0'.repeat(64)}`;
let calls = 0;
const proposed = async (tool = 'refund_payment'): Promise<ReplyBody> => {
  const { body } = await stage.propose(tool, { amount: 5 }, { call_id: `call-${(calls += 1)}` });
  await stage.quiet();
  return body;
};
const typesOf = async ({ operation_id }: ReplyBody): Promise<readonly string[]> => (await stage.eventsOf(operation_id)).map(({ type }) => type);

/** Ana is away, and Zoe decides in her place. */
function nameZoeForAna(): void {
  const stand_in = { to: 'user:zoe', from: '2000-01-01T00:00:00.000Z', until: '2999-01-01T00:00:00.000Z' };
  instead(ports.registry, 'approverEntry', (before) => async (reference) => (reference === 'user:ana' ? { kind: 'person', revision: 2, stand_in } : before(reference)));
}

describe('a decision', () => {
  test('is stored with who made it, how they proved it, and what they said', async () => {
    const body = await proposed();
    const reply = await stage.vote(body, 'user:ana', 'approve', { comment: 'fine \u00fc' });
    expect(reply).toMatchObject({ status: 200, body: { status: 'granted', decision: { by: 'user:ana', comment: 'fine \u00fc' } } });
    expect(await stage.eventsOf(body.operation_id)).toMatchObject([
      {},
      { type: 'approval.granted', data: { actor: { subject: 'user:ana', kind: 'user', proof: 'jwt' }, votes: [{ subject: 'user:ana', via: 'user:ana', decision: 'approve', channel: 'api', comment: 'fine \u00fc' }], causation_id: 'request:JKJaXmPLvHcESHA=' } },
    ]);
  });

  test('wakes the execution that waits, and a denial wakes it as closed', async () => {
    const [granted, denied] = [await proposed(), await proposed()];
    await stage.vote(granted, 'user:ana');
    await stage.vote(denied, 'user:ana', 'deny');
    expect(ports.waker.wakes).toEqual(['AwaitDecision success', 'AwaitDecision failure']);
  });

  test('of twenty people clicks at once is one grant, one start and one run', async () => {
    const body = await proposed();
    const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => stage.vote(body, index % 2 === 0 ? 'user:ana' : 'user:ben')));
    expect((await typesOf(body)).filter((type) => type === 'approval.granted')).toHaveLength(1);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const winner = replies.find(({ status }) => status === 200)?.body.decision as { by: string };
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(replies.filter(({ status, body: { code } }) => status === 409 && code === 'already_decided')).toHaveLength(10);
    expect(['user:ana', 'user:ben']).toContain(winner.by);
    await stage.toTheEnd();
    expect(ports.invoker.ledger).toHaveLength(1);
  });

  test('keeps the first when approve and deny arrive together', async () => {
    const body = await proposed();
    const replies = await Promise.all([stage.vote(body, 'user:ana'), stage.vote(body, 'user:ben', 'deny')]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await typesOf(body)).toHaveLength(2);
  });

  test('is answered as it was recorded when the same person sends it again (K5)', async () => {
    const body = await proposed();
    const [first, second] = [await stage.vote(body, 'user:ana'), await stage.vote(body, 'user:ana')];
    expect(second).toEqual(first);
    await stage.toTheEnd();
    expect(await stage.vote(body, 'user:ana')).toMatchObject({ status: 200, body: { status: 'completed' } });
    expect(await stage.vote(body, 'user:ana', 'deny')).toMatchObject({ status: 409, body: { code: 'already_decided' } });
    expect(await stage.vote(body, 'user:ben')).toMatchObject({ status: 409, body: { code: 'already_decided' } });
    expect((await typesOf(body)).filter((type) => type.startsWith('approval'))).toHaveLength(2);
  });

  test('by two needs two people: one person is one vote, however often it is cast', async () => {
    const body = await proposed('wire_transfer');
    for (let click = 0; click < 3; click += 1) expect(await stage.vote(body, 'user:ana')).toMatchObject({ status: 200, body: { status: 'pending' } });
    expect(await typesOf(body)).toEqual(['approval.requested', 'approval.voted']);
    expect(await stage.vote(body, 'user:ana', 'deny')).toMatchObject({ status: 409 });
    expect(await stage.vote(body, 'user:ben')).toMatchObject({ status: 200, body: { status: 'granted' } });
  });

  test('by two who vote at the same moment loses neither vote', async () => {
    const body = await proposed('wire_transfer');
    const replies = await Promise.all([stage.vote(body, 'user:ana'), stage.vote(body, 'user:ben')]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await typesOf(body)).toEqual(['approval.requested', 'approval.voted', 'approval.granted']);
  });

  test('counts an earlier vote only while its person is still an approver', async () => {
    const body = await proposed('wire_transfer');
    await stage.vote(body, 'user:ana');
    await ports.registry.replace(withFinance(['user:ben', 'user:zoe']));
    expect(await stage.vote(body, 'user:ben')).toMatchObject({ body: { status: 'pending' } });
    expect(await stage.vote(body, 'user:zoe')).toMatchObject({ body: { status: 'granted' } });
    const granted = (await stage.eventsOf(body.operation_id)).at(-1);
    expect(granted).toMatchObject({ type: 'approval.granted', data: { votes: [{ subject: 'user:ben' }, { subject: 'user:zoe' }] } });
  });

  test('of ten who lose five races is to be tried again, and no vote is lost or counted twice', async () => {
    const members = Array.from({ length: 10 }, (_, index) => `p${index}`);
    const document = testRegistry({
      people: [...members, 'olga', 'zoe'].map((name) => ({ subject: `user:${name}`, principals: [`oidc:https://issuer.example#${name}`] })),
      groups: [{ id: 'group:finance', members: members.map((name) => `user:${name}`) }],
      tools: [{ name: 'everybody', version: '1', consequence: 'change', executor: { function: 'f' } }],
    });
    ports = inMemoryPorts(document, { 'workspace:w1': { rules: [asks('everybody', ['group:finance'], { quorum: 10 })] } });
    stage = corridor({ ports });
    const body = await proposed('everybody');
    const replies = new Map<string, Reply>();
    for (let rounds = 0; replies.size < 10 && rounds < 10; rounds += 1) {
      const waiting = members.filter((name) => !replies.has(name));
      const answers = await Promise.all(waiting.map((name) => stage.vote(body, `user:${name}`)));
      for (const [index, answer] of answers.entries()) {
        expect([200, 503]).toContain(answer.status);
        if (answer.status === 200) replies.set(waiting[index]!, answer);
      }
    }
    const events = await stage.eventsOf(body.operation_id);
    expect(events.map(({ type }) => type)).toEqual(['approval.requested', ...Array.from({ length: 9 }, () => 'approval.voted'), 'approval.granted']);
    expect(new Set(events.flatMap((event) => (event.type === 'approval.granted' ? event.data.votes.map(({ subject }) => subject) : []))).size).toBe(10);
  });
});

describe('a decision on another hash', () => {
  test('by an approver ends the operation, says so with a 409, and the tool never runs', async () => {
    const body = await proposed();
    const reply = await stage.vote({ ...body, arguments_hash: WRONG }, 'user:ana');
    expect(reply).toMatchObject({ status: 409, body: { code: 'arguments_changed' } });
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'denied', decision: { reason: 'arguments_hash_mismatch', by: 'user:ana' } });
    expect(await stage.vote(body, 'user:ben')).toMatchObject({ status: 409, body: { code: 'already_decided' } });
    await stage.toTheEnd();
    expect(ports.invoker.ledger).toEqual([]);
  });

  test('that is sent again is not taken for recorded', async () => {
    const body = await proposed();
    await stage.vote({ ...body, arguments_hash: WRONG }, 'user:ana');
    expect(await stage.vote({ ...body, arguments_hash: WRONG }, 'user:ana')).toMatchObject({ status: 409, body: { code: 'already_decided' } });
  });

  test('by a denying approver ends it, too', async () => {
    const body = await proposed();
    expect(await stage.vote({ ...body, arguments_hash: WRONG }, 'user:ana', 'deny')).toMatchObject({ status: 409 });
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'denied', decision: { reason: 'arguments_hash_mismatch' } });
  });

  test.each([
    ['the owner', 'user:olga', 403],
    ['the requester', 'agent:billing-bot', 403],
    ['an administrator', 'user:root', 403],
    ['a stranger', 'user:zoe', 404],
  ])('by %s changes nothing', async (_, as, status) => {
    const body = await proposed();
    expect(await stage.vote({ ...body, arguments_hash: WRONG }, as)).toMatchObject({ status });
    expect(await typesOf(body)).toEqual(['approval.requested']);
  });
});

describe('who may decide', () => {
  test.each([
    ['nobody without a credential', undefined, 401, 'unauthenticated'],
    ['nobody unregistered', 'user:mallory', 401, 'unauthenticated'],
    ['no stranger, who is not even told that it exists', 'user:zoe', 404, 'operation_not_found'],
    ['not the owner of the agent', 'user:olga', 403, 'own_operation'],
    ['not the agent itself', 'agent:billing-bot', 403, 'own_operation'],
    ['no other agent', 'agent:other-bot', 404, 'operation_not_found'],
    ['no administrator who is no approver', 'user:root', 403, 'not_an_approver'],
  ])('%s', async (_, as, status, code) => {
    const body = await proposed();
    const reply = await stage.http({ route: 'POST /api/operations/{id}/decisions', id: body.operation_id, body: { arguments_hash: body.arguments_hash, decision: 'approve' }, ...(as === undefined ? {} : { as }) });
    expect(reply).toMatchObject({ status, body: { code } });
    expect(await typesOf(body)).toEqual(['approval.requested']);
  });

  test('not the owner even where the tool names her as an approver', async () => {
    const body = await proposed('ask_human');
    expect(await stage.vote(body, 'user:olga')).toMatchObject({ status: 403, body: { code: 'own_operation' } });
    expect(await stage.vote(body, 'user:ana')).toMatchObject({ status: 200, body: { status: 'answered' } });
  });

  test('not the person whom the agent acts for', async () => {
    const { body } = await stage.propose('wire_transfer', {}, { on_behalf_of: 'user:zoe' });
    expect(await stage.vote(body, 'user:zoe')).toMatchObject({ status: 403, body: { code: 'own_operation' } });
  });

  test('whoever is in the group at this moment, and not who was', async () => {
    const body = await proposed('wire_transfer');
    await ports.registry.replace(withFinance(['user:ben', 'user:zoe']));
    expect((await stage.vote(body, 'user:ana')).status).not.toBe(200);
    expect(await stage.vote(body, 'user:zoe')).toMatchObject({ status: 200 });
  });

  test('nobody while the directory cannot be read', async () => {
    const body = await proposed('wire_transfer');
    instead(ports.registry, 'approverEntry', () => unavailable);
    const reply = await stage.vote(body, 'user:ana');
    expect(reply.status).toBe(503);
    expect(JSON.stringify(reply.body)).not.toContain('CANARY');
    expect(await typesOf(body)).toEqual(['approval.requested']);
  });

  test('a stand-in in its time, by the person that it stands in for', async () => {
    const [approved, denied] = [await proposed(), await proposed()];
    expect(await stage.vote(approved, 'user:zoe')).toMatchObject({ status: 404 });
    nameZoeForAna();
    expect(await stage.vote(approved, 'user:zoe')).toMatchObject({ status: 200, body: { status: 'granted', decision: { votes: [{ subject: 'user:zoe', via: 'user:ana' }] } } });
    expect(await stage.vote(denied, 'user:zoe', 'deny')).toMatchObject({ status: 200, body: { status: 'denied' } });
  });

  test('nobody who stands in for another while it asked itself', async () => {
    const { body } = await stage.propose('refund_payment', { amount: 7 }, { on_behalf_of: 'user:zoe' });
    nameZoeForAna();
    expect(await stage.vote(body, 'user:zoe')).toMatchObject({ status: 403, body: { code: 'own_operation' } });
  });

  test('and who has voted may still read what it came to', async () => {
    const body = await proposed('wire_transfer');
    await stage.vote(body, 'user:ana');
    await ports.registry.replace(withFinance(['user:ben', 'user:zoe']));
    expect(await stage.http({ route: 'GET /api/operations/{id}', as: 'user:ana', id: body.operation_id })).toMatchObject({ status: 200 });
  });
});

describe('the deadline', () => {
  test('is data: a vote at it is refused although no timer has rung', async () => {
    const body = await proposed();
    await ports.clock.advance(3600_000);
    expect(await stage.vote(body, 'user:ana')).toMatchObject({ status: 410, body: { code: 'operation_expired' } });
    expect(await typesOf(body)).toEqual(['approval.requested']);
  });

  test('lets a vote in a millisecond before it', async () => {
    const body = await proposed();
    await ports.clock.advance(3599_999);
    expect(await stage.vote(body, 'user:ana')).toMatchObject({ status: 200 });
  });

  test('stays past once the operation has expired', async () => {
    const body = await proposed();
    await stage.toTheEnd();
    expect(await stage.vote(body, 'user:ana')).toMatchObject({ status: 410, body: { code: 'operation_expired' } });
  });
});

describe('bad input', () => {
  const hash = WRONG;
  test.each<[string, unknown, number, string]>([
    ['no hash', { decision: 'approve' }, 400, 'invalid_request'],
    ['a short hash', { arguments_hash: 'sha256:00', decision: 'approve' }, 400, 'invalid_request'],
    ['a hash in capitals', { arguments_hash: `sha256:${'A'.repeat(64)}`, decision: 'approve' }, 400, 'invalid_request'],
    ['a hash with a line break', { arguments_hash: `${hash}\n`, decision: 'approve' }, 400, 'invalid_request'],
    ['another word for yes', { arguments_hash: hash, decision: 'approved' }, 400, 'invalid_request'],
    ['true for yes', { arguments_hash: hash, decision: true }, 400, 'invalid_request'],
    ['an unknown field', { arguments_hash: hash, decision: 'approve', quorum: 1 }, 400, 'invalid_request'],
    ['arguments of the approver’s own: they cannot be edited (143)', { arguments_hash: hash, decision: 'approve', arguments: { amount: 1 } }, 400, 'invalid_request'],
    ['a channel of its own', { arguments_hash: hash, decision: 'approve', channel: 'slack' }, 400, 'invalid_request'],
    ['two decisions', `{"arguments_hash":"${hash}","decision":"deny","decision":"approve"}`, 400, 'invalid_request'],
    ['a comment that is too long', { arguments_hash: hash, decision: 'approve', comment: '\u20ac'.repeat(LIMITS.comment_bytes / 3 + 1) }, 400, 'invalid_request'],
    ['a body that is too large', `{"arguments_hash":"${hash}","decision":"approve","comment":"${'x'.repeat(LIMITS.decision_body_bytes)}"}`, 413, 'arguments_too_large'],
    ['nothing', undefined, 415, 'unsupported_media_type'],
    ['a form', 'decision=approve', 400, 'invalid_request'],
  ])('%s changes nothing', async (_, sent, status, code) => {
    const body = await proposed();
    expect(await stage.http({ route: 'POST /api/operations/{id}/decisions', as: 'user:ana', id: body.operation_id, ...(sent === undefined ? {} : { body: sent }) })).toMatchObject({ status, body: { code } });
    expect(await typesOf(body)).toEqual(['approval.requested']);
  });

  test('in which another acts than the credential says is refused; one that repeats it is taken', async () => {
    const body = await proposed();
    expect(await stage.vote(body, 'user:ana', 'approve', { actor_id: 'user:ben' })).toMatchObject({ status: 400, body: { code: 'invalid_request', field: 'actor_id' } });
    expect(await typesOf(body)).toEqual(['approval.requested']);
    expect(await stage.vote(body, 'user:ana', 'approve', { actor_id: 'user:ana' })).toMatchObject({ status: 200 });
  });

  test.each(['op_1', 'op_0000000000000000000000000000000%31', '../admin', `op_${'f'.repeat(32)}`])('about %s is about nothing', async (id) => {
    expect(await stage.http({ route: 'POST /api/operations/{id}/decisions', as: 'user:ana', id, body: { arguments_hash: hash, decision: 'approve' } })).toMatchObject({ status: 404, body: { code: 'operation_not_found' } });
  });
});

describe('a wake-up that fails', () => {
  test.each(['Unavailable', 'Misconfigured'] as const)('as %s does not lose the decision, and the relay repeats it (K5, K10)', async (fault) => {
    const body = await proposed();
    const mend = instead(ports.waker, 'succeed', () => async () => Promise.reject(new Fault(fault, 'x')));
    expect(await stage.vote(body, 'user:ana')).toMatchObject({ status: 200, body: { status: 'granted' } });
    expect(ports.log.codes()).toContain('CS3004');
    await stage.quiet();
    expect(ports.invoker.ledger).toEqual([]);
    mend();
    await stage.toTheEnd();
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'completed' });
    expect(ports.invoker.ledger).toHaveLength(1);
  });

  test('whose reply alone was lost is repeated to a dead token, and that is success (029)', async () => {
    const body = await proposed();
    const mend = instead(ports.waker, 'succeed', (before) => async (token) => (await before(token), unavailable()));
    expect(await stage.vote(body, 'user:ana')).toMatchObject({ status: 200 });
    mend();
    expect(await stage.relay({ sweep: true })).toMatchObject({ failed: 0 });
    await stage.toTheEnd();
    expect(ports.invoker.ledger).toHaveLength(1);
  });
});

test('a store that fails is a 503 that claims no decision, and the vote may be sent again', async () => {
  const body = await proposed();
  const mend = instead(ports.eventLog, 'append', () => unavailable);
  const reply = await stage.vote(body, 'user:ana');
  expect(reply).toMatchObject({ status: 503, body: { title: 'Not recorded; try again' } });
  mend();
  expect(await stage.vote(body, 'user:ana')).toMatchObject({ status: 200 });
});

test('no log line holds a comment, a hash that was sent, or a token', async () => {
  const body = await proposed();
  await stage.vote(body, 'user:ana', 'approve', { comment: 'CANARY comment' });
  const lines = JSON.stringify(ports.log.lines);
  for (const secret of ['CANARY', ...ports.waker.tokens]) expect(lines).not.toContain(secret);
});
