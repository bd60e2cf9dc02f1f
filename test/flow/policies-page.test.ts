import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { startProduct, type Product } from '../support/local-product.ts';

const refund = (amount: number): string => JSON.stringify({ customer_id: 'c-1', amount, currency: 'EUR' });

describe.skipIf(chromiumPath === undefined)('the policy page in a browser', () => {
  let product: Product;
  let browser: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    product = await startProduct();
    browser = await openBrowser();
    page = await browser.newPage();
    await page.goto(`${product.url}/policies`);
    await page.getByRole('button', { name: 'user:ana' }).click();
  });
  afterAll(async () => {
    await browser.close();
    await product.close();
  });

  const explain = async (tool: string, text: string): Promise<string> => {
    await page.getByLabel('Tool', { exact: true }).fill(tool);
    await page.getByLabel('Arguments, as JSON').fill(text);
    await page.getByRole('button', { name: 'Explain' }).click();
    return page.getByRole('region', { name: /^(Allowed|Asks|Denied|Refused|This could not be explained)$/ }).innerText();
  };

  it('is found from the inbox, and shows the scope that is chosen', async () => {
    await page.goto(`${product.url}/inbox`);
    await page.getByRole('link', { name: 'Policy' }).click();
    await page.getByLabel('Scope', { exact: true }).selectOption('workspace:w2');
    await page.getByRole('button', { name: 'Show' }).click();
    const text = await page.locator('main').innerText();
    for (const part of ['org:acme', 'tables.never-dropped', 'Revision 1', 'refunds.leads', '2 approvals from group:leads, within 4 h', 'Holds: the workspace has a sandbox.']) expect(text).toContain(part);
  });

  it.each([
    ['a refund of 50: allowed', 'refund_payment', refund(50), ['Allowed', 'workspace:w2/refunds.small']],
    ['a refund of 500: finance is asked', 'refund_payment', refund(500), ['Asks', '1 approval from group:finance', 'user:ben as one of group:finance']],
    ['a refund of 50,000: finance and two leads are asked', 'refund_payment', refund(50_000), ['Asks', '1 approval from group:finance', '2 approvals from group:leads', 'Time to decide\n4 h']],
    ['dropping a table: denied', 'drop_table', '{"table":"customers"}', ['Denied', 'org:acme/tables.never-dropped']],
    ['a key that stands twice: not read', 'refund_payment', '{"amount":1,"amount":2}', ['could not be explained', '/amount', 'send each key once']],
  ])('explains %s', async (_what, tool, text, parts) => {
    await page.goto(`${product.url}/policies?scope=workspace%3Aw2`);
    const answer = await explain(tool, text);
    for (const part of parts) expect(answer).toContain(part);
    expect(await page.getByLabel('Arguments, as JSON').inputValue()).toBe(text);
    expect(page.url()).toBe(`${product.url}/policies`);
  });

  it('goes on from one question to the next', async () => {
    expect(await explain('refund_payment', refund(500))).toContain('Asks');
    expect(await explain('refund_payment', refund(50))).toContain('Allowed');
  });

  it('gives back to the letter what was typed', async () => {
    const typed = '\n{"note":"</textarea><script>alert(1)</script> \u00e9"}';
    await explain('refund_payment', typed);
    expect(await page.getByLabel('Arguments, as JSON').inputValue()).toBe(typed);
    expect(await page.locator('script').count()).toBe(0);
  });

  it.each([360, 1440])('fits a window of %i pixels without scrolling sideways', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${product.url}/policies?scope=workspace%3Aw2`);
    await explain('run_command', JSON.stringify({ command: 'x'.repeat(400) }));
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
  });

  it('asks nothing of anybody else, and complains of nothing', async () => {
    const complaints: string[] = [];
    const asked: string[] = [];
    const visited = await browser.newPage();
    visited.on('console', (message) => complaints.push(message.text()));
    visited.on('request', (request) => asked.push(request.url()));
    await visited.goto(`${product.url}/policies?scope=agent%3Abilling-bot`);
    expect(complaints).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(product.url))).toEqual([]);
  });

  it('does not explain anything to another site', async () => {
    const foreign = await browser.newPage();
    await foreign.goto('data:text/html,<p>elsewhere</p>');
    const posting = foreign.waitForResponse((response) => response.url().endsWith('/policies')).catch(() => undefined);
    await foreign.setContent(`<form method="post" action="${product.url}/policies"><input name="tool" value="drop_table"><input name="scope" value="org:acme"><input name="form_token" value="x"><button>go</button></form>`);
    await foreign.getByRole('button').click();
    expect([401, 403]).toContain((await posting)?.status());
  });
});
