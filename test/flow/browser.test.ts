import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { startProduct, type Product } from '../support/local-product.ts';

const refund = (customer_id: string) => ({ customer_id, amount: 120, currency: 'EUR' });

describe.skipIf(chromiumPath === undefined)('an approver in a browser', () => {
  let product: Product;
  let browser: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    product = await startProduct();
    browser = await openBrowser();
    page = await browser.newPage();
  });
  afterAll(async () => {
    await browser.close();
    await product.close();
  });

  it('signs in, finds the call in the inbox, reads it and approves it; the refund is in the ledger once', async () => {
    const { json: proposed } = await product.propose('refund_payment', refund('c-42'), { reason: 'charged <b>twice</b>' });
    await expect.poll(async () => (await product.call('GET', '/api/inbox', { as: 'user:ana' })).text).toContain(proposed.operation_id);
    await page.goto(`${product.url}/inbox`);
    await page.getByRole('button', { name: 'user:ana' }).click();
    await page.locator(`a[href*="${proposed.operation_id}"]`).first().click();
    const text = await page.locator('body').innerText();
    expect(text).toContain(proposed.fingerprint);
    expect(text).toContain(proposed.arguments_hash);
    expect(text).toContain('c-42');
    expect(text).toContain('charged <b>twice</b>');
    expect(await page.title()).not.toContain('c-42');
    await page.getByLabel(/comment/i).fill('checked with finance');
    await page.getByRole('button', { name: /approve/i }).click();
    await page.waitForURL(`**/review/${proposed.operation_id}`);
    expect(await product.until(proposed.operation_id, 'completed')).toMatchObject({ decision: { by: 'user:ana', comment: 'checked with finance' } });
    const events = (await product.call('GET', `/agent/operations/${proposed.operation_id}/events`)).json.events;
    expect(events[1].data.votes[0]).toMatchObject({ channel: 'page', via: 'user:ana' });
    expect(product.ledger().filter((line) => line.includes(proposed.operation_id))).toHaveLength(1);
    await page.reload();
    expect(await page.locator('body').innerText()).toMatch(/completed/i);
    expect(await page.getByRole('button', { name: /approve/i }).count()).toBe(0);
  });

  it('denies with a comment, and Back and a second submit change nothing', async () => {
    const { json: proposed } = await product.propose('refund_payment', refund('c-43'));
    await page.goto(`${product.url}/review/${proposed.operation_id}`);
    await page.getByLabel(/comment/i).fill('wrong customer');
    await page.getByRole('button', { name: /deny/i }).click();
    await product.until(proposed.operation_id, 'denied');
    await page.goBack();
    const again = page.getByRole('button', { name: /approve/i });
    if ((await again.count()) > 0) await again.click();
    expect(await product.until(proposed.operation_id, 'denied')).toMatchObject({ decision: { comment: 'wrong customer' } });
    expect(await product.types(proposed.operation_id)).toEqual(['approval.requested', 'approval.denied']);
  });

  it('runs no script, loads nothing from elsewhere and breaks no policy of its own', async () => {
    const { json: proposed } = await product.propose('send_email', { to: 'a@example.org', subject: '</title><script>alert(1)</script>', body: '<img src=x onerror=alert(1)>' });
    const complaints: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => asked.push(request.url()));
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    await page.goto(`${product.url}/review/${proposed.operation_id}`);
    expect(await page.locator('script').count()).toBe(0);
    expect(complaints).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(product.url))).toEqual([]);
  });

  it.each([360, 1440])('fits a window of %i pixels without scrolling sideways', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    const { json: proposed } = await product.propose('run_command', { command: 'x'.repeat(400), args: Array.from({ length: 40 }, (_, index) => `--flag-${index}`) });
    for (const path of ['/inbox', `/review/${proposed.operation_id}`]) {
      await page.goto(product.url + path);
      expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    }
  });

  it('does not let another site post the form', async () => {
    const { json: proposed } = await product.propose('refund_payment', refund('c-44'));
    await page.goto(`${product.url}/review/${proposed.operation_id}`);
    const form_token = await page.locator('input[name="form_token"]').first().inputValue();
    const foreign = await browser.newPage();
    await foreign.goto('data:text/html,<p>elsewhere</p>');
    const posting = foreign.waitForResponse((response) => response.url().includes('/review/')).catch(() => undefined);
    const fields = { arguments_hash: proposed.arguments_hash, decision: 'approve', form_token };
    await foreign.setContent(`<form method="post" action="${product.url}/review/${proposed.operation_id}">${Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`).join('')}<button>go</button></form>`);
    await foreign.getByRole('button').click();
    expect([401, 403]).toContain((await posting)?.status());
    expect((await product.call('GET', `/agent/operations/${proposed.operation_id}`)).json.status).toBe('pending');
  });
});
