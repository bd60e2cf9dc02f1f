import { describe, expect, test } from 'vitest';
import { isCrossSite } from '../../../lambdas/pages/cross-site.ts';

const host = 'countersign.example';

describe('a form is taken for ours', () => {
  test.each([
    ['with the origin of this host', { host, origin: `https://${host}` }],
    ['with origin and the browser’s word', { host, origin: `https://${host}`, 'sec-fetch-site': 'same-origin' }],
    ['with a port on both sides', { host: '127.0.0.1:8787', origin: 'http://127.0.0.1:8787' }],
    ['without either header, as programs and old browsers send it', { host }],
    ['opened by the person without a site', { host, 'sec-fetch-site': 'none' }],
    ['with the null origin of a no-referrer page, where the browser says same-origin', { host, origin: 'null', 'sec-fetch-site': 'same-origin' }],
  ])('%s', (_what, headers) => {
    expect(isCrossSite(headers)).toBe(false);
  });
});

describe('a form is cross-site', () => {
  test.each([
    ['from another site', { host, 'sec-fetch-site': 'cross-site' }],
    ['from another host of the same site', { host, 'sec-fetch-site': 'same-site', origin: 'https://evil.countersign.example' }],
    ['where the word is doubled', { host, 'sec-fetch-site': 'same-origin,cross-site' }],
    ['from another origin', { host, origin: 'https://evil.example' }],
    ['from an origin that only begins like ours', { host, origin: `https://${host}.evil.example` }],
    ['from another port', { host, origin: `https://${host}:8443` }],
    ['from the null origin', { host, origin: 'null' }],
    ['from the null origin, typed in', { host, origin: 'null', 'sec-fetch-site': 'none' }],
    ['from an origin with a path', { host, origin: `https://${host}/page` }],
    ['from an origin with a user', { host, origin: `https://ana@${host}` }],
    ['from what is no origin', { host, origin: host }],
    ['from two origins', { host, origin: `https://${host}, https://evil.example` }],
    ['where the host is not known', { origin: `https://${host}` }],
    ['where only the origin disagrees', { host, 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }],
  ])('%s', (_what, headers) => {
    expect(isCrossSite(headers)).toBe(true);
  });
});
