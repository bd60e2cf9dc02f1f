import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../lambdas/domain/json/canonical-json.ts';
import { toolSchema } from '../../../lambdas/domain/registry.ts';
import { buildHandler as showPages } from '../../../lambdas/functions/show-pages/handler.ts';
import { fullViewWorld, type FullViewWorld } from '../../support/full-view-world.ts';
import { fieldOf, namesIn, sectionOf, textOf } from '../../support/page-html.ts';
import { ASKS, OPERATION_ID, REFUND, voted } from '../../support/page-operations.ts';
import { pageRequest } from '../../support/page-requests.ts';

const RUN_CODE = toolSchema.parse({ ...REFUND, name: 'run_code', display: { critical: ['/code'] } });
const SCRIPT = `${Array.from({ length: 30 }, (_, index) => `import { step${index} } from './steps/step-${index}.js';`).join('\n')}\nawait deleteEverything('production');`;
const LONG = { tool: RUN_CODE, arguments: { code: SCRIPT } };

async function shortPage(world: FullViewWorld, as = 'ana'): Promise<string> {
  return (await showPages(world.ports)(pageRequest({ route: 'GET /review/{id}', id: OPERATION_ID, as }))).body ?? '';
}

const formOf = (page: string, decision: string): Record<string, string> => {
  const view = fieldOf(page, 'view');
  return { arguments_hash: fieldOf(page, 'arguments_hash') ?? '', form_token: fieldOf(page, 'form_token') ?? '', decision, comment: '', ...(view === undefined ? {} : { view }) };
};

describe('a script of thirty imports and one deleting line (failure 121)', () => {
  test('cannot be approved from the short page, which says what is cut and where to read it', async () => {
    const world = await fullViewWorld(LONG);
    const page = await shortPage(world);
    expect(page).not.toContain('value="approve"');
    expect(page).toContain(`href="/review/${OPERATION_ID}/full"`);
    expect(textOf(page)).toMatch(/\d+ bytes are cut/);
  });

  test('stands in the full view to its last line, from where it is approved', async () => {
    const world = await fullViewWorld(LONG);
    const { status, page } = await world.full('ana');
    expect(status).toBe(200);
    expect(textOf(page)).toContain("await deleteEverything('production');");
    expect(textOf(page)).toContain("import { step17 } from './steps/step-17.js';");
    expect(textOf(page)).toContain('page 1 of 1');
    expect((await world.decide('ana', formOf(page, 'approve'))).status).toBe(303);
    expect(world.events(OPERATION_ID).at(-1)?.event).toMatchObject({ type: 'approval.granted', data: { votes: [{ subject: 'user:ana', channel: 'page', view: 'full' }] } });
  });

  test('is not approved with the short page’s token under the name of the full view', async () => {
    const world = await fullViewWorld(LONG);
    const form = formOf(await shortPage(world), 'approve');
    expect(await world.decide('ana', { ...form, view: 'full' })).toMatchObject({ status: 403 });
    const refused = await world.decide('ana', form);
    expect(refused.status).toBe(409);
    expect(textOf(refused.page)).toContain('full_view_required');
    expect(refused.page).toContain(`href="/review/${OPERATION_ID}/full"`);
    expect(world.types()).toEqual(['approval.requested']);
  });

  test('nor with the full view’s token under the name of the short page', async () => {
    const world = await fullViewWorld(LONG);
    const { page } = await world.full('ana');
    expect((await world.decide('ana', { ...formOf(page, 'approve'), view: 'short' })).status).toBe(403);
    expect(world.types()).toEqual(['approval.requested']);
  });

  test('is denied from either', async () => {
    for (const from of ['short', 'full'] as const) {
      const world = await fullViewWorld(LONG);
      const page = from === 'short' ? await shortPage(world) : (await world.full('ana')).page;
      expect((await world.decide('ana', formOf(page, 'deny'))).status).toBe(303);
      expect(world.events(OPERATION_ID).at(-1)?.event).toMatchObject({ type: 'approval.denied', data: { vote: { view: from } } });
    }
  });
});

describe('who may have the full view', () => {
  test.each([
    ['a stranger', 'zoe'],
    ['the owner of the agent', 'olga'],
    ['an administrator', 'root'],
  ])('not %s: the page is that of an operation that is none', async (_who, as) => {
    const world = await fullViewWorld(LONG);
    const unknown = await world.full(as, { id: `op_${'f'.repeat(32)}` });
    const refused = await world.full(as);
    expect(refused.status).toBe(404);
    expect(refused.page).toBe(unknown.page);
    expect(refused.page).not.toMatch(/deleteEverything|run_code/);
  });

  test('not somebody without a sign-in', async () => {
    expect((await (await fullViewWorld(LONG)).full(undefined)).status).toBe(401);
  });

  test('a member of a group that is asked', async () => {
    const world = await fullViewWorld({ ...LONG, says: { ...ASKS, approvers: ['group:finance'] } });
    expect((await world.full('ana')).status).toBe(200);
    expect((await world.full('ben')).status).toBe(404);
  });

  test('an approver after the end too, without a form', async () => {
    const world = await fullViewWorld(LONG);
    const { page } = await world.full('ana');
    await world.decide('ana', formOf(page, 'deny'));
    const later = await world.full('ben');
    expect(later.status).toBe(200);
    expect(namesIn(later.page)).not.toContain('form');
    expect(textOf(later.page)).toContain('Denied');
  });

  test('an approver past the deadline, without the decision', async () => {
    const world = await fullViewWorld(LONG);
    world.at(3600);
    const { page } = await world.full('ana');
    expect(page).not.toContain('name="decision"');
    expect(textOf(page)).toContain('The time to decide has ended');
  });

  test('someone who has voted sees it, and cannot vote again', async () => {
    const world = await fullViewWorld({ ...LONG, says: { ...ASKS, quorum: 2 } });
    await world.decide('ana', formOf((await world.full('ana')).page, 'approve'));
    expect(textOf((await world.full('ana')).page)).toContain('votes are final');
    expect(textOf((await world.full('ben')).page)).toContain('1 of 2 approvals');
  });
});

