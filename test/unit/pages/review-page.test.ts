import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../../lambdas/domain/binding.ts';
import type { JsonValue } from '../../../lambdas/domain/json/json-value.ts';
import { toolSchema } from '../../../lambdas/domain/registry.ts';
import type { HttpReply } from '../../../lambdas/middleware/reply.ts';
import type { Standing } from '../../../lambdas/pages/decision-card.ts';
import { reviewPage } from '../../../lambdas/pages/review-page.ts';
import { STYLE_SOURCES } from '../../../lambdas/pages/style.ts';
import { fieldOf, namesIn, sectionOf, strayBrackets, textOf } from '../../support/page-html.ts';
import { asked, NOW, OPERATION_ID, REFUND, voted, type Story } from '../../support/page-operations.ts';

const MAY: Standing = { may: 'decide', form_token: '1.token' };

function shown(story: Story, standing?: Standing): string {
  return replied(story, standing).body ?? '';
}

function replied({ operation }: Story, standing: Standing = MAY): HttpReply {
  const progress = [{ requirement: { approvers: ['user:ana', 'user:ben'], quorum: 1 }, approvals: 0, quorum: 1, waiting_for: ['user:ana', 'user:ben'] }];
  return reviewPage({ operation, subject: 'user:ana', now: NOW, ...(operation.status === 'pending' ? { waiting: { standing, progress } } : {}) });
}

const HOSTILE: readonly string[] = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style><script>alert(1)</script>',
  '`${alert(1)}`',
  '<!-- ',
  '</textarea></form><form action=https://evil.example>',
  'javascript:alert(1)',
  '\u202egnp.exe\u2066',
  '\u001b[2Jgone\u0000',
  'zero\u200bwidth \u{e0041}tag',
  '&lt;b&gt; &amp;',
];

describe('hostile values', () => {
  test.each(HOSTILE)('%j is text everywhere that it may stand, and never markup', async (hostile) => {
    const value: JsonValue = { [hostile]: hostile, list: [hostile, { [hostile]: [hostile] }] };
    const tool = { ...toolSchema.parse(REFUND), name: hostile.slice(0, 100), risk: { level: 'high' as const, reasons: [hostile] } };
    const story = await asked({ tool, arguments: value, reason: hostile, call_id: hostile, scope: { run_id: hostile, frame_id: hostile, agent_id: hostile } });
    const denied = await voted(story, 'user:ana', 'deny', { comment: hostile });
    for (const page of [shown(story), shown(denied)]) {
      expect(strayBrackets(page)).toEqual([]);
      const names = namesIn(page);
      expect(names.filter((name) => /^(script|img|iframe|object|embed|link|svg|base)(@|$)|@on|@style$|@src/.test(name))).toEqual([]);
      expect(names.filter((name) => name === 'form').length).toBe(page.includes('aria-labelledby="decide"') ? 1 : 0);
      expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u200b\u202a-\u202e\u2066-\u2069]|\u{e0041}/u);
    }
  });

  test('what an agent types is shown as it was typed', async () => {
    const page = shown(await asked({ arguments: { note: '<b>"a" & `b`</b>' } }));
    expect(textOf(page)).toContain('<b>"a" & `b`</b>');
  });

  test('direction overrides are spelled out', async () => {
    expect(sectionOf(shown(await asked({ arguments: { file: 'a\u202egnp.exe' } })), 'arguments')).toContain('\\u{202e} gnp.exe');
  });
});

