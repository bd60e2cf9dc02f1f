// The four levels of policy as a table: each row a call, what the documents say, what the workspace is, and what it
// comes to and why.
import { describe, expect, test } from 'vitest';
import type { PolicyVerdict } from '../../../../lambdas/domain/policy/evaluate-policy.ts';
import { evaluated, judged, type Judging } from '../../../support/policy-samples.ts';

interface Row extends Judging {
  readonly tells: string;
  readonly name?: string;
  readonly comes_to: Partial<PolicyVerdict>;
  readonly because?: readonly string[];
}

const LEADS = { approvers: ['group:leads'], quorum: 1 };
const leads = { default_approvers: { approvers: ['group:leads'] } };
const asks = (target: string, approvers: readonly string[], more: object = {}) => ({ id: 'asks', target, effect: 'ask', approvers: [...approvers], ...more });
const allows = (target: string, more: object = {}) => ({ id: 'allows', target, effect: 'allow', ...more });
const denies = (target: string, more: object = {}) => ({ id: 'denies', target, effect: 'deny', ...more });
const DAY = 24 * 3600;

function table(rows: readonly Row[]): void {
  test.each(rows)('$tells', async ({ name, comes_to, because, ...judging }) => {
    const verdict = await judged({ ...judging, ...(name === undefined ? {} : { call: { tool: name, ...judging.call } }) });
    expect(verdict).toMatchObject(comes_to);
    if (because !== undefined) expect(verdict.matched_rules).toEqual(because);
  });
}

describe('level 1, the tool itself:', () => {
  table([
    { tells: 'request_approval always asks', name: 'request_approval', workspace: leads, comes_to: { verdict: 'ask', requirements: [LEADS], policy_id: 'request_approval.v1' }, because: ['request_approval'] },
    { tells: 'request_approval asks though a rule allows everything', name: 'request_approval', org: { ...leads, rules: [allows('*')] }, comes_to: { verdict: 'ask', requirements: [LEADS], policy_id: 'request_approval.v1' }, because: ['org:acme/allows', 'request_approval'] },
    { tells: 'request_approval asks even where it only observes', name: 'request_approval', tool: { consequence: 'observation' }, workspace: { rules: [allows('*')] }, comes_to: { verdict: 'ask' } },
    { tells: 'an MCP tool that its server lists asks, whatever allows it', name: 'crm/update_contact', org: { mcp_servers: { crm: { approval_tools: ['update_contact'] } } }, workspace: { ...leads, rules: [allows('mcp:crm/*')] }, comes_to: { verdict: 'ask', requirements: [LEADS], policy_id: 'mcp.approval_tools.v1' }, because: ['org:acme/mcp_servers', 'workspace:w1/allows'] },
    { tells: 'a workspace may list more of a server', name: 'crm/delete', org: { mcp_servers: { crm: { approval_tools: ['update'] } } }, workspace: { mcp_servers: { crm: { approval_tools: ['delete'] } }, rules: [allows('*')] }, comes_to: { verdict: 'ask' }, because: ['workspace:w1/allows', 'workspace:w1/mcp_servers'] },
    { tells: 'a listing is of one server and one exact name', name: 'crm2/update', org: { mcp_servers: { crm: { approval_tools: ['update'] } }, rules: [allows('*')] }, comes_to: { verdict: 'allow' } },
    { tells: 'a listed name of another case is not listed', name: 'crm/Update', org: { mcp_servers: { crm: { approval_tools: ['update'] } }, rules: [allows('*')] }, comes_to: { verdict: 'allow' } },
    { tells: 'a deny stands against every ask and allow, of whatever scope', workspace: { rules: [denies('tool:refund_*', { risk: { level: 'critical', reasons: ['never'] } })] }, org: { rules: [allows('*'), { ...asks('*', ['user:ana']), id: 'also' }] }, comes_to: { verdict: 'deny', requirements: [], policy_id: 'denies', risk: { level: 'critical', reasons: ['never'] } }, because: ['org:acme/allows', 'org:acme/also', 'workspace:w1/denies'] },
    { tells: 'the narrowest scope may deny what all others allow', agent: { rules: [denies('tool:refund_payment')] }, org: { rules: [allows('*')] }, comes_to: { verdict: 'deny' } },
    { tells: 'the widest scope denies what a narrower one allows', org: { rules: [denies('*')] }, agent: { rules: [allows('tool:refund_payment')] }, comes_to: { verdict: 'deny', policy_id: 'denies' } },
  ]);
});

