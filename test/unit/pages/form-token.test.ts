import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../lambdas/domain/json/canonical-json.ts';
import { epochSeconds, plusSeconds } from '../../../lambdas/domain/times.ts';
import { mintFormToken, verifyFormToken, type FormSubject } from '../../../lambdas/pages/form-token.ts';
import { NOW, OPERATION_ID } from '../../support/page-operations.ts';
import { FORM_KEY } from '../../support/page-requests.ts';

const form: FormSubject = { use: 'decide_short', subject: 'user:ana', operation_id: OPERATION_ID, arguments_hash: `sha256:${'a'.repeat(64)}` };
const token = mintFormToken(FORM_KEY, form, NOW);

describe('the token of a form', () => {
  test('is taken for the use, subject, operation and hash that it was made for', () => {
    expect(verifyFormToken(FORM_KEY, form, token, NOW)).toBe(true);
  });

  test('is an HMAC over the canonical array, and says when it ends', () => {
    const expires = epochSeconds(NOW) + 7200;
    const mac = createHmac('sha256', FORM_KEY).update(canonicalJson(['decide_short', 'user:ana', OPERATION_ID, form.arguments_hash, expires])).digest('base64url');
    expect(token).toBe(`${expires}.${mac}`);
  });

  test.each<[string, FormSubject]>([
    ['a decision from the full view', { ...form, use: 'decide_full' }],
    ['a reveal', { ...form, use: 'reveal' }],
    ['an explanation', { use: 'explain', subject: 'user:ana' }],
    ['another subject', { ...form, subject: 'user:ben' }],
    ['another operation', { ...form, operation_id: `op_${'f'.repeat(32)}` }],
    ['another hash', { ...form, arguments_hash: `sha256:${'b'.repeat(64)}` }],
  ])('is refused for %s', (_what, other) => {
    expect(verifyFormToken(FORM_KEY, other, token, NOW)).toBe(false);
  });

  test('is good for two hours and not at their very end', () => {
    expect(verifyFormToken(FORM_KEY, form, token, plusSeconds(NOW, 7199))).toBe(true);
    expect(verifyFormToken(FORM_KEY, form, token, plusSeconds(NOW, 7200))).toBe(false);
  });

  test('is refused under another key', () => {
    expect(verifyFormToken(new Uint8Array(32).fill(8), form, token, NOW)).toBe(false);
  });

  test('lends no life to a later end', () => {
    const [expires = '', mac = ''] = token.split('.');
    expect(verifyFormToken(FORM_KEY, form, `${Number(expires) + 60}.${mac}`, NOW)).toBe(false);
  });

  test('is refused wherever one character is changed, and in every other spelling', () => {
    const flipped = Array.from(token).map((character, at) => `${token.slice(0, at)}${character === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`);
    const spelled = ['', '.', `0${token}`, ` ${token}`, `${token} `, `${token}=`, `${token}.`, token.toUpperCase(), token.slice(0, -1), `${token}\u0000`, `${token}\n`];
    for (const other of [...flipped, ...spelled]) expect(verifyFormToken(FORM_KEY, form, other, NOW), other).toBe(false);
  });
});
