// The right people, in time, on the local runtime: reminders, escalation, more time, and a glass broken on the pages.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldOf, textOf } from '../support/page-html.ts';
import { startProduct, type Product, type Reply } from '../support/local-product.ts';

const GLASS = { group: 'group:oncall', review_by: 'group:security', within_seconds: 600 };
let product: Product;

beforeAll(async () => {
  product = await startProduct({
    policies: [
      { scope: 'org:acme', document: { break_glass: GLASS } },
      {
        scope: 'workspace:w1',
        document: {
          rules: [
            { id: 'refunds', target: 'tool:refund_payment', effect: 'ask', approvers: ['user:ana'], timeout_seconds: 3600, extendable_to_seconds: 14_400, reminders: [{ after_seconds: 1 }], escalation: [{ after_seconds: 2, approvers: ['user:zoe'] }] },
            { id: 'mail', target: 'tool:send_email', effect: 'ask', approvers: ['user:ana', 'user:olga'], timeout_seconds: 3600, separation_of_duties: true },
          ],
        },
      },
    ],
  });
});
afterAll(() => product.close());

const look = async (operation_id: string, as: string): Promise<string> => (await product.call('GET', `/review/${operation_id}`, { as })).text;
/** Sends the form of a page that posts to this path, with the fields that the page gave it and these. */
async function send(page: string, path: string, as: string, fields: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const form = page.slice(page.indexOf(`action="${path}"`));
  const hidden = { arguments_hash: fieldOf(form, 'arguments_hash') ?? '', form_token: fieldOf(form, 'form_token') ?? '' };
  return product.call('POST', path, { as, raw: new URLSearchParams({ ...hidden, ...fields }).toString(), headers: { 'content-type': 'application/x-www-form-urlencoded', origin: product.url } });
}
const refund = async (amount: number): Promise<string> => (await product.propose('refund_payment', { customer_id: 'c-1', amount, currency: 'EUR' })).json.operation_id as string;
const told = async (operation_id: string, type: string): Promise<void> => {
  for (const start = Date.now(); !product.published.some((event) => event.subject === operation_id && event.type === type); ) {
    if (Date.now() - start > 15_000) throw new Error(`${type} was not told`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

describe('a call that nobody answers', () => {
  it('is reminded of and escalated, under one task token, and then decided by whoever was asked last', async () => {
    const id = await refund(10);
    expect((await product.call('GET', '/api/inbox', { as: 'user:zoe' })).json.operations).toEqual([]);
    await told(id, 'approval.reminded');
    await told(id, 'approval.escalated');
    expect((await product.call('GET', '/inbox?still=yes', { as: 'user:zoe' })).text).toContain(id);
    expect((await send(await look(id, 'user:zoe'), `/review/${id}`, 'user:zoe', { decision: 'approve' })).status).toBe(303);
    await product.until(id, 'completed');
    expect(await product.types(id)).toEqual(['approval.requested', 'approval.reminded', 'approval.escalated', 'approval.granted', 'tool.started', 'tool.completed']);
  });

  it('is given more time on the page, as far as policy goes', async () => {
    const id = await refund(20);
    const page = await look(id, 'user:ana');
    const deadlines = [...page.matchAll(/name="expires_at" value="([^"]+)"/g)].map(([, value = '']) => value);
    expect(deadlines).toHaveLength(2);
    expect((await send(page, `/review/${id}/extend`, 'user:ana', { expires_at: deadlines[1] ?? '' })).status).toBe(303);
    expect((await product.call('GET', `/api/operations/${id}`, { as: 'user:ana' })).json).toMatchObject({ status: 'pending', expires_at: deadlines[1] });
    expect(await look(id, 'user:ana')).not.toContain('name="expires_at"');
  });
});

describe('a glass', () => {
  it('is broken by two on the page, and reviewed by a third; the form of one is no form of another', async () => {
    const id = await refund(30);
    const page = await look(id, 'user:gil');
    expect(textOf(page)).toContain('Break the glass');
    const words = { reason: 'Refunds are stuck.', ticket: 'INC-7' };
    expect((await send(page, `/review/${id}/break-glass`, 'user:hal', words)).status).toBe(403);
    expect((await send(page, `/review/${id}/break-glass`, 'user:gil', { ...words, reason: ' ' })).status).toBe(400);
    expect((await send(page, `/review/${id}/break-glass`, 'user:gil', words)).status).toBe(303);
    expect(textOf(await look(id, 'user:gil'))).toContain('It takes a second person of group:oncall');
    expect(textOf(await look(id, 'user:ana'))).toContain('Somebody wants to break the glass');
    expect((await send(await look(id, 'user:hal'), `/review/${id}/break-glass`, 'user:hal', words)).status).toBe(303);
    await product.until(id, 'completed');
    await told(id, 'approval.break_glass');

    expect((await product.call('GET', '/inbox?still=yes', { as: 'user:ana' })).text).toContain('the glass was broken: to be reviewed');
    const after = await look(id, 'user:ana');
    expect(textOf(after)).toContain('Granted by breaking the glass');
    expect(await look(id, 'user:gil')).not.toContain('break-glass/review');
    expect((await send(after, `/review/${id}/break-glass/review`, 'user:ana', { comment: 'It was needed.' })).status).toBe(303);
    expect(textOf(await look(id, 'user:ana'))).toContain('Looked at by user:ana');
    await told(id, 'approval.break_glass_reviewed');
    expect((await product.call('GET', '/api/inbox', { as: 'user:ana' })).json.operations.filter((each: { operation_id: string }) => each.operation_id === id)).toEqual([]);
  });
});

it('whoever owns the agent may deny on the page, and not approve, where she is asked (133)', async () => {
  const { json } = await product.propose('send_email', { to: 'kim@example.com', subject: 'Hello', body: 'x' });
  const id = json.operation_id as string;
  const page = await look(id, 'user:olga');
  expect(page).not.toContain('value="approve"');
  expect((await send(page, `/review/${id}`, 'user:olga', { decision: 'approve' })).status).toBe(403);
  expect((await send(page, `/review/${id}`, 'user:olga', { decision: 'deny' })).status).toBe(303);
  expect((await product.until(id, 'denied')).decision).toMatchObject({ by: 'user:olga', reason: 'denied_by_approver' });
});
