import { describe, expect, test } from 'vitest';
import { Fault, type FaultName } from '../../../lambdas/domain/faults.ts';
import { refusal, REFUSAL_STATUS, type RefusalCode } from '../../../lambdas/domain/refusals.ts';
import { byRoute, httpFunction, type Respond } from '../../../lambdas/middleware/http-function.ts';
import { json, page, problem, seeOther, type HttpReply } from '../../../lambdas/middleware/reply.ts';
import { keptLog } from '../../support/in-memory-system.ts';
import { recorded, withToken } from './recorded-requests.ts';

const CANARY = 'CANARY item {"token":"AAAA"}';
const REQUEST_ID = 'JKJaXmPLvHcESHA=';

async function answer(respond: Respond, frame: { readonly styleSources?: string } = {}): Promise<{ readonly reply: HttpReply; readonly headers: Record<string, string>; readonly log: ReturnType<typeof keptLog> }> {
  const log = keptLog();
  const reply = await httpFunction({ log, ...frame }, respond)(recorded(withToken));
  const headers = Object.fromEntries(Object.entries(reply.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]));
  return { reply, headers, log };
}

const throwing = (thrown: unknown): Respond => async () => {
  throw thrown;
};

const REPLIES: readonly (readonly [string, Respond])[] = [
  ['a success', async () => json(200, { ok: true })],
  ['a page', async () => page(200, '<p>')],
  ['a redirect', async () => seeOther('/inbox')],
  ['a refusal', async () => problem(refusal('not_an_approver', 'You are not among the approvers.'))],
  ['a fault', throwing(new Fault('Misconfigured', 'x'))],
  ['a fault that passes', throwing(new Fault('Unavailable', 'x'))],
  ['an error that nobody expected', throwing(new TypeError('x'))],
];

describe.each(REPLIES)('%s', (_, respond) => {
  test('carries the security headers', async () => {
    const { headers } = await answer(respond);
    expect(headers).toMatchObject({
      'strict-transport-security': expect.stringMatching(/^max-age=\d{7,}/) as string,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    const policy = headers['content-security-policy'] ?? '';
    for (const directive of ["default-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"]) expect(policy).toContain(directive);
    expect(policy).not.toMatch(/script-src|unsafe|\*/);
    for (const told of ['server', 'x-powered-by', 'access-control-allow-origin']) expect(headers).not.toHaveProperty(told);
  });
});

describe('no reply may be kept by a cache', () => {
  test.each(REPLIES)('%s', async (_, respond) => {
    expect((await answer(respond)).headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
  });
});

test('a page may use its own style sheet, and an API may use none', async () => {
  expect((await answer(async () => page(200, ''), { styleSources: "'sha256-abc'" })).headers['content-security-policy']).toContain("style-src 'sha256-abc'");
  expect((await answer(async () => json(200, {}))).headers['content-security-policy']).not.toContain('style-src');
});

describe('what breaks', () => {
  test.each<[FaultName, number]>([
    ['Unavailable', 503],
    ['AppendConflict', 503],
    ['Misconfigured', 500],
    ['CorruptRecord', 500],
    ['OutcomeUnknown', 500],
    ['NotGranted', 500],
  ])('as %s answers %i and tells the request id and no more', async (name, status) => {
    const { reply, headers } = await answer(throwing(new Fault(name, CANARY, { cause: new Error(CANARY) })));
    expect(reply.statusCode).toBe(status);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(headers['retry-after']).toBe(status === 503 ? '1' : undefined);
    expect(JSON.parse(reply.body ?? '')).toEqual({ type: 'about:blank', title: status === 503 ? 'Not recorded; try again' : 'Something broke; nothing claims success', status, request_id: REQUEST_ID });
  });

  test.each([
    ['an error', new Error(CANARY)],
    ['an error of the SDK (200)', Object.assign(new Error(CANARY), { name: 'ConditionalCheckFailedException', $fault: 'client', $metadata: { httpStatusCode: 400 }, Item: { token: CANARY } })],
    ['an object that says it is a 400 (200)', { statusCode: 400, message: CANARY, body: CANARY }],
    ['an error that says it may be shown', Object.assign(new Error(CANARY), { statusCode: 422, expose: true })],
    ['an error that says it is a success', Object.assign(new Error(CANARY), { statusCode: 200, body: CANARY })],
    ['an error that carries a reply', Object.assign(new Error(CANARY), { response: { statusCode: 200, body: CANARY } })],
    ['an impostor of a fault', Object.assign(new Error(CANARY), { name: 'Unavailable', retryable: true })],
    ['a text', CANARY],
    ['nothing', undefined],
    ['null', null],
  ])('as %s is a 500, never the success or the words of others (199)', async (_, thrown) => {
    const { reply, log } = await answer(throwing(thrown));
    expect(reply.statusCode).toBe(500);
    expect(JSON.stringify(reply)).not.toContain('CANARY');
    expect(JSON.stringify(log.lines)).not.toContain('CANARY');
    expect(log.lines).toEqual([{ code: 'CS9002', facts: { request_id: REQUEST_ID, route: 'POST /api/operations/{id}/decisions', fault: 'unexpected' } }]);
  });

  test('is logged by the name of its fault', async () => {
    const { log } = await answer(throwing(new Fault('CorruptRecord', CANARY)));
    expect(log.lines).toEqual([{ code: 'CS9002', facts: { request_id: REQUEST_ID, route: 'POST /api/operations/{id}/decisions', fault: 'CorruptRecord' } }]);
  });
});

test('an answer is one log line of route and status, without path, query, body or headers', async () => {
  const { log } = await answer(async () => json(202, { secret: CANARY }));
  expect(log.lines).toEqual([{ code: 'CS9001', facts: { request_id: REQUEST_ID, route: 'POST /api/operations/{id}/decisions', http_status: 202 } }]);
});

describe('a refusal', () => {
  test.each(Object.entries(REFUSAL_STATUS))('%s is a problem document of status %i', (code, status) => {
    const { statusCode, headers, body } = problem(refusal(code as RefusalCode, 'Why not.', { field: 'x' }));
    expect(statusCode).toBe(status);
    expect(headers).toEqual({ 'content-type': 'application/problem+json' });
    expect(JSON.parse(body ?? '')).toEqual({ type: `urn:countersign:refusal:${code}`, title: code.replaceAll('_', ' '), status, code, detail: 'Why not.', field: 'x' });
  });
});

test('a refusal\u2019s further members never take the place of those of RFC 9457', () => {
  const { body } = problem(refusal('already_decided', 'The operation is denied already.', { status: 'denied' }));
  expect(JSON.parse(body ?? '')).toMatchObject({ status: 409, code: 'already_decided' });
});

describe('one function behind a page and an API', () => {
  const handler = byRoute({ page: async () => page(200, 'page'), api: async () => json(200, 'api') });
  test.each([
    ['POST /api/operations/{id}/decisions', '"api"'],
    ['POST /agent/operations', '"api"'],
    ['POST /review/{id}', 'page'],
    ['GET /inbox', 'page'],
    ['$default', 'page'],
    ['POST /review/api/x', 'page'],
    ['POST /apiary/x', 'page'],
  ])('%s is answered by the %s', async (routeKey, body) => {
    expect(await handler(recorded(withToken, { routeKey }))).toMatchObject({ body });
  });
});
