import { describe, expect, test } from 'vitest';
import { epochSeconds, hasCome, plusSeconds, secondsUntil } from '../../../lambdas/domain/times.ts';

const NOON = '2026-12-01T12:00:00.000Z';

describe('a deadline', () => {
  test.each([
    ['2026-12-01T11:59:59.999Z', false],
    ['2026-12-01T12:00:00.000Z', true],
    ['2026-12-01T12:00:00.001Z', true],
  ])('at noon, seen at %s, has come: %s', (now, come) => {
    expect(hasCome(NOON, now)).toBe(come);
  });

  test.each([
    ['tomorrow', NOON],
    [NOON, 'soon'],
  ])('that cannot be read has come', (deadline, now) => {
    expect(hasCome(deadline, now)).toBe(true);
  });
});

describe('seconds', () => {
  test('are added across days and leap years', () => {
    expect(plusSeconds('2028-02-28T23:59:59.500Z', 1)).toBe('2028-02-29T00:00:00.500Z');
    expect(plusSeconds(NOON, -3600)).toBe('2026-12-01T11:00:00.000Z');
  });

  test('are rounded up, so that no timer rings early, and are never below none', () => {
    expect(secondsUntil(NOON, plusSeconds(NOON, 2))).toBe(2);
    expect(secondsUntil(NOON, plusSeconds(NOON, 1.001))).toBe(2);
    expect(secondsUntil(NOON, NOON)).toBe(0);
    expect(secondsUntil(NOON, plusSeconds(NOON, -5))).toBe(0);
  });

  test('since 1970 are whole', () => {
    expect(epochSeconds('1970-01-01T00:01:00.999Z')).toBe(60);
  });
});
