import { beforeEach, describe, expect, test } from 'vitest';
import { argumentsHash } from '../../../lambdas/domain/binding.ts';
import { LIMITS } from '../../../lambdas/domain/limits.ts';
import { plusSeconds } from '../../../lambdas/domain/times.ts';
import { instead, unavailable } from '../../support/crash-points.ts';
import { corridor, type Reply } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { START_OF_TEST } from '../../support/in-memory-system.ts';
import { allows, withFinance } from '../../support/port-registry.ts';

let ports: Ports;
let stage: ReturnType<typeof corridor>;

beforeEach(() => {
  ports = inMemoryPorts();
  stage = corridor({ ports });
});

/** Nothing at all: no event, no argument, no key, no execution. */
function expectNothingStored(): void {
  expect(ports.eventLog.texts()).toEqual([]);
  expect(ports.vault.argumentsKept().size).toBe(0);
  expect(ports.registry.calls().size).toBe(0);
  expect(ports.starter.starts).toEqual([]);
}

function post(body: unknown, as = 'agent:billing-bot', headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  return stage.http({ route: 'POST /agent/operations', as, body, headers });
}

const SCOPE = { workspace_id: 'w1', agent_id: 'billing-bot' };

describe('a proposal', () => {
  test('that must be asked is accepted, with all that a decision will be about', async () => {
    const { status, body } = await stage.propose('refund_payment', { to: 'c-1', amount: 5 }, { run_id: undefined, reason: 'a customer asked' });
    expect(status).toBe(202);
    expect(body).toEqual({
      operation_id: 'op_00000000000000000000000000000001',
      status: 'pending',
      arguments_hash: argumentsHash('{"amount":5,"to":"c-1"}'),
      binding_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
      fingerprint: expect.stringMatching(/^[0-9a-f]{5}-[0-9a-f]{5}$/) as string,
      expires_at: plusSeconds(START_OF_TEST, 3600),
    });
    expect(ports.vault.argumentsKept().get(body.operation_id)).toEqual({ value: '{"amount":5,"to":"c-1"}', keep_until: plusSeconds(START_OF_TEST, LIMITS.vault_keep_seconds) });
    expect(ports.starter.starts).toMatchObject([{ operation_id: body.operation_id, arguments_hash: body.arguments_hash }]);
    expect(await stage.eventsOf(body.operation_id)).toMatchObject([{ type: 'approval.requested', data: { requester: { subject: 'agent:billing-bot', owner: 'user:olga' }, reason_claimed: 'a customer asked', causation_id: 'request:JKJaXmPLvHcESHA=' } }]);
  });

  test('that policy allows is granted at once, under the name of the policy', async () => {
    const { status, body } = await stage.propose('read_customer', { customer_id: 'c-1' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'granted', use_by: plusSeconds(START_OF_TEST, 900) });
    expect(body).not.toHaveProperty('expires_at');
    expect(await stage.eventsOf(body.operation_id)).toMatchObject([{ type: 'approval.auto_granted', data: { policy: { policy_id: 'sandbox.workspace.v1' } } }]);
    expect(ports.starter.starts).toHaveLength(1);
  });

  test('that policy denies is refused, recorded, and waits for nobody', async () => {
    const { status, body } = await stage.propose('drop_table', { table: 'users' });
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'policy_denied', reason: 'policy_denied', retryable: false, operation_id: 'op_00000000000000000000000000000001' });
    expect(await stage.eventsOf(body.operation_id)).toMatchObject([{ type: 'approval.refused' }]);
    expect(ports.starter.starts).toEqual([]);
  });

  test('of a tool that nobody registered is refused, since nobody could approve it', async () => {
    const { status, body } = await stage.propose('unheard_of', {});
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'policy_denied', reason: 'nobody_can_approve' });
  });

  test.each([
    ['its group is empty but for the one that it acts for', withFinance(['user:zoe']), { on_behalf_of: 'user:zoe' }],
    ['its group is smaller than its quorum', withFinance(['user:ana']), {}],
  ])('is refused where %s', async (_, document, more) => {
    stage = corridor({ ports: inMemoryPorts(document) });
    expect((await stage.propose('wire_transfer', {}, more)).body).toMatchObject({ code: 'policy_denied', reason: 'nobody_can_approve', detail: expect.stringMatching(/nobody could approve it(?:: group:finance would decide about its own operation)?\.$/) as string });
  });

  test('of a tool without executor starts a wait for the answer', async () => {
    await stage.propose('ask_human', { question: 'May I?' });
    expect(ports.starter.starts).toHaveLength(1);
  });

  test('is hashed as RFC 8785 writes it, whatever order and spelling it came in', async () => {
    const spellings = ['{"a":1,"b":[1.0,"\\u00fc"]}', '{ "b" : [1e0, "\u00fc"], "a" : 1.00 }'];
    const replies = await Promise.all(spellings.map((args) => post(`{"tool":"refund_payment","arguments":${args},"scope":${JSON.stringify(SCOPE)}}`)));
    expect(new Set(replies.map(({ body }) => body.arguments_hash))).toEqual(new Set([argumentsHash('{"a":1,"b":[1,"\u00fc"]}')]));
  });

  test.each(['null', '[]', '"text"', '5', 'false', '{"__proto__":{"a":1}}', '{"":""}', '[[],{}]'])('takes %s for arguments, as they are', async (args) => {
    const { status, body } = await post(`{"tool":"refund_payment","arguments":${args},"scope":${JSON.stringify(SCOPE)}}`);
    expect(status).toBe(202);
    expect(ports.vault.argumentsKept().get(body.operation_id)?.value).toBe(args);
  });

  test('of more than 320 KiB of canonical arguments is refused and stores nothing (184)', async () => {
    const { status, body } = await stage.propose('refund_payment', { image: 'x'.repeat(LIMITS.arguments_bytes) });
    expect(status).toBe(413);
    expect(body).toMatchObject({ code: 'arguments_too_large' });
    expectNothingStored();
    expect((await stage.propose('refund_payment', { image: 'x'.repeat(LIMITS.arguments_bytes - 12) })).status).toBe(202);
  });
});

