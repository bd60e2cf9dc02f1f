import { describe, expect, test } from 'vitest';
import { refusal } from '../../../lambdas/domain/refusals.ts';
import { namesIn, sectionOf, strayBrackets, textOf } from '../../support/page-html.ts';
import { FIELDS, pageOf, policy, replyOf, workspace } from '../../support/policy-views.ts';

const ORG = policy('org:acme', {
  approval_mode: 'tools',
  mcp_servers: { github: { approval_tools: ['merge_pull_request', 'delete_branch'] } },
  rules: [{ id: 'tables', target: 'tool:drop_*', effect: 'deny', risk: { level: 'critical', reasons: ['destroys data'] } }],
}, 3);
const WORKSPACE = policy('workspace:w1', {
  default_approvers: { approvers: ['group:leads'], quorum: 2, timeout_seconds: 7200 },
  rules: [
    { id: 'reads', target: 'mcp:crm/read_*', effect: 'allow' },
    { id: 'refunds', target: 'tool:refund_payment', when: 'arguments.amount > 100', effect: 'ask', approvers: ['user:ana', 'group:finance'], quorum: 2, timeout_seconds: 14_400 },
  ],
}, 7);

describe('the documents of a scope', () => {
  const page = pageOf([ORG, WORKSPACE, policy('agent:billing-bot', { agent_mode: 'monitored' })]);

  test('stand widest first, each with its revision', () => {
    const text = textOf(page);
    const places = ['org:acme Revision 3', 'workspace:w1 Revision 7', 'agent:billing-bot Revision 1'].map((each) => text.indexOf(each));
    expect(places.every((at) => at > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  test('tell of each rule its effect, id, target, condition, approvers with quorum, time and risk', () => {
    expect(sectionOf(page, 'scope-0')).toContain('deny tables tool:drop_* critical risk: destroys data');
    expect(sectionOf(page, 'scope-1')).toContain('ask refunds tool:refund_payment when arguments.amount > 100 2 approvals from user:ana , group:finance , within 4 h');
    expect(sectionOf(page, 'scope-1')).toContain('allow reads mcp:crm/read_*');
  });

  test('tell modes, lists of MCP servers and who answers where nobody is named', () => {
    expect(sectionOf(page, 'scope-0')).toContain('Approval mode tools : every tool that does not only read asks');
    expect(sectionOf(page, 'scope-0')).toContain('An MCP server asks for github : merge_pull_request , delete_branch');
    expect(sectionOf(page, 'scope-1')).toContain('Where an ask names nobody 2 approvals from group:leads , within 2 h');
    expect(sectionOf(page, 'scope-2')).toContain('Agent mode monitored');
  });

  test('say so where nothing was ever written, and where nothing is written any more', () => {
    const empty = pageOf([policy('org:acme', {}, 0), policy('workspace:w1', {}, 4)]);
    expect(sectionOf(empty, 'scope-0')).toBe('org:acme Nothing was ever written here No rules.');
    expect(sectionOf(empty, 'scope-1')).toBe('workspace:w1 Revision 4 No rules.');
  });

  test('are shown up to five hundred rules, widest first, and the rest is counted', () => {
    const many = (scope: 'org:acme' | 'workspace:w1', count: number) => policy(scope, { rules: Array.from({ length: count }, (_, index) => ({ id: `r${index}`, target: 'tool:x', effect: 'deny' })) });
    const long = pageOf([many('org:acme', 400), many('workspace:w1', 300)]);
    expect(sectionOf(long, 'scope-0')).not.toContain('not shown');
    expect(sectionOf(long, 'scope-1')).toContain('200 more rules are not shown here: read them at /api/policies/ workspace:w1 .');
    expect(sectionOf(long, 'scope-1')).toContain('deny r99 ');
    expect(sectionOf(long, 'scope-1')).not.toContain('deny r100 ');
  });
});

describe('what runs unattended without a rule', () => {
  const RICH = workspace({ sandbox: { path: '/workspaces/w1' }, network_access: true, search_backend: 's', browser_backend: 'b' });
  const unattended = (...given: Parameters<typeof pageOf>): string => sectionOf(pageOf(...given), 'unattended');

  test('is told list by list, with the fact that it rests on', () => {
    const poor = unattended([WORKSPACE], { workspaces: [workspace({ search_backend: 's' })] });
    expect(poor).toContain('off sandbox.workspace.v1 run_command , write_file , edit_file Does not hold: the workspace has no sandbox.');
    expect(poor).toContain('off network.workspace.v1 web_fetch , fetch_image Does not hold: the workspace has no network access.');
    expect(poor).toContain('allow search.workspace.v1 web_search Holds: the workspace has a search backend.');
    expect(poor).toContain('off browser.workspace.v1 browser Does not hold: the workspace has no browser backend.');
    expect(unattended([WORKSPACE], { workspaces: [RICH] }).match(/allow [a-z]+\.workspace\.v1/g)).toHaveLength(4);
  });

  test('is nothing for a strict agent, whatever its workspace has', () => {
    const strict = unattended([WORKSPACE, policy('agent:billing-bot', { agent_mode: 'manual' })], { workspaces: [RICH] });
    expect(strict).toContain('None: the agent is strict .');
    expect(strict).not.toContain('sandbox.workspace.v1');
  });

  test('asks all the same where the organisation asks for every tool', () => {
    expect(unattended([ORG, WORKSPACE], { workspaces: [RICH] })).toContain('The approval mode tools asks for them all the same.');
    expect(unattended([WORKSPACE], { workspaces: [RICH] })).not.toContain('asks for them all the same');
  });

  test('depends on the workspace where none is chosen, and is told for each where there are several', () => {
    expect(unattended([ORG], { workspaces: [] })).toContain('That depends on the workspace: choose one.');
    const two = unattended([policy('agent:billing-bot', {})], { workspaces: [RICH, workspace({ id: 'w2' })] });
    expect(two).toMatch(/workspace: w1 allow sandbox\.workspace\.v1.*workspace: w2 off sandbox\.workspace\.v1/);
  });
});

describe('the form', () => {
  test('gives back what was typed, to the letter', () => {
    const typed = { ...FIELDS, tool: 'x" onfocus="y', arguments: '\n{"a":"</textarea><script>alert(1)</script>"}', owner: 'user:olga', on_behalf_of: "user:zo'e" };
    const page = pageOf([WORKSPACE], { fields: typed });
    // The parser drops the first line break of a text area, which is ours, and keeps the typed one.
    expect(/<textarea[^>]*>\n([\s\S]*?)<\/textarea>/.exec(page)?.[1]).toBe('\n{&quot;a&quot;:&quot;&lt;/textarea&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;}');
    expect(page).toContain('name="tool" type="text" value="x&quot; onfocus=&quot;y"');
    expect(page).toContain('name="owner" type="text" value="user:olga"');
    expect(page).toContain('name="on_behalf_of" type="text" value="user:zo&#39;e"');
  });

  test('offers the workspaces and agents of the registry, and has the shown scope and the token beside it', () => {
    const page = pageOf([WORKSPACE], { fields: { ...FIELDS, workspace_id: 'w2' } });
    expect(page).toContain('<option value="w1">w1</option><option value="w2" selected>w2</option>');
    expect(page).toContain('<datalist id="agent_id-known"><option value="billing-bot"></option></datalist>');
    expect(page).toContain('<option value="workspace:w1" selected>workspace:w1</option>');
    expect(page).toContain('<input type="hidden" name="scope" value="workspace:w1">');
    expect(page).toContain('<input type="hidden" name="form_token" value="t">');
  });

  test('says where and why arguments could not be read', () => {
    const unreadable = refusal('arguments_not_canonical', 'An object has the same key twice.', { pointer: '/a\u202eb', reason: 'duplicate_key', hint: 'send each key once' });
    const { statusCode, body = '' } = replyOf([WORKSPACE], { answer: unreadable });
    expect(statusCode).toBe(422);
    expect(sectionOf(body, 'refused')).toBe('This could not be explained An object has the same key twice. At /a \\u{202e} b Hint: send each key once arguments_not_canonical , status 422');
  });
});

describe('text from outside', () => {
  const hostile = '</code><img src=x onerror=alert(1)>\u202e\u200b';
  const page = pageOf([policy('org:acme', {
    mcp_servers: { [hostile.replaceAll(/[\s/*?]/g, '')]: { approval_tools: [hostile] } },
    rules: [{ id: 'x', target: 'tool:<b>\u202e</b>', when: `arguments.a = "${hostile}"\n and true`, effect: 'deny', risk: { level: 'low', reasons: [hostile] } }],
  })], { subject: `user:${hostile}` });

  test('is escaped wherever a document may hold it', () => {
    expect(strayBrackets(page)).toEqual([]);
    expect(namesIn(page).filter((name) => name === 'img' || name === 'b' || name.includes('@on'))).toEqual([]);
  });

  test('is made visible, and a condition keeps its lines', () => {
    expect(page).not.toMatch(/[\u202e\u200b]/);
    expect(page).toContain('<mark>\\u{202e}</mark>');
    expect(page).toMatch(/&quot;\n and true/);
  });

  test('is in no title, and no page has a script', () => {
    expect(/<title>([^<]*)<\/title>/.exec(page)?.[1]).toBe('Policy · Countersign');
    expect(namesIn(page)).not.toContain('script');
  });
});