describe('level 2, the organisation:', () => {
  table([
    { tells: 'approval_mode tools asks for a tool that changes something', org: { ...leads, approval_mode: 'tools' }, comes_to: { verdict: 'ask', requirements: [LEADS], policy_id: 'approval_mode.tools.v1' }, because: ['org:acme/approval_mode'] },
    { tells: 'approval_mode tools asks though a rule allows it', org: { ...leads, approval_mode: 'tools' }, workspace: { rules: [allows('*')] }, comes_to: { verdict: 'ask', requirements: [LEADS] } },
    { tells: 'approval_mode tools asks though a list allows it', name: 'run_command', facts: { sandbox: { path: '/w' } }, org: { ...leads, approval_mode: 'tools' }, comes_to: { verdict: 'ask' }, because: ['org:acme/approval_mode', 'sandbox.workspace.v1'] },
    { tells: 'approval_mode tools leaves observations to the rules', tool: { consequence: 'observation' }, org: { approval_mode: 'tools', rules: [allows('*')] }, comes_to: { verdict: 'allow' } },
    { tells: 'approval_mode tools asks for a tool of which nobody knows what it does', tool: undefined, org: { ...leads, approval_mode: 'tools', rules: [allows('*')] }, comes_to: { verdict: 'ask' }, because: ['org:acme/allows', 'org:acme/approval_mode'] },
    { tells: 'a narrower rule that names its own approvers adds them, and lifts none of the organisation’s', org: { default_approvers: { approvers: ['group:leads'], quorum: 2, timeout_seconds: 600 }, approval_mode: 'tools' }, agent: { rules: [asks('*', ['user:friend'], { timeout_seconds: 30 * DAY })] }, comes_to: { verdict: 'ask', requirements: [{ approvers: ['group:leads'], quorum: 2 }, { approvers: ['user:friend'], quorum: 1 }], timeout_seconds: 600 } },
  ]);
});

describe('level 3, the agent’s mode:', () => {
  table([
    ...['strict', 'prompt', 'manual', 'tools'].map((agent_mode): Row => ({ tells: `${agent_mode} asks for every tool that changes something`, org: { ...leads, rules: [allows('*')] }, agent: { agent_mode }, comes_to: { verdict: 'ask', requirements: [LEADS], policy_id: 'agent_mode.strict.v1', agent_mode: 'strict' }, because: ['agent:billing-bot/agent_mode', 'org:acme/allows'] })),
    { tells: 'strict leaves observations to the rules', tool: { consequence: 'observation' }, org: { rules: [allows('*')] }, agent: { agent_mode: 'strict' }, comes_to: { verdict: 'allow', agent_mode: 'strict' } },
    { tells: 'strict empties the lists', name: 'web_search', tool: { consequence: 'observation' }, facts: { search_backend: 's' }, agent: { agent_mode: 'strict' }, comes_to: { verdict: 'ask', policy_id: 'unlisted.v1' }, because: ['default'] },
    { tells: 'monitored changes no verdict, and is told', name: 'run_command', facts: { sandbox: { path: '/w' } }, agent: { agent_mode: 'monitored' }, comes_to: { verdict: 'allow', policy_id: 'sandbox.workspace.v1', agent_mode: 'monitored' } },
    ...['autonomous', 'auto', ''].map((agent_mode): Row => ({ tells: `${agent_mode === '' ? 'an empty mode' : agent_mode} keeps the default`, name: 'run_command', facts: { sandbox: { path: '/w' } }, agent: { agent_mode }, comes_to: { verdict: 'allow', agent_mode: 'autonomous' } })),
  ]);
});