describe('who proposes', () => {
  test.each([
    ['another workspace', { scope: { ...SCOPE, workspace_id: 'w9' } }, 'scope.workspace_id'],
    ['a workspace that is none', { scope: { ...SCOPE, workspace_id: 'w7' } }, 'scope.workspace_id'],
    ['another agent', { scope: { ...SCOPE, agent_id: 'other-bot' } }, 'scope.agent_id'],
    ['a person it may not act for', { on_behalf_of: 'user:ana' }, 'on_behalf_of'],
    ['its owner, unless the registry says so', { on_behalf_of: 'user:olga' }, 'on_behalf_of'],
    ['somebody in another case (133)', { on_behalf_of: 'user:Zoe' }, 'on_behalf_of'],
    ['somebody with a blank around (133)', { on_behalf_of: ' user:zoe' }, 'on_behalf_of'],
    ['somebody by an address (133)', { on_behalf_of: 'zoe@example.com' }, 'on_behalf_of'],
  ])('may not speak for %s, and nothing is stored', async (_, more, field) => {
    const { status, body } = await stage.propose('refund_payment', { amount: 5 }, { call_id: 'c', ...more });
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'scope_not_allowed', field });
    expectNothingStored();
  });

  test('may not speak for somebody who has left the directory: who that is could not be told any more (133)', async () => {
    const { directory } = ports;
    stage = corridor({ ports: { ...ports, directory: { ...directory, approverEntry: async (reference) => (reference === 'user:zoe' ? undefined : directory.approverEntry(reference)) } } });
    expect(await stage.propose('refund_payment', {}, { on_behalf_of: 'user:zoe' })).toMatchObject({ status: 403, body: { code: 'scope_not_allowed', field: 'on_behalf_of' } });
    expectNothingStored();
  });

  test('may speak for whom the registry lets it', async () => {
    const { body } = await stage.propose('refund_payment', {}, { on_behalf_of: 'user:zoe' });
    expect(await stage.eventsOf(body.operation_id)).toMatchObject([{ data: { requester: { on_behalf_of: 'user:zoe' } } }]);
  });

  test('is an agent or a service, never a person', async () => {
    expect(await stage.propose('refund_payment', {}, {}, 'user:ana')).toMatchObject({ status: 403, body: { code: 'scope_not_allowed' } });
    expectNothingStored();
  });

  test('is somebody', async () => {
    expect(await stage.propose('refund_payment', {}, {}, 'agent:mallory')).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(await stage.http({ route: 'POST /agent/operations', body: { tool: 'refund_payment', arguments: {}, scope: SCOPE } })).toMatchObject({ status: 401 });
    expectNothingStored();
  });

  test('is not said by the body', async () => {
    expect(await stage.propose('refund_payment', {}, { actor_id: 'agent:other-bot' })).toMatchObject({ status: 400, body: { code: 'invalid_request', field: 'actor_id' } });
    expectNothingStored();
    expect(await stage.propose('refund_payment', {}, { actor_id: 'agent:billing-bot' })).toMatchObject({ status: 202 });
  });

  test('cannot bring a policy, approvers or an organisation along', async () => {
    for (const more of [{ policy: {} }, { approvers: ['user:zoe'] }, { scope: { ...SCOPE, org_id: 'evil' } }, { timeout_seconds: 1 }, { status: 'granted' }]) {
      expect(await stage.propose('refund_payment', {}, more)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
    expectNothingStored();
  });

  test('belongs to the organisation of the workspace', async () => {
    const { body } = await stage.propose('refund_payment', {});
    expect(await stage.eventsOf(body.operation_id)).toMatchObject([{ data: { scope: { org_id: 'acme', workspace_id: 'w1', agent_id: 'billing-bot' } } }]);
  });
});

