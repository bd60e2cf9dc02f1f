import { describe, expect, test } from 'vitest';
import { strayBrackets, sectionOf } from '../../support/page-html.ts';
import { answerOf, pageOf, policy, workspace, type Judged } from '../../support/policy-views.ts';

const REFUNDS = policy('workspace:w1', {
  rules: [
    { id: 'small', target: 'tool:refund_payment', when: 'arguments.amount <= 100', effect: 'allow' },
    { id: 'finance', target: 'tool:refund_payment', when: 'arguments.amount > 100', effect: 'ask', approvers: ['group:finance'] },
    { id: 'leads', target: 'tool:refund_payment', when: 'arguments.amount > 10000', effect: 'ask', approvers: ['group:leads'], quorum: 2, timeout_seconds: 14_400, risk: { level: 'high', reasons: ['a large refund'] } },
    { id: 'broken', target: 'tool:refund_payment', when: 'arguments.amount + "x" > 1', effect: 'deny' },
    { id: 'tables', target: 'tool:drop_*', effect: 'deny' },
  ],
}, 4);
/** Without the rule that fails and therefore denies. */
const SOUND = { ...REFUNDS, document: { ...REFUNDS.document, rules: REFUNDS.document.rules.filter(({ id }) => id !== 'broken') } };

const FINANCE = [{ subject: 'user:ana', via: 'group:finance' }, { subject: 'user:ben', via: 'group:finance' }];

async function answered(policies: Parameters<typeof answerOf>[0], judged: Judged = {}): Promise<string> {
  const page = pageOf(policies, { answer: await answerOf(policies, judged) });
  expect(strayBrackets(page)).toEqual([]);
  return sectionOf(page, 'answer');
}

describe('the answer', () => {
  test('to a call that would run says that nobody is asked, and by which policy', async () => {
    const text = await answered([SOUND], { arguments: { amount: 50 }, would_be: 'granted' });
    expect(text).toMatch(/^Allowed It would run at once, and nobody would be asked\. Verdict allow Risk medium: moves money Policy small Policy revision workspace:w1@4 Why/);
    expect(text).toContain('Fired, because the target matches and the condition holds (1) allow workspace:w1/small');
    expect(text).not.toContain('Who would be asked');
  });

  test('to a call that would wait names each requirement, who could meet it now and through what, and how long it waits', async () => {
    const text = await answered([SOUND], { arguments: { amount: 50_000 }, approvers_now: [FINANCE, [{ subject: 'user:zoe', via: 'user:zoe' }]] });
    expect(text).toMatch(/^Asks It would wait for the approvals below\. One denial would end it\. Verdict ask Risk high: a large refund ; moves money Time to decide 4 h/);
    expect(text).toContain('1 approval from group:finance now from user:ana as one of group:finance , user:ben as one of group:finance');
    expect(text).toContain('2 approvals from group:leads Too few: now from user:zoe');
    expect(text).toContain('Fired, because the target matches and the condition holds (2) ask workspace:w1/finance ask workspace:w1/leads');
    expect(text).toContain('Did not fire, because the condition does not hold (1) allow workspace:w1/small');
    expect(text).toContain('Did not fire, because the target does not match (1) deny workspace:w1/tables');
  });

  test('to a call that nobody could approve says that it would be refused', async () => {
    const text = await answered([SOUND], { approvers_now: [[]], would_be: 'refused' });
    expect(text).toMatch(/^Refused It asks, and nobody could approve it now: so it would be refused\./);
    expect(text).toContain('Too few: nobody could give one now');
  });

  test('to a call that is denied says that no approval lifts it, and names a rule that could not be judged', async () => {
    const text = await answered([REFUNDS], { would_be: 'refused' });
    expect(text).toMatch(/^Denied It would be refused, and no approval could lift that\./);
    expect(text).toContain('Fired, because the condition could not be judged (1) deny workspace:w1/broken');
    expect(text).not.toContain('Who would be asked');
  });
});

describe('what spoke beside the rules', () => {
  const EMPTY = policy('workspace:w1', {});

  test.each<[string, Parameters<typeof answerOf>[0], Judged]>([
    ['default : nothing allows this call', [EMPTY], { tool: 'unheard_of' }],
    ['request_approval : this tool always asks', [EMPTY], { tool: 'request_approval' }],
    ['org:acme/approval_mode : the organisation asks', [policy('org:acme', { approval_mode: 'tools' })], {}],
    ['agent:billing-bot/agent_mode : a strict agent asks', [policy('agent:billing-bot', { agent_mode: 'strict' })], {}],
    ['workspace:w1/mcp_servers : the MCP server asks', [policy('workspace:w1', { mcp_servers: { crm: { approval_tools: ['merge'] } } })], { tool: 'crm/merge' }],
    ['search.workspace.v1 : the list allows it', [EMPTY], { tool: 'web_search', workspace: workspace({ search_backend: 's' }) }],
  ])('%s', async (words, policies, judged) => {
    expect(await answered(policies, judged)).toContain(words);
  });

  test('is a monitored agent’s mode', async () => {
    expect(await answered([policy('agent:billing-bot', { agent_mode: 'monitored' })])).toContain('Agent mode monitored');
  });
});

describe('many rules', () => {
  const many = (count: number) => policy('workspace:w1', { rules: Array.from({ length: count }, (_, index) => ({ id: `r${index}`, target: 'tool:elsewhere', effect: 'deny' })) });

  test('that speak of other calls are folded up, and open without a script', async () => {
    const page = pageOf([many(9)], { answer: await answerOf([many(9)]) });
    expect(page).toContain('<details><summary>Did not fire, because the target does not match');
    const few = pageOf([many(8)], { answer: await answerOf([many(8)]) });
    expect(few).not.toContain('<details>');
  });

  test('are listed up to two hundred, and the others counted', async () => {
    const text = await answered([many(230)]);
    expect(text).toContain('(230)');
    expect(text).toContain('And 30 more.');
    expect(text).not.toContain('workspace:w1/r200');
  });
});
