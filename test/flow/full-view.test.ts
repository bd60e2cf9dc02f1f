// What does not fit the short view, what is hidden, and what must not be guessed: over HTTP, on the local runtime.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { argumentsHash } from '../../lambdas/domain/binding.ts';
import { canonicalJson } from '../../lambdas/domain/json/canonical-json.ts';
import { sha256Hex } from '../../lambdas/domain/json/digest.ts';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { startProduct, type Product } from '../support/local-product.ts';
import { fieldOf, textOf } from '../support/page-html.ts';

const CANARY = 'Zq7CANARYxK9w4';
const SCRIPT = `${Array.from({ length: 2500 }, (_, index) => `import { step${index} } from './steps/step-${index}.js';`).join('\n')}\nawait deleteEverything('production');`;
const COMMAND = { command: SCRIPT, password: CANARY, env: [{ name: 'DB_PASSWORD', value: CANARY }] };
const CARD = { card_id: 'k-7', pin: '4821' };

let product: Product;
let toolSaw: { arguments_hash?: string; arguments?: unknown } = {};
beforeAll(async () => {
  product = await startProduct({
    tools: {
      set_card_pin: async (event) => {
        toolSaw = event;
        return { set: event.arguments };
      },
    },
  });
});
afterAll(() => product.close());

const get = (path: string, as = 'user:ana') => product.call('GET', path, { as });
const post = (path: string, form: Record<string, string>, as = 'user:ana') =>
  product.call('POST', path, { as, raw: new URLSearchParams(form).toString(), headers: { 'content-type': 'application/x-www-form-urlencoded', origin: product.url, 'sec-fetch-site': 'same-origin' } });

describe('a command that is cut on the short page', () => {
  it('is refused to those who saw the short view, and approved from the full one', async () => {
    const { json: proposed } = await product.propose('run_command', COMMAND);
    const { operation_id } = proposed;
    expect(await product.decide(proposed, 'approve')).toMatchObject({ status: 409, json: { code: 'full_view_required', full_view: `/review/${operation_id}/full` } });
    const first = await get(`/api/operations/${operation_id}/full`);
    expect(first.json).toMatchObject({ arguments_hash: proposed.arguments_hash, page: 1, hidden_values: 2, may_reveal: false });
    const texts: string[] = [];
    for (let page = 1; page <= first.json.pages; page += 1) {
      const shown = await get(`/api/operations/${operation_id}/full?page=${page}`);
      expect(shown.text).not.toContain(CANARY);
      texts.push(...shown.json.rows.filter(({ name }: { name?: string }) => name === 'command').map(({ text }: { text: string }) => text));
    }
    expect(texts.join('')).toBe(SCRIPT);
    expect((await product.decide(proposed, 'approve', 'user:ana', { view: 'full' })).status).toBe(200);
    await product.until(operation_id, 'completed');
  });

  it('shows its last line on the last page, whose form approves', async () => {
    const { json: proposed } = await product.propose('run_command', COMMAND);
    const path = `/review/${proposed.operation_id}`;
    const short = await get(path);
    expect(short.text).not.toContain('value="approve"');
    expect(short.text).toContain(`href="${path}/full"`);
    const first = await get(`${path}/full`);
    const pages = Number(/page 1 of (\d+)/.exec(textOf(first.text))?.[1]);
    expect(pages).toBeGreaterThan(2);
    const last = await get(`${path}/full?page=${pages}`);
    expect(textOf(last.text)).toContain("await deleteEverything('production');");
    for (const { text } of [short, first, last]) expect(text).not.toContain(CANARY);
    const field = (page: string, name: string): string => fieldOf(page, name) ?? '';
    const form = { arguments_hash: proposed.arguments_hash, decision: 'approve', view: 'full' };
    expect((await post(path, { ...form, form_token: field(short.text, 'form_token') })).status).toBe(403);
    expect((await post(path, { ...form, form_token: field(last.text, 'form_token') })).status).toBe(303);
    expect(await product.until(proposed.operation_id, 'completed')).toMatchObject({ decision: { votes: [{ channel: 'page', view: 'full' }] } });
  });

  it('is in full for its approvers only: everybody else gets the page of an operation that is none', async () => {
    const { json: proposed } = await product.propose('run_command', COMMAND);
    for (const as of ['user:ben', 'user:olga', 'user:zoe']) {
      for (const path of [`/review/${proposed.operation_id}/full`, `/api/operations/${proposed.operation_id}/full`]) expect((await get(path, as)).status).toBe(404);
    }
    expect((await product.call('GET', `/api/operations/${proposed.operation_id}/full`, { as: 'agent:billing-bot' })).status).toBe(401);
    expect((await product.call('GET', `/review/${proposed.operation_id}/full`, { as: null })).headers.get('location')).toContain('/sign-in');
    expect(await product.call('POST', `/api/operations/${proposed.operation_id}/reveal`, { as: 'user:ana', body: {} })).toMatchObject({ status: 403, json: { code: 'reveal_not_allowed' } });
  });

  it('changes by no GET, HEAD or OPTIONS', async () => {
    const { json: proposed } = await product.propose('run_command', COMMAND);
    const before = (await get(`/api/operations/${proposed.operation_id}/events`)).text;
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])
      for (const path of [`/review/${proposed.operation_id}/full`, `/review/${proposed.operation_id}/reveal`, `/api/operations/${proposed.operation_id}/full`, `/api/operations/${proposed.operation_id}/reveal`])
        await product.call(method, `${path}?decision=approve&view=full&arguments_hash=${proposed.arguments_hash}&_method=POST`, { as: 'user:ana' });
    expect((await get(`/api/operations/${proposed.operation_id}/events`)).text).toBe(before);
  });
});