describe('bad input', () => {
  const valid = { tool: 'refund_payment', arguments: {}, scope: SCOPE };

  test.each<[string, unknown, number, string]>([
    ['malformed JSON', '{"tool":', 400, 'invalid_request'],
    ['no arguments', { tool: 'refund_payment', scope: SCOPE }, 400, 'invalid_request'],
    ['no tool', { arguments: {}, scope: SCOPE }, 400, 'invalid_request'],
    ['an empty tool name', { ...valid, tool: '' }, 400, 'invalid_request'],
    ['a tool name of 129 characters', { ...valid, tool: 'x'.repeat(129) }, 400, 'invalid_request'],
    ['an unknown type', { ...valid, type: 'shell' }, 400, 'invalid_request'],
    ['an empty call_id', { ...valid, call_id: '' }, 400, 'invalid_request'],
    ['a number as call_id', { ...valid, call_id: 5 }, 400, 'invalid_request'],
    ['no scope', { tool: 'refund_payment', arguments: {} }, 400, 'invalid_request'],
    ['a reason that is too long', { ...valid, reason: 'x'.repeat(LIMITS.reason_bytes + 1) }, 400, 'invalid_request'],
    ['a duplicate key in the arguments', `{"tool":"refund_payment","arguments":{"a":1,"a":2},"scope":${JSON.stringify(SCOPE)}}`, 422, 'arguments_not_canonical'],
    ['a number that a double bends', `{"tool":"refund_payment","arguments":{"n":9007199254740993},"scope":${JSON.stringify(SCOPE)}}`, 422, 'arguments_not_canonical'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, 'invalid_request'],
    ['a body over 1 MiB', 'x'.repeat(LIMITS.body_bytes + 1), 413, 'arguments_too_large'],
  ])('%s is refused and stores nothing', async (_, body, status, code) => {
    const reply = await post(body);
    expect(reply).toMatchObject({ status, headers: { 'content-type': 'application/problem+json' }, body: { status, code } });
    expect(JSON.stringify(reply.body)).not.toMatch(/\bat .*\.ts|stack/);
    expectNothingStored();
  });

  test('of another content type is refused', async () => {
    expect(await post(JSON.stringify(valid), 'agent:billing-bot', { 'content-type': 'text/plain' })).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    expectNothingStored();
  });
});