describe('level 4, the lists:', () => {
  const LISTS = [
    ['sandbox.workspace.v1', ['run_command', 'write_file', 'edit_file'], { sandbox: { path: '/workspaces/w1' } }],
    ['network.workspace.v1', ['web_fetch', 'fetch_image'], { network_access: true }],
    ['search.workspace.v1', ['web_search'], { search_backend: 's' }],
    ['browser.workspace.v1', ['browser'], { browser_backend: 'b' }],
  ] as const;
  const all = { sandbox: { path: '/w' }, network_access: true, search_backend: 's', browser_backend: 'b' };
  table([
    ...LISTS.flatMap(([policy_id, tools, facts]) =>
      tools.flatMap((name): Row[] => [
        { tells: `${name} runs unattended where the workspace has ${Object.keys(facts).join()}`, name, facts, comes_to: { verdict: 'allow', requirements: [], policy_id }, because: [policy_id] },
        { tells: `${name} asks where it has everything else`, name, facts: { ...all, ...Object.fromEntries(Object.keys(facts).map((fact) => [fact, fact === 'network_access' ? false : undefined])) }, workspace: leads, comes_to: { verdict: 'ask', requirements: [LEADS], policy_id: 'unlisted.v1' } },
        { tells: `${name} of an MCP server is on no list`, name: `crm/${name}`, facts: all, comes_to: { verdict: 'ask', policy_id: 'unlisted.v1' } },
        { tells: `${name} asks where its name is not exact`, name: `${name} `, tool: undefined, facts: all, comes_to: { verdict: 'ask', policy_id: 'unlisted.v1', risk: { level: 'high', reasons: ['the tool is not registered'] } } },
        { tells: `${name} asks where it is not registered`, name, tool: undefined, facts: all, comes_to: { verdict: 'ask', policy_id: 'unlisted.v1' } },
        { tells: `${name} asks where a rule asks for it`, name, facts: all, workspace: { rules: [asks(`tool:${name}`, ['user:ana'])] }, comes_to: { verdict: 'ask', requirements: [{ approvers: ['user:ana'], quorum: 1 }], policy_id: 'asks' } },
        { tells: `${name} is denied where a rule denies it`, name, facts: all, agent: { rules: [denies('*')] }, comes_to: { verdict: 'deny' } },
      ]),
    ),
    { tells: 'no field of a call makes a precondition', name: 'run_command', call: { arguments: { sandbox: { path: '/w' }, network_access: true } }, comes_to: { verdict: 'ask', policy_id: 'unlisted.v1' } },
    { tells: 'request_approval is on no list', name: 'request_approval', facts: all, comes_to: { verdict: 'ask' } },
  ]);
});

describe('what nothing speaks of', () => {
  const ALLOW_ALL = { rules: [allows('*')] };
  table([
    { tells: 'asks the default approvers', org: leads, comes_to: { verdict: 'ask', requirements: [LEADS], policy_id: 'unlisted.v1', timeout_seconds: DAY }, because: ['default'] },
    { tells: 'asks those of every scope that names some', org: { default_approvers: { approvers: ['group:leads'], quorum: 2 } }, workspace: { default_approvers: { approvers: ['user:ana'], timeout_seconds: 60 } }, agent: { default_approvers: { approvers: ['user:ben'], timeout_seconds: 90 } }, comes_to: { requirements: [{ approvers: ['group:leads'], quorum: 2 }, { approvers: ['user:ana'], quorum: 1 }, { approvers: ['user:ben'], quorum: 1 }], timeout_seconds: 60 } },
    { tells: 'asks, and there is nobody to ask, where no document says a word', comes_to: { verdict: 'ask', requirements: [], policy_id: 'unlisted.v1', policy_revision: 'org:acme@1,workspace:w1@2,agent:billing-bot@3' } },
    { tells: 'asks though it only observes', tool: { consequence: 'observation' }, comes_to: { verdict: 'ask', policy_id: 'unlisted.v1' } },
    { tells: 'is allowed by a rule, where the tool is registered', org: ALLOW_ALL, comes_to: { verdict: 'allow', policy_id: 'allows' }, because: ['org:acme/allows'] },
    { tells: 'asks where a rule allows everything and the tool is not registered (167)', tool: undefined, org: { ...ALLOW_ALL, ...leads }, comes_to: { verdict: 'ask', requirements: [LEADS], policy_id: 'unlisted.v1' }, because: ['default', 'org:acme/allows'] },
    ...['Refund_Payment', 'refund_payment ', ' refund_payment', 'refund_payment\n', 'refund_payment\u200b', 'crm/refund_payment', 'tool:refund_payment'].map((name): Row => ({ tells: `asks for ${JSON.stringify(name)}, whatever its twin is allowed (167)`, name, tool: undefined, org: { rules: [allows('tool:*refund_payment*'), allows('tool:refund_payment', { id: 'exact' })] }, comes_to: { verdict: 'ask', policy_id: 'unlisted.v1' } })),
    { tells: 'asks the people of a rule that asks, registered or not', tool: undefined, org: leads, workspace: { rules: [asks('*', ['user:ana'])] }, comes_to: { verdict: 'ask', requirements: [{ approvers: ['user:ana'], quorum: 1 }], policy_id: 'asks' } },
  ]);
});

