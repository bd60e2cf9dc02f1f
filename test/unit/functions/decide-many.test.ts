import { beforeEach, describe, expect, test } from 'vitest';
import { Fault } from '../../../lambdas/domain/faults.ts';
import { buildHandler } from '../../../lambdas/functions/decide-operation/handler.ts';
import { gatewayEvent } from '../../support/gateway-events.ts';
import { corridor, type Reply, type ReplyBody } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';

let ports: Ports;
let stage: ReturnType<typeof corridor>;

beforeEach(() => {
  ports = inMemoryPorts();
  stage = corridor({ ports });
});

interface Answer {
  readonly operation_id: string;
  readonly http_status: number;
  readonly operation?: { readonly status: string };
  readonly problem?: Readonly<Record<string, unknown>>;
}

const proposed = async (tool = 'refund_payment', amount = 5): Promise<ReplyBody> => {
  const { body } = await stage.propose(tool, { amount });
  await stage.quiet();
  return body;
};
const voteOn = ({ operation_id, arguments_hash }: ReplyBody, decision = 'approve', more: object = {}) => ({ operation_id, arguments_hash, decision, ...more });
const decide = (decisions: unknown, as: string | undefined = 'user:ana'): Promise<Reply> => stage.http({ route: 'POST /api/decisions', as, body: { decisions } });
const answersTo = async (decisions: unknown, as?: string): Promise<readonly Answer[]> => (await decide(decisions, as)).body['decisions'] as readonly Answer[];
const statusOf = async ({ operation_id }: ReplyBody): Promise<string> => (await stage.operationOf(operation_id)).status;

describe('many decisions', () => {
  test('are each taken and answered under their operation', async () => {
    const [one, other] = [await proposed(), await proposed('sync_ledger')];
    expect(await answersTo([voteOn(other, 'deny', { comment: 'not now' }), voteOn(one)])).toMatchObject([
      { operation_id: other.operation_id, http_status: 200, operation: { status: 'denied' } },
      { operation_id: one.operation_id, http_status: 200, operation: { status: 'granted' } },
    ]);
    expect((await stage.eventsOf(other.operation_id)).at(-1)).toMatchObject({ type: 'approval.denied', data: { actor: { subject: 'user:ana' }, vote: { comment: 'not now', channel: 'api' } } });
  });

  test('are the same as each alone: a refusal of one leaves the others as they are', async () => {
    const [mine, late, wrong] = [await proposed(), await proposed('wire_transfer'), await proposed('sync_ledger')];
    await stage.http({ route: 'POST /agent/operations/{id}/cancel', as: 'agent:billing-bot', id: late.operation_id, body: {} });
    const absent = `op_${'f'.repeat(32)}`;
    const answers = await answersTo([{ ...voteOn(mine), operation_id: absent }, voteOn(late), { ...voteOn(wrong), arguments_hash: mine.arguments_hash.replace(/.$/, '0') }, voteOn(mine)]);
    expect(answers.map(({ operation_id, http_status, problem }) => [operation_id, http_status, problem?.['code']])).toEqual([
      [absent, 404, 'operation_not_found'],
      [late.operation_id, 409, 'already_decided'],
      [wrong.operation_id, 409, 'arguments_changed'],
      [mine.operation_id, 200, undefined],
    ]);
    expect(await statusOf(wrong)).toBe('denied');
  });

  test('are nobody else\u2019s: who was not asked learns nothing, and who asked may not decide', async () => {
    const one = await proposed();
    expect(await answersTo([voteOn(one)], 'user:zoe')).toMatchObject([{ http_status: 404, problem: { code: 'operation_not_found' } }]);
    expect(await decide([voteOn(one)], 'agent:billing-bot')).toMatchObject({ status: 200, body: { decisions: [{ http_status: 403 }] } });
    const anonymous = await buildHandler(ports)(gatewayEvent({ route: 'POST /api/decisions', body: { decisions: [voteOn(one)] } }));
    expect(anonymous.statusCode).toBe(401);
    expect(await statusOf(one)).toBe('pending');
  });

  test('sent again are answered as they were recorded', async () => {
    const votes = [voteOn(await proposed('wire_transfer')), voteOn(await proposed(), 'deny')];
    const first = await answersTo(votes);
    expect((await answersTo(votes)).map(({ http_status, operation }) => [http_status, operation?.status])).toEqual(first.map(({ operation }) => [200, operation?.status]));
    expect(await stage.eventsOf(votes[0]!.operation_id)).toHaveLength(2);
  });

  test('do not stop at one that breaks, which alone is told as broken and whether to try again', async () => {
    const [broken, corrupt, whole] = [await proposed(), await proposed('sync_ledger'), await proposed('refund_payment', 6)];
    const load: Ports['eventLog']['load'] = async (operation_id) => {
      if (operation_id === broken.operation_id) throw new Fault('Unavailable', 'CANARY throttled');
      if (operation_id === corrupt.operation_id) throw new TypeError('CANARY');
      return ports.eventLog.load(operation_id);
    };
    const reply = await buildHandler({ ...ports, eventLog: { ...ports.eventLog, load } })(gatewayEvent({ route: 'POST /api/decisions', as: 'user:ana', body: { decisions: [broken, corrupt, whole].map((each) => voteOn(each)) } }));
    expect(reply).toMatchObject({ statusCode: 200, body: expect.not.stringContaining('CANARY') as string });
    expect(JSON.parse(reply.body ?? '')).toMatchObject({
      decisions: [
        { operation_id: broken.operation_id, http_status: 503, problem: { status: 503, retryable: true, request_id: expect.any(String) as string } },
        { operation_id: corrupt.operation_id, http_status: 500, problem: { status: 500, retryable: false } },
        { operation_id: whole.operation_id, http_status: 200, operation: { status: 'granted' } },
      ],
    });
    expect(ports.log.lines.filter(({ code }) => code === 'CS9002').map(({ facts }) => [facts.operation_id, facts.fault])).toEqual([[broken.operation_id, 'Unavailable'], [corrupt.operation_id, 'unexpected']]);
  });

  test('may be fifty', async () => {
    const all: ReplyBody[] = [];
    for (let amount = 0; amount < 50; amount += 1) all.push((await stage.propose('refund_payment', { amount })).body);
    expect((await answersTo(all.map((each) => voteOn(each)))).map(({ operation_id, operation }) => [operation_id, operation?.status])).toEqual(all.map(({ operation_id }) => [operation_id, 'granted']));
  });
});