describe('the same call again', () => {
  const again = (args: unknown = { amount: 5 }, more: Readonly<Record<string, unknown>> = {}, tool = 'refund_payment') => stage.propose(tool, args, { call_id: 'call-1', ...more });

  test('is the same operation, and is answered alike', async () => {
    const [first, second] = [await again(), await again()];
    expect(second.body).toEqual(first.body);
    expect(second.status).toBe(202);
    expect(ports.eventLog.texts()).toHaveLength(1);
    expect(ports.log.codes().filter((code) => code === 'CS1001')).toHaveLength(1);
    expect(ports.log.codes()).toContain('CS1003');
  });

  test('is the same operation when its arguments are only spelled differently', async () => {
    const spelled = (args: string) => post(`{"call_id":"c","tool":"refund_payment","arguments":${args},"scope":${JSON.stringify(SCOPE)}}`);
    const [first, second] = [await spelled('{"a":1,"b":2}'), await spelled('{"b":2.0,"a":1}')];
    expect(second.body.operation_id).toBe(first.body.operation_id);
  });

  test('is one operation when twenty arrive together', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => again()));
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.operation_id}`)).size).toBe(1);
    expect(ports.eventLog.texts()).toHaveLength(1);
    expect(ports.vault.argumentsKept().size).toBe(1);
    expect(ports.starter.starts).toHaveLength(1);
  });

  test('tells how far the operation has come', async () => {
    const { body } = await again();
    await stage.vote(body, 'user:ana');
    expect(await again()).toMatchObject({ status: 200, body: { operation_id: body.operation_id, status: 'granted', use_by: plusSeconds(START_OF_TEST, 900) } });
    await stage.toTheEnd();
    expect(await again()).toMatchObject({ status: 200, body: { operation_id: body.operation_id, status: 'completed' } });
    expect(ports.invoker.ledger).toHaveLength(1);
  });

  test('of a refused call is refused again under the same operation', async () => {
    const [first, second] = [await again({}, {}, 'drop_table'), await again({}, {}, 'drop_table')];
    expect(second).toEqual(first);
    expect(ports.eventLog.texts()).toHaveLength(1);
  });

  test('keeps the verdict that it had, whatever policy says by then', async () => {
    const { body } = await again();
    await ports.policies.seed('workspace:w1', { rules: [allows('refund_payment')] });
    expect((await again()).body).toEqual(body);
  });

  test.each([
    ['other arguments', { amount: 500 }, 'refund_payment'],
    ['another tool', { amount: 5 }, 'read_customer'],
  ])('with %s is a conflict that names the operation and changes nothing', async (_, args, tool) => {
    const { body } = await again();
    expect(await again(args, {}, tool)).toMatchObject({ status: 409, body: { code: 'operation_id_reused', operation_id: body.operation_id } });
    expect(ports.eventLog.texts()).toHaveLength(1);
    expect(ports.vault.argumentsKept().get(body.operation_id)?.value).toBe('{"amount":5}');
  });

  test('with other arguments at the same moment is a conflict for one of the two', async () => {
    const replies = await Promise.all([again({ amount: 5 }), again({ amount: 6 })]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([202, 409]);
    expect(ports.vault.argumentsKept().size).toBe(1);
  });

  test.each([
    ['another run', { scope: { ...SCOPE, run_id: 'run-2' } }],
    ['another call', { call_id: 'call-2' }],
    ['no call at all', { call_id: undefined }],
  ])('under %s is another operation', async (_, more) => {
    expect((await again({ amount: 5 }, more)).body.operation_id).not.toBe((await again()).body.operation_id);
  });

  test('of another caller is another operation: nobody can take a key from somebody else', async () => {
    const mine = await again();
    const theirs = await stage.propose('refund_payment', { amount: 5 }, { call_id: 'call-1', scope: { workspace_id: 'w9', agent_id: 'other-bot' } }, 'agent:other-bot');
    expect(theirs.status).toBe(202);
    expect(theirs.body.operation_id).not.toBe(mine.body.operation_id);
  });

  test('has a key that joins no two calls', async () => {
    const joined = [{ scope: { ...SCOPE, run_id: 'a' }, call_id: 'b","c' }, { scope: { ...SCOPE, run_id: 'a","b' }, call_id: 'c' }, { scope: SCOPE, call_id: 'null' }, { scope: { ...SCOPE, run_id: 'null' }, call_id: 'x' }, { scope: SCOPE, call_id: 'x' }];
    for (const more of joined) await again({ amount: 5 }, more);
    expect(ports.registry.calls().size).toBe(joined.length);
  });
});

describe('ten calls proposed together', () => {
  test('wait side by side, each with its own deadline, and are decided one by one', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, (_, index) => stage.propose('refund_payment', { amount: index })));
    await stage.quiet();
    expect(new Set(replies.map(({ body }) => body.operation_id)).size).toBe(10);
    expect(ports.starter.starts).toHaveLength(10);
    for (const [index, { body }] of replies.entries()) {
      await stage.vote(body, 'user:ana', index % 2 === 0 ? 'approve' : 'deny');
      await stage.quiet();
      expect((await stage.http({ route: 'GET /api/inbox', as: 'user:ana' })).body.operations).toHaveLength(9 - index);
    }
    expect(ports.invoker.ledger.map((call) => call.arguments)).toEqual([0, 2, 4, 6, 8].map((amount) => `{"amount":${amount}}`));
  });
});

describe('an execution that could not be started', () => {
  test('is no failure of the proposal, and the relay mends it (K2)', async () => {
    const mend = instead(ports.starter, 'start', () => unavailable);
    const { status, body } = await stage.propose('refund_payment', { amount: 5 });
    expect(status).toBe(202);
    expect(ports.log.codes()).toContain('CS3007');
    await stage.quiet();
    expect(ports.starter.starts).toEqual([]);
    mend();
    await stage.quiet();
    expect(ports.starter.starts).toMatchObject([{ operation_id: body.operation_id }]);
    await stage.vote(body, 'user:ana');
    await stage.toTheEnd();
    expect(await stage.operationOf(body.operation_id)).toMatchObject({ status: 'completed' });
  });
});

describe('a store that fails', () => {
  test.each<[string, () => () => void]>([
    ['the call key', () => instead(ports.registry, 'claimCall', () => unavailable)],
    ['the arguments', () => instead(ports.vault, 'putArguments', () => unavailable)],
    ['the event', () => instead(ports.eventLog, 'append', () => unavailable)],
  ])('at %s is a 503 that may be tried again, and the second try finishes the same operation', async (_, breakIt) => {
    const mend = breakIt();
    const failed = await stage.propose('refund_payment', { amount: 5 }, { call_id: 'call-1' });
    expect(failed).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(JSON.stringify(failed.body)).not.toContain('CANARY');
    expect(ports.starter.starts).toEqual([]);
    mend();
    const { status, body } = await stage.propose('refund_payment', { amount: 5 }, { call_id: 'call-1' });
    expect(status).toBe(202);
    expect([...ports.vault.argumentsKept().keys()]).toEqual([body.operation_id]);
    expect(ports.eventLog.texts()).toHaveLength(1);
  });

  test('that cannot tell what the registry says opens nothing', async () => {
    instead(ports.registry, 'tool', () => unavailable);
    expect(await stage.propose('read_customer', {})).toMatchObject({ status: 503 });
    expect(ports.eventLog.texts()).toEqual([]);
  });
});

test('no argument is in an event that display hides, in a log line or in the input of an execution', async () => {
  await stage.propose('refund_payment', { password: 'CANARY-hunter2', note: 'Bearer CANARY.token.x' }, { call_id: 'call-1' });
  expect(ports.eventLog.texts().join()).not.toContain('CANARY-hunter2');
  expect(JSON.stringify(ports.log.lines)).not.toContain('CANARY');
  expect(JSON.stringify(ports.starter.starts)).not.toContain('CANARY');
});