describe('asks of several scopes', () => {
  table([
    { tells: 'add up', org: { rules: [asks('*', ['group:leads'], { quorum: 2 })] }, workspace: { rules: [asks('tool:refund_*', ['group:finance'])] }, agent: { rules: [asks('tool:refund_payment', ['user:ana'])] }, comes_to: { verdict: 'ask', requirements: [{ approvers: ['group:finance'], quorum: 1 }, { approvers: ['group:leads'], quorum: 2 }, { approvers: ['user:ana'], quorum: 1 }] } },
    { tells: 'wait for the shortest time, a day where one says none', org: { rules: [asks('*', ['user:ana'])] }, workspace: { rules: [asks('*', ['user:ben'], { timeout_seconds: 20 * DAY })] }, comes_to: { timeout_seconds: DAY } },
    { tells: 'wait longer than a day where all say so', org: { rules: [asks('*', ['user:ana'], { timeout_seconds: 3 * DAY })] }, workspace: { rules: [asks('*', ['user:ben'], { timeout_seconds: 2 * DAY })] }, comes_to: { timeout_seconds: 2 * DAY } },
    { tells: 'are as risky as the riskiest, with all reasons', tool: { risk: { level: 'medium', reasons: ['moves money'] } }, org: { rules: [asks('*', ['user:ana'], { risk: { level: 'high', reasons: ['b'] } })] }, workspace: { rules: [allows('*', { risk: { level: 'low', reasons: ['a'] } })] }, comes_to: { risk: { level: 'high', reasons: ['a', 'b', 'moves money'] } } },
    { tells: 'say the same requirement once', org: { rules: [asks('*', ['user:ben', 'user:ana'])] }, agent: { rules: [asks('*', ['user:ana', 'user:ben'])] }, comes_to: { requirements: [{ approvers: ['user:ana', 'user:ben'], quorum: 1 }] } },
  ]);
});

describe('an expression that cannot be judged', () => {
  const BROKEN = ['arguments.missing > 1', '$nosuch()', '(((', '"yes"', '($f := function($n) { 1 + $f($n) }; $f(1))', '$now() > ""', '$contains("a", /(a)\\1/)'];
  table(
    BROKEN.flatMap((when): Row[] => [
      { tells: `denies in a deny: ${when}`, org: { rules: [denies('*', { when })] }, comes_to: { verdict: 'deny' } },
      { tells: `asks in an ask: ${when}`, org: { rules: [asks('*', ['user:ana'], { when }), allows('*')] }, comes_to: { verdict: 'ask', policy_id: 'asks' } },
      { tells: `does not allow in an allow: ${when}`, org: { rules: [allows('*', { when })] }, comes_to: { verdict: 'ask', policy_id: 'unlisted.v1' } },
    ]),
  );
});

test('every rule is told with why it fired or did not', async () => {
  const { trace } = await evaluated({
    org: { rules: [denies('tool:drop_*'), asks('*', ['user:ana'], { when: 'arguments.amount > 100' }), allows('*')] },
    agent: { rules: [{ ...asks('*', ['user:ben'], { when: 'arguments.missing > 100' }), id: 'unclear' }, { ...allows('*', { when: 'arguments.missing > 1' }), id: 'unclear.too' }, { ...allows('*', { when: 'arguments.amount = 50' }), id: 'held' }] },
  });
  expect(trace).toEqual([
    { rule: 'org:acme/denies', effect: 'deny', fired: false, why: 'the target does not match' },
    { rule: 'org:acme/asks', effect: 'ask', fired: false, why: 'the condition does not hold' },
    { rule: 'org:acme/allows', effect: 'allow', fired: true, why: 'the target matches' },
    { rule: 'agent:billing-bot/unclear', effect: 'ask', fired: true, why: 'the condition could not be judged' },
    { rule: 'agent:billing-bot/unclear.too', effect: 'allow', fired: false, why: 'the condition could not be judged' },
    { rule: 'agent:billing-bot/held', effect: 'allow', fired: true, why: 'the target matches and the condition holds' },
  ]);
});
