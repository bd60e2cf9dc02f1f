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

const empty: InboxView = { entries: [], subject: 'user:ana', now: NOW, still: false, filter: {} };

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

describe('a narrowed inbox', () => {
  const filter = { workspace: 'w "1"', tool: 'refund_payment', risk: 'high' } as const;
  const linksOf = (page: string): readonly URL[] => [...page.matchAll(/href="(\/inbox[^"]*)"/g)].map(([, href = '']) => new URL(href.replaceAll('&amp;', '&'), 'https://countersign.example'));

  test('says what narrows it, and leads to all of it', () => {
    const page = bodyOf({ ...empty, filter });
    expect(textOf(page)).toContain('Only what waits in workspace w "1" for tool refund_payment at high risk');
    expect(textOf(page)).toContain('Nothing of this kind waits for you');
    expect(page).toContain('<a href="/inbox">Show all</a>');
  });

  test('keeps the filter on every way through it', () => {
    const page = bodyOf({ ...empty, filter, cursor: `${NOW}#${OPERATION_ID}`, from: `${NOW}#${OPERATION_ID}` });
    const ways = linksOf(page).filter(({ search }) => search !== '');
    expect(ways).toHaveLength(4);
    for (const { searchParams } of ways) expect(Object.fromEntries(searchParams)).toMatchObject(filter);
  });

  test('has a form only while it holds still, so that nothing takes away what is typed', () => {
    expect(bodyOf({ ...empty, filter })).not.toContain('<form');
    const page = bodyOf({ ...empty, filter, still: true });
    expect(page).toContain('method="get" action="/inbox"');
    expect(page).toContain('name="workspace" type="text" value="w &quot;1&quot;"');
    expect(page).toContain('<option value="high" selected>');
    expect(inboxPage({ ...empty, filter, still: true }).headers).not.toHaveProperty('refresh');
  });

  test('does not claim that nothing waits where only this page is empty', () => {
    const text = textOf(bodyOf({ ...empty, filter, cursor: `${NOW}#${OPERATION_ID}` }));
    expect(text).toContain('Nothing on this page');
    expect(text).not.toContain('waits for you');
    expect(text).toContain('Next page');
  });
});