describe('what the full view shows', () => {
  test('secrets stay hidden, and it says how many', async () => {
    const world = await fullViewWorld({ tool: toolSchema.parse({ ...REFUND, display: { always_hidden: ['/note'] } }), arguments: { password: 'hunter2hunter2', argv: ['--token', 'Zq7CANARYxK9w4'], note: 'Zq7CANARYxK9w4', text: `Bearer Zq7CANARYxK9w4 ${'filler '.repeat(5000)} token=Zq7CANARYxK9w4` } });
    const { page } = await world.full('ana');
    expect(page).not.toMatch(/hunter2|CANARY/);
    expect(textOf(page)).toContain('values are hidden here too');
  });

  test('nothing of a tool that is gone: nobody can say any more what it wanted hidden', async () => {
    const world = await fullViewWorld(LONG);
    world.defining(undefined);
    const { status, page } = await world.full('ana');
    expect(status).toBe(200);
    expect(page).not.toContain('deleteEverything');
  });

  test('hides what the tool as it is now wants hidden', async () => {
    const world = await fullViewWorld(LONG);
    world.defining(toolSchema.parse({ ...RUN_CODE, display: { always_hidden: ['/code'] } }));
    expect((await world.full('ana')).page).not.toContain('deleteEverything');
  });

  test('nothing when the vault’s bytes are not those of the hash, or are gone', async () => {
    const world = await fullViewWorld(LONG);
    for (const bytes of [canonicalJson({ code: 'print(1)' }), undefined]) {
      world.holding(bytes);
      const { status, page, headers } = await world.full('ana');
      expect(status).toBe(500);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page).not.toContain('print(1)');
      expect(textOf(page)).toContain('Something broke');
    }
  });

  test('of an operation that ended long ago, that there is nothing any more', async () => {
    const world = await fullViewWorld(LONG);
    await world.decide('ana', formOf((await world.full('ana')).page, 'deny'));
    world.holding(undefined);
    expect((await world.full('ana')).status).toBe(404);
  });
});

describe('pages', () => {
  const lines = Array.from({ length: 6000 }, (_, index) => `line ${index} of a long file`);
  const call = { tool: RUN_CODE, arguments: { code: lines.join('\n'), last: 'the end' } };

  test('together hold every line once, and lead to one another', async () => {
    const world = await fullViewWorld(call);
    const first = await world.full('ana');
    const pages = Number(/page 1 of (\d+)/.exec(textOf(first.page))?.[1]);
    expect(pages).toBeGreaterThan(3);
    const texts: string[] = [];
    for (let page = 1; page <= pages; page += 1) {
      const { status, page: shown } = await world.full('ana', { query: { page: String(page) } });
      expect(status).toBe(200);
      expect(Buffer.byteLength(shown)).toBeLessThan(128 * 1024);
      expect(shown.includes(`/full?page=${page + 1}`)).toBe(page < pages);
      expect(shown.includes(`/full?page=${page - 1}`)).toBe(page > 1);
      expect(textOf(shown)).toContain(`You decide about all ${pages} pages`);
      texts.push(sectionOf(shown, 'arguments'));
    }
    const all = texts.join(' ');
    for (const line of lines) expect(all.split(`${line} `).length - 1, line).toBe(1);
    expect(texts.at(-1)).toContain('the end');
  });

  test.each(['0', '-1', '1.5', 'x', '999', '', '01', '1e1'])('%j is no page', async (page) => {
    const world = await fullViewWorld(call);
    expect((await world.full('ana', { query: { page } })).status).toBe(400);
  });

  test('any of them approves: the token is that of the whole', async () => {
    const world = await fullViewWorld(call);
    const { page } = await world.full('ana', { query: { page: '3' } });
    expect((await world.decide('ana', formOf(page, 'approve'))).status).toBe(303);
  });
});

describe('a cut at high risk', () => {
  const many = { list: Array.from({ length: 60 }, (_, index) => `entry ${index}`) };
  test.each([
    ['low', false],
    ['medium', false],
    ['high', true],
    ['critical', true],
  ] as const)('of %s risk, the full view is needed: %s', async (level, needed) => {
    const { story } = await fullViewWorld({ tool: toolSchema.parse({ ...REFUND, risk: { level, reasons: [] } }), arguments: many });
    expect(story.operation.opening.redaction).toMatchObject({ truncated: true, full_view_required: needed });
  });

  test('is none where everything is shown', async () => {
    const { story } = await fullViewWorld();
    expect(story.operation.opening.risk.level).toBe('high');
    expect(story.operation.opening.redaction).toMatchObject({ truncated: false, full_view_required: false });
  });
});

test('looking changes nothing, whatever the query says', async () => {
  const world = await fullViewWorld(LONG);
  const { page } = await world.full('ana');
  await world.full('ana', { query: { ...formOf(page, 'approve'), page: '1' } });
  expect(world.types()).toEqual(['approval.requested']);
});

test('a wrong hash ends it, from whichever view it comes', async () => {
  const story = await voted((await fullViewWorld(LONG)).story, 'user:ana', 'approve', { hash: `sha256:${'0'.repeat(64)}` });
  expect(story.operation).toMatchObject({ status: 'denied', decision: { reason: 'arguments_hash_mismatch' } });
});
