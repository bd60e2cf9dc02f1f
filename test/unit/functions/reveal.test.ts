import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../lambdas/domain/json/canonical-json.ts';
import { LIMITS } from '../../../lambdas/domain/limits.ts';
import { toolSchema } from '../../../lambdas/domain/registry.ts';
import { buildHandler as showPages } from '../../../lambdas/functions/show-pages/handler.ts';
import { mintFormToken } from '../../../lambdas/pages/form-token.ts';
import { fullViewWorld, type FullViewWorld } from '../../support/full-view-world.ts';
import { textOf } from '../../support/page-html.ts';
import { NOW, OPERATION_ID, REFUND } from '../../support/page-operations.ts';
import { FORM_KEY, pageRequest, type PageRequest } from '../../support/page-requests.ts';

const ON_REQUEST = toolSchema.parse({ ...REFUND, reveal: 'on_request' });
const ARGUMENTS = { customer_id: 'c-42', password: 'hunter2hunter2', file: 'a\u202egnp.exe', nested: { '<b>': [1, 'x'] } };
const CALL = { tool: ON_REQUEST, arguments: ARGUMENTS };

/** The reveal form of the full view, read from its page. */
async function formOf(world: FullViewWorld, as = 'ana'): Promise<Record<string, string>> {
  const { page } = await world.full(as);
  const form = page.slice(page.indexOf('/reveal"'));
  const field = (name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? '';
  return { arguments_hash: field('arguments_hash'), form_token: field('form_token') };
}

describe('the exact arguments', () => {
  test('are offered on the full view of a tool that allows it, and shown when asked for', async () => {
    const world = await fullViewWorld(CALL);
    expect((await world.full('ana')).page).not.toContain('hunter2');
    const { status, page, headers } = await world.reveal('ana', await formOf(world));
    expect(status).toBe(200);
    expect(textOf(page)).toContain('"password":"hunter2hunter2"');
    expect(headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(/<title>(.*?)<\/title>/.exec(page)?.[1]).toBe('Exact arguments · Countersign');
  });

  test('are shown with deceiving characters spelled out, and with markup as text', async () => {
    const world = await fullViewWorld(CALL);
    const { page } = await world.reveal('ana', await formOf(world));
    expect(page).not.toContain('\u202e');
    expect(page).not.toContain('<b>');
    expect(textOf(page)).toContain('"<b>":[1,"x"]');
    expect(textOf(page)).toContain('\\u{202e}');
  });

  test('are recorded as shown before they are, with the person and the channel, and nothing of their content', async () => {
    const world = await fullViewWorld(CALL);
    await world.reveal('ana', await formOf(world));
    const last = world.events(OPERATION_ID).at(-1);
    expect(last?.event).toMatchObject({ type: 'approval.arguments_revealed', data: { actor: { subject: 'user:ana', kind: 'user', proof: 'jwt' }, channel: 'page', sequence: 2 } });
    expect(last?.text).not.toContain('hunter2');
    expect(world.written).toContainEqual({ code: 'CS2004', facts: { operation_id: OPERATION_ID, request_id: 'req-1' } });
  });

  test('are not shown when that cannot be recorded', async () => {
    const form = await formOf(await fullViewWorld(CALL));
    const broken = await fullViewWorld(CALL);
    Object.assign(broken.ports.eventLog, { append: () => Promise.reject(new Error('the table is gone')) });
    const { status, page } = await broken.reveal('ana', form);
    expect(status).toBe(500);
    expect(page).not.toContain('hunter2');
    expect(broken.types()).toEqual(['approval.requested']);
  });

  test('are not recorded as shown when there is nothing true to show', async () => {
    const world = await fullViewWorld(CALL);
    const form = await formOf(world);
    for (const bytes of [undefined, canonicalJson({ password: 'another' })]) {
      world.holding(bytes);
      expect((await world.reveal('ana', form)).status).toBe(500);
    }
    expect(world.types()).toEqual(['approval.requested']);
  });

  test('leave the operation waiting: it is decided as before, and its page tells who looked', async () => {
    const world = await fullViewWorld(CALL);
    await world.reveal('ana', await formOf(world));
    const review = async (): Promise<string> => (await showPages(world.ports)(pageRequest({ route: 'GET /review/{id}', id: OPERATION_ID, as: 'ben' }))).body ?? '';
    expect(textOf(await review())).toContain('Exact arguments were shown To user:ana , 13:08 UTC , on a page');
    const { page } = await world.full('ben');
    const form_token = /name="form_token" value="([^"]*)"/.exec(page)?.[1] ?? '';
    const { arguments_hash } = world.story.operation.opening.operation;
    expect((await world.decide('ben', { arguments_hash, form_token, decision: 'approve', view: 'full' })).status).toBe(303);
    expect(world.types()).toEqual(['approval.requested', 'approval.arguments_revealed', 'approval.granted']);
    expect(textOf(await review())).toContain('Exact arguments were shown To user:ana');
  });

  test('may be asked for again, each time as an event of its own, up to a limit', async () => {
    const world = await fullViewWorld(CALL);
    const form = await formOf(world);
    for (let times = 0; times < LIMITS.reveals; times += 1) expect((await world.reveal('ana', form)).status).toBe(200);
    const refused = await world.reveal('ana', form);
    expect(refused.status).toBe(403);
    expect(textOf(refused.page)).toContain('reveal_not_allowed');
    expect(world.types()).toHaveLength(1 + LIMITS.reveals);
  });
});

