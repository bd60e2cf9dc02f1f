import { describe, expect, test } from 'vitest';
import { plusSeconds } from '../../../lambdas/domain/times.ts';
import { buildFormHandler } from '../../../lambdas/functions/decide-operation/form-handler.ts';
import { mintFormToken } from '../../../lambdas/pages/form-token.ts';
import { namesIn, textOf } from '../../support/page-html.ts';
import { asked, NOW, OPERATION_ID } from '../../support/page-operations.ts';
import { FORM_KEY, HOST, pageRequest, pageWorld, type PageRequest, type PageWorld } from '../../support/page-requests.ts';

const SAME_ORIGIN = { origin: `https://${HOST}`, 'sec-fetch-site': 'same-origin' };
const { arguments_hash } = (await asked()).operation.opening.operation;
const tokenFor = (subject: string): string => mintFormToken(FORM_KEY, { use: 'decide_short', subject, operation_id: OPERATION_ID, arguments_hash }, plusSeconds(NOW, 30));
const filled = (more: Record<string, string> = {}): Record<string, string> => ({ arguments_hash, decision: 'approve', comment: '', form_token: tokenFor('user:ana'), ...more });

async function post(world: PageWorld, more: Partial<PageRequest> = {}) {
  const reply = await buildFormHandler(world.ports)(pageRequest({ route: 'POST /review/{id}', id: OPERATION_ID, as: 'ana', headers: SAME_ORIGIN, form: filled(), ...more }));
  return { status: reply.statusCode, location: reply.headers?.location, page: reply.body ?? '', type: reply.headers?.['content-type'] };
}

const types = (world: PageWorld): readonly string[] => world.events(OPERATION_ID).map(({ event }) => event.type);

describe('the form of the review page', () => {
  test('approves, and sends the browser back to the page', async () => {
    const world = pageWorld([await asked()]);
    expect(await post(world)).toMatchObject({ status: 303, location: `/review/${OPERATION_ID}` });
    expect(types(world)).toEqual(['approval.requested', 'approval.granted']);
  });

  test('denies with the comment, and records that it came by page', async () => {
    const world = pageWorld([await asked()]);
    await post(world, { form: filled({ decision: 'deny', comment: 'Wrong customer.\r\nAsk again.' }) });
    const last = world.events(OPERATION_ID).at(-1)?.event;
    expect(last).toMatchObject({ type: 'approval.denied', data: { vote: { subject: 'user:ana', channel: 'page', comment: 'Wrong customer.\nAsk again.' } } });
  });

  test('an empty comment is none', async () => {
    const world = pageWorld([await asked()]);
    await post(world, { form: filled({ comment: ' \r\n ' }) });
    expect(world.events(OPERATION_ID).at(-1)?.text).not.toContain('"comment"');
  });

  test('a double click is one vote; the opposite vote is refused with a page', async () => {
    const world = pageWorld([await asked()]);
    const [first, second] = await Promise.all([post(world), post(world)]);
    expect([first.status, second.status]).toEqual([303, 303]);
    const opposite = await post(world, { form: filled({ decision: 'deny' }) });
    expect(opposite).toMatchObject({ status: 409, type: 'text/html; charset=utf-8' });
    expect(textOf(opposite.page)).toContain('already_decided , status 409');
    expect(opposite.page).toContain(`href="/review/${OPERATION_ID}"`);
    expect(types(world)).toEqual(['approval.requested', 'approval.granted']);
  });

  test('past the deadline nothing is taken', async () => {
    const world = pageWorld([await asked()]);
    world.at(3600);
    expect((await post(world)).status).toBe(410);
    expect(types(world)).toEqual(['approval.requested']);
  });
});

