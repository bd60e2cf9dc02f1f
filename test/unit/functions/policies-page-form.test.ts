import { beforeEach, describe, expect, test } from 'vitest';
import type { Asked } from '../../support/gateway-events.ts';
import { sectionOf, textOf } from '../../support/page-html.ts';
import { decisionToken, FORM, policyPageWorld, tokenFor, type PolicyPageWorld } from '../../support/policy-page-world.ts';

let world: PolicyPageWorld;
beforeEach(() => void (world = policyPageWorld()));

describe('what was typed', () => {
  test.each<[string, string, string]>([
    ['{"amount":1,"amount":2}', 'At /amount', 'send each key once'],
    ['{"amount":1,"\\u0061mount":2}', 'At /amount', 'perhaps spelled with different escapes'],
    ['{"amount":9007199254740993}', 'At /amount', 'as strings'],
    ['{"a":"\\ud800"}', 'At /a', 'surrogate'],
    ['', '', 'ends inside a value'],
    ['{} {}', '', 'exactly one JSON value'],
  ])('%s is read as strictly as in a real call', async (text, where, why) => {
    const { status, page } = await world.ask({ arguments: text });
    expect(status).toBe(422);
    expect(sectionOf(page, 'refused')).toContain('arguments_not_canonical');
    expect(sectionOf(page, 'refused')).toContain(where);
    expect(sectionOf(page, 'refused')).toContain(why);
    expect(page).toContain('name="tool" type="text" value="refund_payment"');
  });

  test.each([
    ['scope.workspace_id', { workspace_id: 'w7' }],
    ['tool', { tool: '' }],
    ['tool', { tool: 'x'.repeat(129) }],
    ['scope.agent_id', { agent_id: '' }],
    ['requester.owner', { owner: 'x'.repeat(129) }],
  ])('comes back when %s is wrong, which is said', async (field, more) => {
    const { status, page } = await world.ask(more);
    expect(status).toBe(400);
    expect(sectionOf(page, 'refused')).toContain(field);
    expect(page).toContain('{&quot;amount&quot;:500}</textarea>');
  });

  test('may be longer than a decision, and no longer than a call', async () => {
    expect((await world.ask({ arguments: JSON.stringify({ amount: 500, note: 'x'.repeat(100_000) }) })).status).toBe(200);
    expect((await world.ask({ arguments: JSON.stringify({ amount: 500, note: 'x'.repeat(400_000) }) })).status).toBe(422);
    expect((await world.ask({ arguments: 'x'.repeat(1024 * 1024) })).status).toBe(413);
  });

  test('of a scope that is gone meanwhile is not found', async () => {
    expect((await world.ask({ scope: 'workspace:w7' })).status).toBe(404);
  });
});

describe('a form that is not ours is refused, and nothing is explained', () => {
  test.each<[string, Partial<Asked>, Record<string, string>]>([
    ['from another origin', { headers: { ...FORM, origin: 'https://evil.example' } }, {}],
    ['from another site by the browser’s word', { headers: { ...FORM, 'sec-fetch-site': 'cross-site' } }, {}],
    ['with the token of another person', {}, { form_token: tokenFor('user:ben') }],
    ['with a token of long ago', {}, { form_token: tokenFor('user:ana', 7200) }],
    ['with the token of a decision', {}, { form_token: decisionToken('user:ana') }],
    ['with an empty token', {}, { form_token: '' }],
  ])('%s', async (_what, request, more) => {
    const { status, page } = await world.ask(more, request);
    expect(status).toBe(403);
    expect(textOf(page)).toContain('cross_site_request');
    expect(page).not.toContain('id="answer"');
  });

  test('with a field that we do not know, with none of ours, or as JSON', async () => {
    expect((await world.ask({ policy: 'allow' })).status).toBe(400);
    expect((await world.ask({}, { body: 'scope=workspace%3Aw1' })).status).toBe(400);
    expect((await world.ask({}, { headers: { ...FORM, 'content-type': 'application/json' } })).status).toBe(415);
  });
});
