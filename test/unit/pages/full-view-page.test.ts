import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../lambdas/domain/json/canonical-json.ts';
import { fullPages } from '../../../lambdas/domain/display/full-pages.ts';
import { fullView } from '../../../lambdas/domain/display/full-view.ts';
import type { JsonValue } from '../../../lambdas/domain/json/json-value.ts';
import { fullViewPage, type FullReview } from '../../../lambdas/pages/full-view-page.ts';
import { revealPage } from '../../../lambdas/pages/reveal-page.ts';
import { fieldOf, namesIn, sectionOf, strayBrackets, textOf } from '../../support/page-html.ts';
import { asked, NOW, OPERATION_ID, voted, type Story } from '../../support/page-operations.ts';

const WAITING: FullReview['waiting'] = { standing: { may: 'decide', form_token: '1.full' }, progress: [{ requirement: { approvers: ['user:ana'], quorum: 1 }, approvals: 0, quorum: 1, waiting_for: ['user:ana'] }] };

function shown({ operation }: Story, value: JsonValue, more: Partial<FullReview> = {}): string {
  const { rows, hidden_values } = fullView(value);
  const pages = fullPages(rows, 4096);
  const page = more.page ?? 1;
  return fullViewPage({ operation, subject: 'user:ana', page, pages: pages.length, shown: pages[page - 1] ?? { within: [], rows: [] }, hidden_values, now: NOW, ...(operation.status === 'pending' ? { waiting: WAITING } : {}), ...more }).body ?? '';
}

const HOSTILE = ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '</code></dd></dl><form action=https://evil.example>', '`${alert(1)}`', 'javascript:alert(1)', '\u202egnp.exe\u2066', '\u001b[2Jgone\u0000', '&lt;b&gt; &amp;', '<!-- '];

describe('hostile arguments', () => {
  test.each(HOSTILE)('%j is text in the full view and among the exact arguments, and never markup', async (hostile) => {
    const value: JsonValue = { [hostile]: hostile, list: [hostile, { [hostile]: [hostile] }], [hostile.repeat(40)]: hostile.repeat(300) };
    const story = await asked({ arguments: value });
    const exact = revealPage({ operation: story.operation, canonical: canonicalJson(value), subject: 'user:ana', now: NOW }).body ?? '';
    for (const page of [shown(story, value), shown(story, value, { page: 2 }), exact]) {
      expect(strayBrackets(page)).toEqual([]);
      expect(namesIn(page).filter((name) => /^(script|img|iframe|object|embed|link|svg|base)(@|$)|@on|@style$|@src/.test(name))).toEqual([]);
      expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/);
      expect([...page.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, to = '']) => to).filter((to) => !/^(\/|#)/.test(to))).toEqual([]);
    }
  });
});

describe('the page of the full view', () => {
  test('names its kinds, depths and places', async () => {
    const value: JsonValue = { a: 10, b: '10', c: true, d: null, e: '', f: [], g: {}, h: [['x']], password: 'hunter2hunter2' };
    const text = sectionOf(shown(await asked(), value), 'arguments');
    for (const part of ['a 10 number', 'b 10 text', 'c true true or false', 'd null nothing', 'e empty text', 'f empty list', 'g no members', 'h list of 1 item 1 list of 1 item 1 x text', 'password ⟨hidden⟩', '1 value is hidden here too']) expect(text).toContain(part);
  });

  test('keeps the lines of a text', async () => {
    expect(shown(await asked(), { code: 'first\nsecond' })).toContain('first\nsecond');
  });

  test('tells a level that indentation does not show', async () => {
    const deep = Array.from({ length: 12 }).reduce<JsonValue>((inner) => ({ in: inner }), 'bottom');
    expect(sectionOf(shown(await asked(), deep), 'arguments')).toContain('in level 12 bottom');
  });

  test('says where a page goes on and from where', async () => {
    const value: JsonValue = { env: { text: 'many words of one line '.repeat(400) } };
    const first = sectionOf(shown(await asked(), value), 'arguments');
    const second = sectionOf(shown(await asked(), value, { page: 2 }), 'arguments');
    expect(first).toContain('All the arguments, page 1 of 3');
    expect(first).toContain('Goes on on the next page.');
    expect(second).toContain('This page begins inside env .');
    expect(second).toContain('text Goes on from the page before:');
  });

  test('has the one form that decides, bound to the full view; nothing is preselected', async () => {
    const page = shown(await asked(), { a: 1 });
    expect(fieldOf(page, 'view')).toBe('full');
    expect(fieldOf(page, 'form_token')).toBe('1.full');
    expect(page).toContain(`<form method="post" action="/review/${OPERATION_ID}"`);
    expect(page.match(/name="decision" value="(approve|deny)"/g)).toHaveLength(2);
    expect(namesIn(page).filter((name) => /@checked|@autofocus|@selected/.test(name))).toEqual([]);
  });

  test('offers the exact arguments only with a token for it', async () => {
    const story = await asked();
    expect(shown(story, { a: 1 })).not.toContain('/reveal');
    const page = shown(story, { a: 1 }, { reveal_token: '1.reveal' });
    expect(page).toContain(`action="/review/${OPERATION_ID}/reveal"`);
    expect(textOf(page)).toContain('recorded with your name');
  });

  test('shows the same fingerprint and hash as the short page, and what was asked', async () => {
    const story = await asked();
    const { arguments_hash } = story.operation.opening.operation;
    const page = shown(story, { a: 1 });
    expect(sectionOf(page, 'print')).toContain(arguments_hash);
    expect(textOf(page)).toContain(story.operation.opening.operation.summary);
  });

  test('after the end says what it came to, without a form', async () => {
    const page = shown(await voted(await asked(), 'user:ana', 'deny'), { a: 1 });
    expect(namesIn(page)).not.toContain('form');
    expect(textOf(page)).toContain('Denied');
  });

  test('says nothing of the operation in its title', async () => {
    expect(/<title>(.*?)<\/title>/.exec(shown(await asked(), { a: 1 }))?.[1]).toBe('All arguments · Countersign');
  });
});
