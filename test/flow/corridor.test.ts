import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProduct, type Product } from '../support/local-product.ts';

const refund = (customer_id: string, amount = 120) => ({ customer_id, amount, currency: 'EUR' });

describe('the corridor', () => {
  let product: Product;
  beforeAll(async () => {
    product = await startProduct();
  });
  afterAll(() => product.close());

  it('runs an approved call once and tells each step', async () => {
    const { json: proposed, status } = await product.propose('refund_payment', refund('c1'));
    expect(status).toBe(202);
    expect((await product.decide(proposed, 'approve', 'user:ana', { comment: 'checked' })).status).toBe(200);
    const ended = await product.until(proposed.operation_id, 'completed');
    expect(ended).toMatchObject({ decision: { by: 'user:ana', comment: 'checked' }, outcome: { status: 'completed', output: { refunded: refund('c1') } } });
    expect(await product.types(proposed.operation_id)).toEqual(['approval.requested', 'approval.granted', 'tool.started', 'tool.completed']);
    expect(product.ledger().filter((line) => line.includes(proposed.operation_id))).toHaveLength(1);
    const published = () => product.published.filter(({ subject }) => subject === proposed.operation_id).map(({ data }) => data.sequence);
    await expect.poll(published).toEqual([1, 2, 3, 4]);
  });

  it('brings a denial and its comment to the agent, never to be retried', async () => {
    const { json: proposed } = await product.propose('refund_payment', refund('c2'));
    await product.decide(proposed, 'deny', 'user:ben', { comment: 'wrong customer' });
    expect(await product.until(proposed.operation_id, 'denied')).toMatchObject({ retryable: false, decision: { comment: 'wrong customer', reason: 'denied_by_approver' } });
  });

  it('denies for good when an approver decides on another hash', async () => {
    const before = product.ledger().length;
    const { json: proposed } = await product.propose('refund_payment', refund('c3'));
    const wrong = await product.decide({ ...proposed, arguments_hash: `sha256:${'0'.repeat(64)}` }, 'approve');
    expect(wrong).toMatchObject({ status: 409, json: { code: 'arguments_changed' } });
    expect(await product.until(proposed.operation_id, 'denied')).toMatchObject({ decision: { reason: 'arguments_hash_mismatch' } });
    expect((await product.decide(proposed, 'approve')).status).toBe(409);
    expect(product.ledger()).toHaveLength(before);
  });

  it('gives twenty approvals at once one grant, one start and one ledger line', async () => {
    const { json: proposed } = await product.propose('refund_payment', refund('c4'));
    const answers = await Promise.all(Array.from({ length: 20 }, () => product.decide(proposed, 'approve')));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await product.until(proposed.operation_id, 'completed');
    expect(await product.types(proposed.operation_id)).toEqual(['approval.requested', 'approval.granted', 'tool.started', 'tool.completed']);
    expect(product.ledger().filter((line) => line.includes(proposed.operation_id))).toHaveLength(1);
  });

  it('leaves record, events and ledger in agreement after fifty races of approve against cancel', async () => {
    for (let round = 0; round < 50; round += 1) {
      const { json: proposed } = await product.propose('refund_payment', refund(`race-${round}`, 1));
      const { operation_id } = proposed;
      await Promise.all([product.decide(proposed, 'approve'), product.call('POST', `/agent/operations/${operation_id}/cancel`, { body: {} })]);
      const { status } = await product.until(operation_id, 'completed', 'cancelled', 'unknown', 'voided');
      const ran = product.ledger().filter((line) => line.includes(operation_id)).length;
      const types = await product.types(operation_id);
      expect(types.filter((type) => type === 'tool.started')).toHaveLength(status === 'cancelled' || status === 'voided' ? 0 : 1);
      if (status !== 'unknown') expect(ran).toBe(status === 'completed' ? 1 : 0);
    }
  });

  it('lets ten calls proposed together wait side by side and be decided one by one', async () => {
    const proposed = (await Promise.all(Array.from({ length: 10 }, (_, index) => product.propose('refund_payment', refund(`ten-${index}`))))).map(({ json }) => json);
    expect(new Set(proposed.map(({ operation_id }) => operation_id)).size).toBe(10);
    await product.decide(proposed[3], 'approve');
    await product.decide(proposed[7], 'deny');
    await product.until(proposed[3].operation_id, 'completed');
    await product.until(proposed[7].operation_id, 'denied');
    const rest = await Promise.all(proposed.filter((_, index) => index !== 3 && index !== 7).map(({ operation_id }) => product.call('GET', `/agent/operations/${operation_id}`)));
    expect(rest.every(({ json }) => json.status === 'pending')).toBe(true);
  });

  it('cancels a waiting call, and notes the wish on a running one, whose late result is evidence only', async () => {
    const { json: waiting } = await product.propose('refund_payment', refund('c5'));
    const cancelled = await product.call('POST', `/agent/operations/${waiting.operation_id}/cancel`, { body: { reason: 'run ended' } });
    expect(cancelled.json).toMatchObject({ status: 'cancelled', decision: { comment: 'run ended' } });
    expect((await product.decide(waiting, 'approve')).status).toBe(409);
    const { json: slow } = await product.propose('slow_report', { seconds: 1 });
    await product.decide(slow, 'approve');
    await product.until(slow.operation_id, 'running');
    expect((await product.call('POST', `/agent/operations/${slow.operation_id}/cancel`, { body: {} })).json).toMatchObject({ status: 'running', run: { cancel_requested: true } });
    expect(await product.until(slow.operation_id, 'unknown')).toMatchObject({ observations: [{ observed: 'completed' }] });
  });

  it('records a failing tool as failed, once, with its error for the agent', async () => {
    const { json: proposed } = await product.propose('fail_always', {});
    await product.decide(proposed, 'approve');
    expect(await product.until(proposed.operation_id, 'failed')).toMatchObject({ outcome: { status: 'failed', error: { error: 'Error', message: 'this tool always fails' } } });
    expect(await product.types(proposed.operation_id)).toEqual(['approval.requested', 'approval.granted', 'tool.started', 'tool.failed']);
  });

  it('runs what policy allows unattended, refuses what it denies, and refuses what nobody could approve', async () => {
    const { json: allowed, status } = await product.propose('read_customer', { customer_id: 'c1' });
    expect(status).toBe(200);
    await product.until(allowed.operation_id, 'completed');
    expect(await product.types(allowed.operation_id)).toEqual(['approval.auto_granted', 'tool.started', 'tool.completed']);
    for (const [tool, reason] of [['drop_table', 'policy_denied'], ['no_such_tool', 'nobody_can_approve'], ['Refund_Payment', 'nobody_can_approve'], ['refund_payment ', 'nobody_can_approve']] as const) {
      expect(await product.propose(tool, {})).toMatchObject({ status: 403, json: { code: 'policy_denied', reason, retryable: false } });
    }
  });

  it('answers the long poll as soon as the status changes', async () => {
    const { json: proposed } = await product.propose('refund_payment', refund('c6'));
    const started = Date.now();
    const polling = product.call('GET', `/agent/operations/${proposed.operation_id}?wait_seconds=20`);
    setTimeout(() => void product.decide(proposed, 'deny'), 300);
    expect((await polling).json.status).toBe('denied');
    expect(Date.now() - started).toBeLessThan(4000);
    expect(await product.call('GET', `/agent/operations/${proposed.operation_id}?wait_seconds=21`)).toMatchObject({ status: 400, json: { code: 'invalid_request', field: 'wait_seconds' } });
  });

  it('pages the inbox oldest first and waits for a first entry when asked', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { json } = await product.call('GET', `/api/inbox?limit=3${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`, { as: 'user:ben' });
      seen.push(...json.operations.map((each: { requested_at: string }) => each.requested_at));
      cursor = json.cursor;
    } while (cursor !== undefined);
    expect(seen.length).toBeGreaterThan(3);
    expect(seen).toEqual([...seen].sort());
    const empty = await product.call('GET', '/api/inbox?wait_seconds=1', { as: 'user:zoe' });
    expect(empty.json).toEqual({ operations: [] });
  });

  it('changes nothing on GET, HEAD and OPTIONS, whatever their parameters say', async () => {
    const { json: proposed } = await product.propose('refund_payment', refund('c7'));
    const { operation_id, arguments_hash } = proposed;
    const before = (await product.call('GET', `/agent/operations/${operation_id}/events`)).text;
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])
      for (const path of [`/api/operations/${operation_id}/decisions`, `/review/${operation_id}`, `/api/operations/${operation_id}/cancel`])
        await product.call(method, `${path}?decision=approve&arguments_hash=${arguments_hash}&_method=POST`, { as: 'user:ana', headers: { 'x-http-method-override': 'POST' } });
    expect((await product.call('GET', `/agent/operations/${operation_id}/events`)).text).toBe(before);
  });

  it('tells strangers, owners, agents and nobody apart', async () => {
    const { json: proposed } = await product.propose('refund_payment', refund('c8'));
    expect((await product.decide(proposed, 'approve', 'user:zoe')).json.code).toBe('operation_not_found');
    expect((await product.decide(proposed, 'approve', 'user:olga')).json.code).toBe('own_operation');
    const path = `/api/operations/${proposed.operation_id}/decisions`;
    const body = { arguments_hash: proposed.arguments_hash, decision: 'approve' };
    expect((await product.call('POST', path, { as: null, body })).status).toBe(401);
    expect((await product.call('POST', path, { as: 'agent:billing-bot', body })).status).toBe(401);
    expect((await product.call('POST', path, { as: 'user:ana', body: { ...body, actor_id: 'user:ben' } })).json).toMatchObject({ code: 'invalid_request', field: 'actor_id' });
    expect((await product.call('GET', `/agent/operations/${proposed.operation_id}`)).json.status).toBe('pending');
  });

  it('answers only under its own loopback name', async () => {
    const { status } = await product.call('GET', '/api/inbox', { as: 'user:ana', headers: { host: 'evil.example' } });
    // fetch may refuse to send a foreign Host at all; then the name it did send was ours.
    expect([200, 421]).toContain(status);
  });
});
