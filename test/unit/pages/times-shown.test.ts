import { expect, test } from 'vitest';
import { plusSeconds } from '../../../lambdas/domain/times.ts';
import { leftText, timeLeft, utcText } from '../../../lambdas/pages/times-shown.ts';

const now = '2026-12-01T13:07:30.000Z';

test.each([
  [0, 'no time left'],
  [-5, 'no time left'],
  [1, '1 s left'],
  [59.9, '59 s left'],
  [60, '1 min left'],
  [3599, '59 min left'],
  [3600, '1 h left'],
  [5400, '1 h 30 min left'],
  [47 * 3600, '47 h left'],
  [2 * 86400, '2 days left'],
])('%s seconds are told as "%s", never rounded up', (seconds, told) => {
  expect(leftText(plusSeconds(now, seconds), now)).toBe(told);
});

test('names the day only when it is another one', () => {
  expect(utcText('2026-12-01T14:05:59.000Z', now)).toBe('14:05 UTC');
  expect(utcText('2026-12-02T00:00:00.000Z', now)).toBe('2 Dec 2026, 00:00 UTC');
});

test('tells what is left and until when', () => {
  expect(timeLeft('2026-12-01T14:05:00.000Z', now).toString()).toBe('57 min left, until <time datetime="2026-12-01T14:05:00.000Z">14:05 UTC</time>');
});