describe('nothing is revealed, and nothing written,', () => {
  const token = (use: 'reveal' | 'decide_full' | 'decide_short', subject = 'user:ana', hash = ''): string => mintFormToken(FORM_KEY, { use, subject, operation_id: OPERATION_ID, arguments_hash: hash }, NOW);

  async function refused(what: { as?: string; tool?: typeof REFUND; form?: (hash: string) => Record<string, string>; more?: Partial<PageRequest>; at?: number }): Promise<{ status: number | undefined; text: string }> {
    const world = await fullViewWorld({ ...CALL, tool: what.tool ?? ON_REQUEST });
    const { arguments_hash } = world.story.operation.opening.operation;
    const as = what.as ?? 'ana';
    if (what.at !== undefined) world.at(what.at);
    const form = what.form?.(arguments_hash) ?? { arguments_hash, form_token: token('reveal', `user:${as}`, arguments_hash) };
    const { status, page } = await world.reveal(as, form, what.more);
    expect(page).not.toContain('hunter2');
    expect(world.types()).toEqual(['approval.requested']);
    return { status, text: textOf(page) };
  }

  test('of a tool that does not allow it', async () => {
    const { status, text } = await refused({ tool: REFUND });
    expect(status).toBe(403);
    expect(text).toContain('reveal_not_allowed');
    expect((await (await fullViewWorld({ ...CALL, tool: REFUND })).full('ana')).page).not.toContain('/reveal');
  });

  test('of a tool that allows it only since', async () => {
    const world = await fullViewWorld({ ...CALL, tool: REFUND });
    world.defining(ON_REQUEST);
    expect((await world.full('ana')).page).not.toContain('/reveal');
    const { arguments_hash } = world.story.operation.opening.operation;
    expect((await world.reveal('ana', { arguments_hash, form_token: token('reveal', 'user:ana', arguments_hash) })).status).toBe(403);
  });

  test('of a tool that allows it no more, or is gone', async () => {
    for (const tool of [REFUND, undefined]) {
      const world = await fullViewWorld(CALL);
      const form = await formOf(world);
      world.defining(tool);
      expect((await world.reveal('ana', form)).status).toBe(403);
      expect(world.types()).toEqual(['approval.requested']);
    }
  });

  test('to the owner of the agent', async () => {
    expect(await refused({ as: 'olga' })).toMatchObject({ status: 403, text: expect.stringContaining('own_operation') });
  });

  test('to an administrator who is not asked', async () => {
    expect(await refused({ as: 'root' })).toMatchObject({ status: 403, text: expect.stringContaining('not_an_approver') });
  });

  test('to a stranger, who learns nothing', async () => {
    expect(await refused({ as: 'zoe' })).toMatchObject({ status: 404, text: expect.stringContaining('operation_not_found') });
  });

  test('past the deadline', async () => {
    expect((await refused({ at: 3600, form: (arguments_hash) => ({ arguments_hash, form_token: mintFormToken(FORM_KEY, { use: 'reveal', subject: 'user:ana', operation_id: OPERATION_ID, arguments_hash }, NOW) }) })).status).toBe(410);
  });

  test.each([
    ['the token of a decision', 'decide_full'],
    ['the token of the short page', 'decide_short'],
  ] as const)('for %s', async (_what, use) => {
    expect((await refused({ form: (arguments_hash) => ({ arguments_hash, form_token: token(use, 'user:ana', arguments_hash) }) })).status).toBe(403);
  });

  test('for somebody else’s token, another hash or another site', async () => {
    expect((await refused({ form: (arguments_hash) => ({ arguments_hash, form_token: token('reveal', 'user:ben', arguments_hash) }) })).status).toBe(403);
    expect((await refused({ form: (hash) => ({ arguments_hash: `sha256:${'0'.repeat(64)}`, form_token: token('reveal', 'user:ana', hash) }) })).status).toBe(403);
    expect((await refused({ more: { headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } } })).status).toBe(403);
  });

  test('for a form with more in it, or less', async () => {
    expect((await refused({ form: (arguments_hash) => ({ arguments_hash, form_token: token('reveal', 'user:ana', arguments_hash), decision: 'approve' }) })).status).toBe(400);
    expect((await refused({ form: (arguments_hash) => ({ arguments_hash }) })).status).toBe(400);
  });

  test('after the end', async () => {
    const world = await fullViewWorld(CALL);
    const form = await formOf(world);
    const { page } = await world.full('ana');
    const form_token = /name="form_token" value="([^"]*)"/.exec(page)?.[1] ?? '';
    await world.decide('ana', { arguments_hash: form['arguments_hash'] ?? '', form_token, decision: 'deny', view: 'full' });
    expect((await world.reveal('ana', form)).status).toBe(409);
    expect(world.types()).toEqual(['approval.requested', 'approval.denied']);
  });
});
