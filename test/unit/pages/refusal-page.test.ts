import { describe, expect, test } from 'vitest';
import { REFUSAL_STATUS, refusal, type RefusalCode } from '../../../lambdas/domain/refusals.ts';
import { faultPage, refusalPage, TO_INBOX, toReview } from '../../../lambdas/pages/refusal-page.ts';
import { strayBrackets, textOf } from '../../support/page-html.ts';
import { OPERATION_ID } from '../../support/page-operations.ts';

describe('a refusal as a page', () => {
  test.each(Object.entries(REFUSAL_STATUS))('%s has its status %i, its code and its detail', (code, status) => {
    const reply = refusalPage(refusal(code as RefusalCode, 'The reason is this.'), TO_INBOX, 'user:ana');
    expect(reply).toMatchObject({ statusCode: status, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(textOf(reply.body ?? '')).toContain('The reason is this.');
    expect(textOf(reply.body ?? '')).toContain(`${code} , status ${status}`);
  });

  test('escapes its detail, which may quote a field name', () => {
    const { body = '' } = refusalPage(refusal('invalid_request', 'The field <script>\u202e stands twice.'), TO_INBOX);
    expect(strayBrackets(body)).toEqual([]);
    expect(textOf(body)).toContain('\\u{202e}');
  });

  test('links back to the operation', () => {
    expect(refusalPage(refusal('already_decided', 'no'), toReview(OPERATION_ID)).body).toContain(`href="/review/${OPERATION_ID}"`);
  });
});

describe('a fault as a page', () => {
  test('says that it may be tried again only where it may', () => {
    expect(faultPage(true, 'req-1')).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } });
    expect(faultPage(false, 'req-1')).toMatchObject({ statusCode: 500 });
    expect(faultPage(false, 'req-1').headers).not.toHaveProperty('retry-after');
  });

  test('names the request and claims no success', () => {
    const text = textOf(faultPage(false, 'req-1').body ?? '');
    expect(text).toContain('Request req-1');
    expect(text).toContain('Nothing here claims success');
  });
});
