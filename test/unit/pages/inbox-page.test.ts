import { describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../../lambdas/domain/binding.ts';
import { operationViews, type InboxEntry } from '../../../lambdas/domain/operation-views.ts';
import { inboxPage, type InboxView } from '../../../lambdas/pages/inbox-page.ts';
import { strayBrackets, textOf } from '../../support/page-html.ts';
import { asked, NOW, OPERATION_ID } from '../../support/page-operations.ts';

async function entryOf(customer_id: string): Promise<InboxEntry> {
  const { entry } = operationViews((await asked({ arguments: { customer_id } })).operation);
  if (entry === undefined) throw new Error('a pending operation has an entry');
  return entry;
}

const empty = { entries: [], subject: 'user:ana', now: NOW, still: false };

const bodyOf = (view: InboxView): string => inboxPage(view).body ?? '';

describe('the inbox', () => {
  test('shows what is asked, by whom, the risk, the time left and the fingerprint, and links to the page', async () => {
    const entry = await entryOf('c-1');
    const page = bodyOf({ ...empty, entries: [entry] });
    expect(page).toContain(`<a href="/review/${OPERATION_ID}">`);
    for (const part of ['refund_payment customer_id: c-1', 'high risk', '1 h left, until 14:07 UTC', fingerprintOf(entry.binding_hash), 'asked by agent:billing-bot']) expect(textOf(page)).toContain(part);
  });

  test('keeps the order that it is given', async () => {
    const text = textOf(bodyOf({ ...empty, entries: [await entryOf('c-older'), await entryOf('c-newer')] }));
    expect(text.indexOf('c-older')).toBeLessThan(text.indexOf('c-newer'));
  });

  test('escapes what an agent can write', async () => {
    const page = bodyOf({ ...empty, entries: [await entryOf('"><img src=x onerror=alert(1)>\u202e')] });
    expect(strayBrackets(page)).toEqual([]);
    expect(page).not.toContain('\u202e');
  });

  test('says so when nothing waits', () => {
    expect(textOf(bodyOf(empty))).toContain('Nothing waits for you');
  });

  test('refreshes itself, and holds still when told to', () => {
    expect(inboxPage(empty).headers).toMatchObject({ refresh: '5' });
    expect(bodyOf(empty)).toContain('href="/inbox?still=yes"');
    expect(inboxPage({ ...empty, still: true }).headers).not.toHaveProperty('refresh');
  });

  test('links to the next page with the cursor in one piece', async () => {
    const page = bodyOf({ ...empty, entries: [await entryOf('c-1')], cursor: `${NOW}#${OPERATION_ID}` });
    const href = /href="(\/inbox\?cursor[^"]*)"/.exec(page)?.[1] ?? '';
    expect(new URL(href, 'https://countersign.example').searchParams.get('cursor')).toBe(`${NOW}#${OPERATION_ID}`);
    expect(bodyOf(empty)).not.toContain('Next page');
  });

  test('has no words of an operation in its title', async () => {
    expect(/<title>(.*?)<\/title>/.exec(bodyOf({ ...empty, entries: [await entryOf('c-1')] }))?.[1]).toBe('Inbox · Countersign');
  });
});
