import { describe, expect, test } from 'vitest';
import { plusSeconds } from '../../../lambdas/domain/times.ts';
import { reviewPage } from '../../../lambdas/pages/review-page.ts';
import { sectionOf, textOf } from '../../support/page-html.ts';
import { asked, ASKS, cancelled, ended, NOW, started, timePassed, type Story, voted } from '../../support/page-operations.ts';

const result_hash = `sha256:${'c'.repeat(64)}`;
const reply = ({ operation }: Story) => reviewPage({ operation, subject: 'user:ana', now: plusSeconds(NOW, 120) });
const page = (story: Story): string => reply(story).body ?? '';
const told = (story: Story): string => sectionOf(page(story), 'outcome');
const approved = async (comment?: string): Promise<Story> => voted(await asked(), 'user:ana', 'approve', comment === undefined ? {} : { comment });

describe('after the end there is no form, and the page says what it came to', () => {
  test('granted: by whom, when, how, with the comment, and until when it may start', async () => {
    const text = told(await approved('Two charges, one order.'));
    for (const part of ['Approved', 'Status granted', 'Approved by user:ana', 'At 13:08 UTC', 'How on this page', 'Comment Two charges, one order.', 'May start until']) expect(text).toContain(part);
  });

  test('running: started once, and when it must end', async () => {
    expect(told(started(await approved()))).toMatch(/tool is running.*Status running.*Started 13:08 UTC.*Must end by/);
  });

  test('running with a cancel noted: promises nothing', async () => {
    expect(told(cancelled(started(await approved()), 'stop'))).toContain('cannot be taken back here');
  });

  test('completed: the hash of the result, not the result', async () => {
    expect(told(ended(started(await approved()), { kind: 'completed', result_hash }))).toContain(`Hash of the result ${result_hash}`);
  });

  test('failed: the error as the tool names it', async () => {
    expect(told(ended(started(await approved()), { kind: 'failed', error: 'CardDeclined<b>', result_hash }))).toMatch(/the tool failed.*CardDeclined<b>/);
  });

  test('unknown: claims neither success nor failure', async () => {
    const text = told(timePassed(started(await approved()), plusSeconds(NOW, 3600)));
    expect(text).toContain('It may or may not have had its effect');
    expect(text).toContain('Unknown because run_deadline_passed');
  });

  test('denied: by whom, with comment and reason', async () => {
    const text = told(await voted(await asked(), 'user:ben', 'deny', { comment: 'Wrong customer.\nAsk again.' }));
    for (const part of ['Denied', 'Denied by user:ben', 'Wrong customer. Ask again.', 'denied_by_approver']) expect(text).toContain(part);
  });

  test('denied for a hash that was not shown: says so', async () => {
    expect(told(await voted(await asked(), 'user:ana', 'approve', { hash: `sha256:${'0'.repeat(64)}` }))).toContain('is not the hash of these arguments');
  });

  test('expired, cancelled, voided and refused: the tool was not run', async () => {
    const refused = await asked({ says: { effect: 'deny' } });
    expect(told(timePassed(await asked(), plusSeconds(NOW, 3600)))).toMatch(/^Expired.*not run.*nobody_decided_in_time/);
    expect(told(cancelled(await asked(), 'No longer needed'))).toMatch(/^Cancelled.*not run.*Cancelled by user:olga.*No longer needed/);
    expect(told(timePassed(await approved(), plusSeconds(NOW, 5000)))).toMatch(/^Approved, but not run.*grant_lapsed/);
    expect(told(refused)).toMatch(/^Refused.*Policy denies this call.*policy_denied/);
  });

  test('allowed by policy: names the policy and no person', async () => {
    const text = told(await asked({ says: { id: 'sandbox.workspace.v1', effect: 'allow' } }));
    expect(text).toMatch(/^Allowed by policy.*Policy sandbox\.workspace\.v1/);
    expect(text).not.toContain('Approved');
  });

  test('several votes are listed with their comments', async () => {
    const both = await voted(await voted(await asked({ says: { ...ASKS, quorum: 2 } }), 'user:ben', 'approve', { comment: 'Looks right.' }), 'user:ana', 'approve');
    expect(sectionOf(page(both), 'votes')).toMatch(/Approve : user:ben.*Looks right\..*Approve : user:ana/);
  });

  test('no ended page has a form, and only those that move on look again', async () => {
    const granted = await approved();
    const done = ended(started(granted), { kind: 'completed', result_hash });
    for (const story of [granted, started(granted), done]) expect(page(story)).not.toMatch(/<form|<button|<input|<textarea/);
    expect(reply(granted).headers).toMatchObject({ refresh: '5' });
    expect(reply(done).headers).not.toHaveProperty('refresh');
    expect(textOf(page(done))).not.toContain('undefined');
  });
});
