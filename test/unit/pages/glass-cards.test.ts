// What people wrote when they broke the glass, or looked at it, is text wherever it stands.
import { describe, expect, test } from 'vitest';
import { plusSeconds } from '../../../lambdas/domain/times.ts';
import { brokenGlassView, breakGlassCard, glassAskedView } from '../../../lambdas/pages/glass-cards.ts';
import { laterDeadlines, moreTimeCard } from '../../../lambdas/pages/more-time-card.ts';
import { history } from '../../support/domain-histories.ts';
import { askingWith, at, extend, instant, propose, tell } from '../../support/operation-builder.ts';
import { strayBrackets, textOf } from '../../support/page-html.ts';

const HOSTILE = '<script>alert(1)</script></textarea>"><form action=https://evil.example>\u202e';

async function pending(name: 'pending, half the glass broken' | 'pending, with more time' | 'pending') {
  const { operation } = await history(name);
  return operation.status === 'pending' ? operation : expect.fail();
}

describe('breaking the glass', () => {
  test('shows the words of whoever asked for it as text', async () => {
    const operation = await pending('pending, half the glass broken');
    const glass = operation.glass ?? expect.fail();
    const shown = String(glassAskedView({ ...operation, glass: { ...glass, by: { ...glass.by, reason: HOSTILE, ticket: HOSTILE } } }, instant(70)));
    expect(strayBrackets(shown)).toEqual([]);
    expect(shown).not.toContain('<script');
    expect(textOf(shown)).toContain('<script>alert(1)</script>');
  });

  test('offers itself to a second person as that, to the first as waiting, and after its time anew', async () => {
    const operation = await pending('pending, half the glass broken');
    expect(textOf(String(breakGlassCard(operation, 't', 'user:hal', instant(70))))).toContain('as the second person');
    expect(textOf(String(breakGlassCard(operation, 't', 'user:gil', instant(70))))).toContain('It takes a second person of group:oncall');
    expect(textOf(String(breakGlassCard(operation, 't', 'user:gil', instant(660))))).toContain('Ask for it');
    expect(glassAskedView(operation, instant(660))).toBeUndefined();
  });

  test('is not offered on a page that could not show everything', async () => {
    const operation = await pending('pending, half the glass broken');
    const cut = { ...operation, opening: { ...operation.opening, redaction: { ...operation.opening.redaction, full_view_required: true } } };
    expect(String(breakGlassCard(cut, 't', 'user:hal', instant(70)))).not.toContain('<form');
  });

  test('tells afterwards who did it and why, and has a form for whoever may close the review', async () => {
    const { operation } = await history('granted, the glass broken');
    const broken = operation.broken_glass ?? expect.fail();
    const hostile = { ...operation, broken_glass: { ...broken, by: broken.by.map((each) => ({ ...each, reason: HOSTILE, ticket: HOSTILE })) } };
    for (const token of [undefined, 't']) {
      const shown = String(brokenGlassView(hostile, token, instant(100)));
      expect(strayBrackets(shown)).toEqual([]);
      expect(shown.includes('<form')).toBe(token !== undefined);
    }
    const reviewed = String(brokenGlassView((await history('granted, the broken glass reviewed')).operation, undefined, instant(130)));
    expect(textOf(reviewed)).toContain('Looked at by user:ian');
    expect(brokenGlassView((await history('granted')).operation, undefined, instant(100))).toBeUndefined();
  });
});

describe('more time', () => {
  const until = async (extendable_to_seconds: number, ...more: Parameters<typeof tell>[0]): Promise<readonly string[]> => {
    const { operation } = await tell([at(0, propose({ policy: askingWith({ extendable_to_seconds }) })), ...more]);
    return operation.status === 'pending' ? laterDeadlines(operation) : expect.fail();
  };

  test('is offered in a few steps, never beyond what policy gives', async () => {
    expect(await until(3600 * 100)).toEqual([instant(7200), plusSeconds(instant(3600), 86_400), instant(360_000)]);
    expect(await until(5000)).toEqual([instant(5000)]);
    expect(await until(7200)).toEqual([instant(7200)]);
  });

  test('is not offered where there is none, or none left', async () => {
    expect(laterDeadlines(await pending('pending'))).toEqual([]);
    expect(await until(7200, at(60, extend('user:ana', 7200)))).toEqual([]);
    expect(moreTimeCard(await pending('pending'), 't', instant(60))).toBeUndefined();
  });
});