describe('what the page shows', () => {
  test('the summary, the tool and its version, and the risk with its reasons', async () => {
    const text = textOf(shown(await asked()));
    expect(text).toContain('refund_payment customer_id: c-42, amount: 120, currency: EUR');
    expect(text).toContain('tool refund_payment , version 1.2.0');
    expect(text).toContain('high risk');
    expect(text).toContain('Why high risk: it cannot be undone ; it moves money .');
  });

  test('who asks: agent, caller, owner and the person it acts for', async () => {
    const who = sectionOf(shown(await asked({ requester: { subject: 'agent:billing-bot', owner: 'user:olga', on_behalf_of: 'user:zoe' } })), 'who');
    for (const part of ['Agent billing-bot', 'Caller agent:billing-bot', 'Owner of the agent user:olga', 'On behalf of user:zoe', 'Workspace w1']) expect(who).toContain(part);
  });

  test('the hash and the fingerprint are those of the operation, and the form posts that very hash', async () => {
    const story = await asked();
    const { arguments_hash, binding_hash } = story.operation.opening.operation;
    const page = shown(story);
    expect(sectionOf(page, 'print')).toContain(arguments_hash);
    expect(sectionOf(page, 'print')).toContain(fingerprintOf(binding_hash));
    expect(fieldOf(page, 'arguments_hash')).toBe(arguments_hash);
    expect(fieldOf(page, 'form_token')).toBe('1.token');
    expect(page).toContain(`<form method="post" action="/review/${OPERATION_ID}"`);
  });

  test('numbers, texts, booleans, nothing and empty values can be told apart', async () => {
    const text = sectionOf(shown(await asked({ arguments: { a: 10, b: '10', c: true, d: null, e: '', f: [], g: {} } })), 'arguments');
    for (const part of ['a 10 number', 'b 10 text', 'c true true or false', 'd null nothing', 'e empty text', 'f empty list', 'g no members']) expect(text).toContain(part);
  });

  test('nothing decides by default: no field is preselected and the decision is in the buttons alone', async () => {
    const page = shown(await asked());
    expect(page.match(/name="decision" value="(approve|deny)"/g)).toHaveLength(2);
    expect(namesIn(page).filter((name) => /@checked|@autofocus|@selected/.test(name))).toEqual([]);
    expect(namesIn(page).filter((name) => name === 'input')).toHaveLength(2);
  });

  test('what was hidden and cut is told with counts', async () => {
    const story = await asked({ arguments: { password: 'hunter2hunter2', api_key: 'k'.repeat(20), long: 'x'.repeat(1000), many: Array.from({ length: 50 }, (_, index) => index) } });
    const { hidden_members, cut_bytes } = story.operation.opening.redaction;
    const text = sectionOf(shown(story), 'arguments');
    expect(text).toContain('Not everything is shown');
    expect(text).toContain('2 values are hidden');
    expect(text).toContain(`${hidden_members} members are left out`);
    expect(text).toContain(`${cut_bytes} bytes are cut`);
    expect(text).toMatch(/password ⟨hidden⟩ (?!text)/);
    expect(shown(story)).not.toContain('hunter2');
  });

  test('one hidden value is one value, and a whole display says that it is whole', async () => {
    expect(textOf(shown(await asked({ arguments: { password: 'hunter2hunter2' } })))).toContain('1 value is hidden');
    expect(textOf(shown(await asked()))).toContain('Nothing is hidden or cut');
  });

  test('approving is not offered while a part that the decision rests on is not shown', async () => {
    const tool = toolSchema.parse({ ...REFUND, display: { critical: ['/command'] } });
    const page = shown(await asked({ tool, arguments: { command: 'x'.repeat(2000) } }));
    expect(page).not.toContain('value="approve"');
    expect(page).toContain('value="deny"');
    expect(textOf(page)).toContain('It cannot be approved from this page');
  });

  test('what the agent claims stands in its own box, which says so, and nowhere else', async () => {
    const page = shown(await asked({ reason: 'The customer asked for it', call_id: 'call-7', scope: { run_id: 'run-9' } }));
    const claimed = sectionOf(page, 'claimed');
    expect(claimed).toContain('Claimed: written by the agent, checked by nobody');
    for (const part of ['The customer asked for it', 'call-7', 'run-9']) {
      expect(claimed).toContain(part);
      expect(textOf(page).split(part)).toHaveLength(2);
    }
    expect(claimed).not.toContain('refund_payment');
    expect(sectionOf(page, 'arguments')).toContain('read from the hashed arguments');
  });

  test('a missing reason is said, not left out', async () => {
    expect(sectionOf(shown(await asked()), 'claimed')).toContain('The agent gave no reason.');
  });
});

describe('the frame', () => {
  test('the style sheet is the one that the policy allows by its hash', async () => {
    const style = /<style>([\s\S]*?)<\/style>/.exec(shown(await asked()))?.[1] ?? '';
    expect(STYLE_SOURCES).toBe(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(style).not.toMatch(/url\(|@import|</);
  });

  test('the title says nothing of the operation', async () => {
    expect(/<title>(.*?)<\/title>/.exec(shown(await asked()))?.[1]).toBe('Review · Countersign');
  });

  test('nothing comes from elsewhere, and no link leads there', async () => {
    const page = shown(await asked({ arguments: { url: 'https://evil.example/' } }));
    expect([...page.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, to = '']) => to).filter((to) => !/^(\/|#)/.test(to))).toEqual([]);
  });

  test('a page with a form does not reload itself', async () => {
    expect(replied(await asked()).headers).not.toHaveProperty('refresh');
  });
});

describe('who may not decide', () => {
  test.each([
    ['time_over', 'The time to decide has ended'],
    ['own_operation', 'Somebody else must decide'],
    ['voted_already', 'votes are final'],
    ['not_an_approver', 'You are not among its approvers'],
  ] as const)('%s: no form, and the page says why', async (because, told) => {
    const page = shown(await asked(), { may: 'only_look', because });
    expect(page).not.toMatch(/<form|<button|<input|<textarea/);
    expect(textOf(page)).toContain(told);
  });
});
