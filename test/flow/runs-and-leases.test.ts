// Runs, the cap and leases over HTTP, on the tables of the local runtime.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProduct, type Product } from '../support/local-product.ts';

const refund = (customer_id: string) => ({ customer_id, amount: 1, currency: 'EUR' });
const inRun = (run_id: string) => ({ scope: { workspace_id: 'w1', agent_id: 'billing-bot', run_id } });

describe('what an agent has open', () => {
  let product: Product;
  beforeAll(async () => {
    product = await startProduct({ max_pending_per_agent: 4 });
  });
  afterAll(() => product.close());

  it('is one operation when eight propose the same at once, and ends with its run', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => product.propose('refund_payment', refund('same'), inRun('run-1'))));
    expect(new Set(replies.map(({ status, json }) => `${status} ${json.operation_id}`)).size).toBe(1);
    const [first] = replies;
    expect((await product.call('GET', '/agent/runs/run-1')).json).toMatchObject({ status: 'waiting_for_approval', operations: [{ operation_id: first?.json.operation_id, status: 'pending' }] });
    expect((await product.call('GET', '/agent/runs/run-1', { as: 'agent:assistant' })).status).not.toBe(200);
    expect((await product.call('POST', '/agent/runs/run-1/cancel', { body: { reason: 'the user left' } })).json).toMatchObject({ status: 'cancelled', operations: [] });
    expect(await product.until(first?.json.operation_id, 'cancelled')).toMatchObject({ decision: { comment: 'the user left' } });
    expect(await product.propose('refund_payment', refund('next'), inRun('run-1'))).toMatchObject({ status: 409, json: { code: 'run_cancelled' } });
    expect((await product.call('GET', '/agent/runs/run-9')).json).toMatchObject({ code: 'run_not_found' });
  });

  it('is never more than there is room for, when twelve come at once, and makes room when it ends', async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, (_, index) => product.propose('refund_payment', refund(`cap-${index}`), inRun('run-2'))));
    const pending = replies.filter(({ status }) => status === 202).length;
    expect(pending).toBeLessThanOrEqual(4);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(12 - pending);
    await product.call('POST', '/agent/runs/run-2/cancel', { body: {} });
    expect((await product.propose('refund_payment', refund('after'), inRun('run-3'))).status).toBe(202);
    await product.call('POST', '/agent/runs/run-3/cancel', { body: {} });
  });

  it('is closed when its agent is gone, and not while it says that it is there', async () => {
    const [there, gone] = await Promise.all(['there', 'gone'].map(async (name) => (await product.propose('refund_payment', refund(name), { lease_seconds: 5 })).json));
    const renewing = setInterval(() => void product.call('POST', `/agent/operations/${there.operation_id}/renew`, { body: {} }), 1000);
    expect(await product.until(gone.operation_id, 'cancelled')).toMatchObject({ decision: { by: 'system:clock', reason: 'requester_gone' } });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    clearInterval(renewing);
    expect((await product.call('GET', `/agent/operations/${there.operation_id}`)).json).toMatchObject({ status: 'pending' });
    expect((await product.decide(gone, 'approve')).status).toBe(409);
    expect((await product.decide(there, 'approve')).status).toBe(200);
    await product.until(there.operation_id, 'completed');
  });
});