describe('a batch that is not as it should be', () => {
  const HASH = `sha256:${'0'.repeat(64)}`;
  const vote = (digit: string, more: object = {}) => ({ operation_id: `op_${digit.repeat(32)}`, arguments_hash: HASH, decision: 'approve', ...more });

  test.each<[string, (real: ReplyBody) => unknown, string]>([
    ['is empty', () => [], 'decisions'],
    ['holds more than fifty', (real) => [voteOn(real), ...Array.from({ length: 50 }, (_, index) => ({ ...vote('0'), operation_id: `op_${String(index).padStart(32, '0')}` }))], 'decisions'],
    ['names an operation twice', (real) => [voteOn(real), vote('1'), voteOn(real, 'deny')], 'decisions.2.operation_id'],
    ['has one without a hash', (real) => [voteOn(real), { operation_id: `op_${'1'.repeat(32)}`, decision: 'approve' }], 'decisions.1.arguments_hash'],
    ['has one without a decision', (real) => [voteOn(real), { operation_id: `op_${'1'.repeat(32)}`, arguments_hash: HASH }], 'decisions.1.decision'],
    ['names what can be no operation', (real) => [voteOn(real), { ...vote('1'), operation_id: 'all' }], 'decisions.1.operation_id'],
    ['says who acts', (real) => [voteOn(real), vote('1', { actor_id: 'user:ben' })], 'decisions.1.actor_id'],
    ['has a comment that is too long', (real) => [voteOn(real), vote('1', { comment: 'x'.repeat(2049) })], 'decisions.1.comment'],
    ['is one decision for all', () => 'approve', 'decisions'],
  ])('because it %s decides nothing at all', async (_, decisions, field) => {
    const real = await proposed();
    expect(await decide(decisions(real))).toMatchObject({ status: 400, body: { code: 'invalid_request', field } });
    expect(await statusOf(real)).toBe('pending');
    expect(await stage.eventsOf(real.operation_id)).toHaveLength(1);
  });
});

describe('parallel calls of which only some need approval (146)', () => {
  test('only those wait, and decisions find theirs by id, however many come and in whatever order', async () => {
    const [refund, allowed, ledger] = [await proposed(), await proposed('read_customer'), await proposed('sync_ledger')];
    const { body } = await stage.http({ route: 'GET /api/inbox', as: 'user:ana' });
    expect((body['operations'] as readonly { operation_id: string }[]).map(({ operation_id }) => operation_id).sort()).toEqual([refund.operation_id, ledger.operation_id].sort());
    const answers = await answersTo([voteOn(ledger, 'deny'), voteOn(allowed, 'deny'), voteOn(refund)]);
    expect(Object.fromEntries(answers.map(({ operation_id, http_status }) => [operation_id, http_status]))).toEqual({ [ledger.operation_id]: 200, [allowed.operation_id]: 404, [refund.operation_id]: 200 });
    await stage.quiet();
    expect([await statusOf(refund), await statusOf(allowed), await statusOf(ledger)]).toEqual(['completed', 'completed', 'denied']);
  });
});
