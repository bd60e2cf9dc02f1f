import { beforeEach, describe, expect, test } from 'vitest';
import { instead, unavailable } from '../../support/crash-points.ts';
import { fieldOf, sectionOf, textOf } from '../../support/page-html.ts';
import { FORM, formOf, policyPageWorld, tokenFor, type PolicyPageWorld } from '../../support/policy-page-world.ts';

let world: PolicyPageWorld;
beforeEach(() => void (world = policyPageWorld()));

describe('looking at policy', () => {
  test('shows the scope that is asked for and those around it, widest first', async () => {
    const { status, page } = await world.look({ scope: 'agent:billing-bot' });
    expect(status).toBe(200);
    const headings = [...page.matchAll(/<h2 id="scope-\d">(.*?)<\/h2>/g)].map(([, heading = '']) => textOf(heading));
    expect(headings).toEqual(['org:acme Revision 1', 'workspace:w1 Revision 1', 'agent:billing-bot Nothing was ever written here']);
    expect(sectionOf(page, 'unattended')).toContain('off sandbox.workspace.v1');
  });

  test('begins with the first workspace, and with a form for it', async () => {
    const { page } = await world.look();
    expect(textOf(page)).toContain('Policy of workspace:w1');
    expect(page).toContain('<option value="w1" selected>w1</option>');
    expect(page).toContain('name="agent_id" type="text" value="billing-bot"');
    expect(fieldOf(page, 'form_token')).toBe(tokenFor('user:ana'));
  });

  test.each(['workspace:w7', 'team:core', 'agent:', '__proto__', 'org:acme ', '<script>'])('finds nothing under %s', async (scope) => {
    const { status, page } = await world.look({ scope });
    expect(status).toBe(404);
    expect(textOf(page)).toContain('policy_not_found');
    expect(page).not.toContain('<script>');
  });

  test('is for people who are signed in', async () => {
    expect((await world.send({ route: 'GET /policies' })).status).toBe(401);
    expect((await world.look(undefined, 'user:nobody')).status).toBe(401);
    expect((await world.look(undefined, 'agent:billing-bot')).status).toBe(401);
    expect((await world.send({ route: 'POST /policies', headers: FORM, body: formOf() })).status).toBe(401);
  });

  test('says what is written at this moment', async () => {
    await world.ports.policies.seed('workspace:w1', { rules: [] });
    expect(sectionOf((await world.look()).page, 'scope-1')).toBe('workspace:w1 Revision 2 No rules.');
  });
});

describe('asking what policy would say', () => {
  test('answers on the same page, with what was typed still in the form', async () => {
    const { status, page } = await world.ask();
    expect(status).toBe(200);
    expect(sectionOf(page, 'answer')).toMatch(/^Asks .*1 approval from group:finance , user:olga now from user:ana as one of group:finance , user:ben as one of group:finance , user:zoe as one of group:finance , user:olga Why/);
    expect(page).toContain('{&quot;amount&quot;:500}</textarea>');
    expect(sectionOf(page, 'scope-1')).toContain('allow small');
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['a small refund', { arguments: '{"amount":50}' }, /^Allowed /],
    ['a refund whose amount is text', { arguments: '{"amount":"50"}' }, /^Asks .*the condition could not be judged/],
    ['a table', { tool: 'drop_table' }, /^Denied .*org:acme\/tables/],
    ['a tool that nobody knows', { tool: 'Refund_payment' }, /^Refused /],
    ['a call in another organisation', { workspace_id: 'w9', tool: 'drop_table' }, /^Refused /],
    ['a call of which its only approver is the owner', { tool: 'own_books', owner: 'user:olga' }, /^Refused .*nobody could give one now/],
    ['a call on behalf of one of its approvers', { on_behalf_of: 'user:zoe' }, /now from user:ana as one of group:finance , user:ben as one of group:finance , user:olga Why/],
  ])('answers for %s', async (_what, more, answer) => {
    const { status, page } = await world.ask(more);
    expect(status).toBe(200);
    expect(sectionOf(page, 'answer')).toMatch(answer);
  });

  test('changes nothing: no event, no argument, no key, and no argument in a log line', async () => {
    await world.ask({ arguments: '{"amount":500,"note":"CANARY"}' });
    await world.ask({ arguments: '{"amount":500,"note":"CANARY"' });
    expect(world.ports.eventLog.texts()).toEqual([]);
    expect(world.ports.vault.argumentsKept().size).toBe(0);
    expect(world.ports.registry.calls().size).toBe(0);
    expect((await world.ports.policies.newest('workspace:w1'))?.data.revision).toBe(1);
    expect(JSON.stringify(world.ports.log.lines)).not.toContain('CANARY');
  });

});

test('a store that cannot be read is a page that claims nothing', async () => {
  instead(world.ports.registry, 'policyScopes', () => unavailable);
  const { status, page } = await world.look();
  expect(status).toBe(503);
  expect(textOf(page)).toContain('Try again.');
});