describe('a confidential tool', () => {
  it('runs like any other, while nothing that anybody reads lets its PIN be found offline', async () => {
    const proposal = await product.propose('set_card_pin', CARD, { call_id: 'pin-1', reason: 'new card' });
    const proposed = proposal.json;
    const { operation_id } = proposed;
    const plain = argumentsHash(canonicalJson(CARD));
    const key = readFileSync(join(product.data_folder, 'hash-key'));
    expect(proposed.arguments_hash).toBe(`hmac-sha256:${createHmac('sha256', key).update(Buffer.from(plain.slice(7), 'hex')).digest('hex')}`);
    const seen = [proposal.text];
    const look = async (): Promise<void> => {
      for (const path of [`/api/operations/${operation_id}`, `/api/operations/${operation_id}/events`, `/api/operations/${operation_id}/full`, `/review/${operation_id}`, `/review/${operation_id}/full`, '/api/inbox', '/inbox']) seen.push((await get(path)).text);
    };
    await expect.poll(async () => (await get('/api/inbox')).text).toContain(operation_id);
    await look();
    expect((await product.propose('set_card_pin', CARD, { call_id: 'pin-1' })).json.operation_id).toBe(operation_id);
    seen.push((await product.decide(proposed, 'approve')).text);
    await product.until(operation_id, 'completed');
    await look();
    expect(toolSaw).toMatchObject({ arguments_hash: plain, arguments: CARD });
    await expect.poll(() => product.published.filter((event) => event.subject === operation_id).map(({ type }) => type)).toContain('tool.completed');
    seen.push(JSON.stringify(product.published), readFileSync(join(product.data_folder, 'log.jsonl'), 'utf8'));
    const digests = new Set(seen.join('\n').match(/[0-9a-f]{64}/g));
    for (let number = 0; number < 10_000; number += 1) {
      const guess = { ...CARD, pin: String(number).padStart(4, '0') };
      for (const text of [canonicalJson(guess), JSON.stringify({ set: guess })]) expect(digests.has(sha256Hex(text))).toBe(false);
    }
    expect(seen.join('\n')).toContain('Set the PIN of card k-7');
    // In quotes: among random ids the four digits alone turn up sooner or later.
    expect(seen.join('\n')).not.toMatch(/(?:"|&quot;)4821/);
  });

  it('is denied for good by a hash that nobody was shown, the plain one too', async () => {
    const { json: proposed } = await product.propose('set_card_pin', CARD);
    expect((await product.decide({ ...proposed, arguments_hash: argumentsHash(canonicalJson(CARD)) }, 'approve')).json.code).toBe('arguments_changed');
    expect(await product.until(proposed.operation_id, 'denied')).toMatchObject({ decision: { reason: 'arguments_hash_mismatch' } });
  });

  it('is claimed by its keyed hash after a restart as well', async () => {
    const first = await startProduct();
    const { json: proposed } = await first.propose('set_card_pin', CARD);
    await first.close();
    const second = await startProduct({ data_folder: first.data_folder });
    await second.decide(proposed, 'approve');
    await second.until(proposed.operation_id, 'completed');
    await second.close();
  });

  it('shows its exact arguments to an approver who asks, and tells everybody that it did', async () => {
    const { json: proposed } = await product.propose('set_card_pin', CARD);
    const { operation_id } = proposed;
    expect((await product.call('POST', `/api/operations/${operation_id}/reveal`, { as: 'user:zoe', body: {} })).status).toBe(404);
    const revealed = await product.call('POST', `/api/operations/${operation_id}/reveal`, { as: 'user:ana', body: {} });
    expect(revealed.text).toBe(canonicalJson(CARD));
    const { text: full } = await get(`/review/${operation_id}/full`);
    const form = full.slice(full.indexOf('/reveal"'));
    const shown = await post(`/review/${operation_id}/reveal`, { arguments_hash: fieldOf(form, 'arguments_hash') ?? '', form_token: fieldOf(form, 'form_token') ?? '' });
    expect(textOf(shown.text)).toContain('"pin":"4821"');
    expect(await product.types(operation_id)).toEqual(['approval.requested', 'approval.arguments_revealed', 'approval.arguments_revealed']);
    expect((await get(`/review/${operation_id}`)).text).toContain('Exact arguments were shown');
    expect((await product.call('GET', `/agent/operations/${operation_id}`)).json).toMatchObject({ status: 'pending', reveals: [{ subject: 'user:ana', channel: 'api' }, { subject: 'user:ana', channel: 'page' }] });
    expect((await product.decide(proposed, 'deny')).json.status).toBe('denied');
    await expect.poll(() => product.published.map(({ type }) => type)).toContain('approval.arguments_revealed');
    expect(JSON.stringify(product.published)).not.toMatch(/(?:"|&quot;)4821/);
  });
});

describe('arguments that cannot be read in exactly one way', () => {
  const propose = (args: string) => product.call('POST', '/agent/operations', { raw: `{"tool":"refund_payment","arguments":${args},"scope":{"workspace_id":"w1","agent_id":"billing-bot"}}` });

  it.each([
    ['{"amount":9007199254740993}', '/arguments/amount', 'integer_out_of_range', 'send integers beyond 2^53−1 as strings'],
    ['{"a":[1,1e400]}', '/arguments/a/1', 'number_not_finite', 'send it as a string'],
    ['{"a":1,"\\u0061":2}', '/arguments/a', 'duplicate_key', 'send each key once'],
    ['{"text":"\\ud800"}', '/arguments/text', 'lone_surrogate', 'send whole characters; send binary data as a base64 string'],
  ])('%s is refused with the place, the reason and what to do', async (args, pointer, reason, hint) => {
    const refused = await propose(args);
    expect(refused).toMatchObject({ status: 422, json: { code: 'arguments_not_canonical', pointer, reason, hint } });
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
  });
});

it('the icon that browsers ask for unasked is answered with nothing', async () => {
  expect((await product.call('GET', '/favicon.ico', { as: null })).status).toBe(204);
});

describe.skipIf(chromiumPath === undefined)('an approver in a browser', () => {
  it('reads on to the last page, approves there, and finds it granted', async () => {
    const { json: proposed } = await product.propose('run_command', COMMAND);
    const browser = await openBrowser();
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(`${product.url}/review/${proposed.operation_id}`);
    await page.getByRole('button', { name: 'user:ana' }).click();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Read everything, and decide there' }).click();
    for (let next = page.getByRole('link', { name: 'Next page' }); (await next.count()) > 0; next = page.getByRole('link', { name: 'Next page' })) await next.click();
    expect(await page.locator('main').innerText()).toContain("await deleteEverything('production');");
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    }
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(`**/review/${proposed.operation_id}`);
    await product.until(proposed.operation_id, 'completed');
    expect(complaints).toEqual([]);
    await browser.close();
  });
});