describe('a form that is not ours is refused and writes nothing (failures 010, 011)', () => {
  test.each<[string, Partial<PageRequest>]>([
    ['from another origin', { headers: { origin: 'https://evil.example' } }],
    ['from another site by the browser’s word', { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['from a sibling host', { headers: { 'sec-fetch-site': 'same-site', origin: `https://other.${HOST}` } }],
    ['from the null origin', { headers: { origin: 'null' } }],
    ['from the null origin of another site', { headers: { origin: 'null', 'sec-fetch-site': 'cross-site' } }],
    ['with the token of another person', { form: filled({ form_token: tokenFor('user:ben') }) }],
    ['with the token of another operation', { form: filled({ form_token: mintFormToken(FORM_KEY, { use: 'decide_short', subject: 'user:ana', operation_id: `op_${'f'.repeat(32)}`, arguments_hash }, NOW) }) }],
    ['with the token of another hash', { form: filled({ arguments_hash: `sha256:${'0'.repeat(64)}` }) }],
    ['with a token of long ago', { form: filled({ form_token: mintFormToken(FORM_KEY, { use: 'decide_short', subject: 'user:ana', operation_id: OPERATION_ID, arguments_hash }, plusSeconds(NOW, -7200)) }) }],
    ['with a made-up token', { form: filled({ form_token: '9999999999.AAAA' }) }],
    ['with an empty token', { form: filled({ form_token: '' }) }],
  ])('%s', async (_what, request) => {
    const world = pageWorld([await asked()]);
    const { status, page } = await post(world, request);
    expect(status).toBe(403);
    expect(textOf(page)).toContain('cross_site_request');
    expect(types(world)).toEqual(['approval.requested']);
    expect(world.written).toContainEqual({ code: 'CS2002', facts: { operation_id: OPERATION_ID, request_id: 'req-1', code: 'cross_site_request' } });
  });

  test('tokens and comments are in no log line', async () => {
    const world = pageWorld([await asked()]);
    const form_token = tokenFor('user:ben');
    await post(world, { form: filled({ form_token, comment: 'said in private' }) });
    await post(world, { form: filled({ comment: 'said in private' }) });
    expect(JSON.stringify(world.written)).not.toMatch(new RegExp(`said in private|${form_token.slice(-20)}`));
  });
});

describe('bad input is a page with its status, and writes nothing', () => {
  const without = (name: string): Record<string, string> => Object.fromEntries(Object.entries(filled()).filter(([each]) => each !== name));
  test.each<[string, number, Partial<PageRequest>]>([
    ['no identity', 401, { as: undefined }],
    ['an unknown operation', 403, { id: `op_${'f'.repeat(32)}` }],
    ['an id that none can have', 404, { id: '../x' }],
    ['an unknown field', 400, { form: filled({ actor_id: 'user:ben' }) }],
    ['a method override', 400, { form: filled({ _method: 'PUT' }) }],
    ['no token', 400, { form: without('form_token') }],
    ['no decision, as a script’s plain submit sends it', 400, { form: without('decision') }],
    ['a decision that is none', 400, { form: filled({ decision: 'maybe' }) }],
    ['a hash that is none', 400, { form: filled({ arguments_hash: 'sha256:abc' }) }],
    ['a comment over its bytes', 400, { form: filled({ comment: 'ü'.repeat(1025) }) }],
    ['a body over its bytes', 413, { form: filled({ comment: 'x'.repeat(20_000) }) }],
    ['another content type', 415, { headers: { ...SAME_ORIGIN, 'content-type': 'application/json' } }],
  ])('%s', async (_what, status, request) => {
    const world = pageWorld([await asked()]);
    const reply = await post(world, request);
    expect(reply).toMatchObject({ status, type: 'text/html; charset=utf-8' });
    expect(namesIn(reply.page)).not.toContain('script');
    expect(types(world)).toEqual(['approval.requested']);
  });

  test('query parameters decide nothing', async () => {
    const world = pageWorld([await asked()]);
    expect((await post(world, { form: {}, query: filled() })).status).toBe(400);
    expect(types(world)).toEqual(['approval.requested']);
  });

  test('somebody who is not asked learns nothing, even with a token of their own', async () => {
    const world = pageWorld([await asked()]);
    const { status, page } = await post(world, { as: 'zoe', form: filled({ form_token: tokenFor('user:zoe') }) });
    expect(status).toBe(404);
    expect(page).not.toContain('refund');
    expect(types(world)).toEqual(['approval.requested']);
  });
});
