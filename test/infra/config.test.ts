import { describe, expect, it } from 'vitest';
import shipped from '../../countersign.config.ts';
import { parseConfiguration } from '../../infra/config.ts';
import { CONFIGURATION, TOOL_ARN } from './synthesis.ts';

const { registry } = CONFIGURATION;
const [tool] = registry.tools;
const [program] = registry.programs;

const rule = { id: 'refunds', target: 'tool:refund_payment', effect: 'ask', approvers: ['user:ana'] };
const policy = { scope: 'workspace:w1', document: { rules: [rule] } };

describe('a configuration', () => {
  it('is accepted as it is shipped, with nothing to run', () => {
    const configuration = parseConfiguration(shipped);
    expect(configuration.registry.tools.filter((each) => each.executor !== undefined)).toEqual([]);
    expect(configuration.sign_in).toBeUndefined();
  });

  it('takes a policy for each scope that its registry knows', () => {
    const policies = ['org:example', 'workspace:w1', 'agent:billing-bot'].map((scope) => ({ scope, document: { rules: [rule] } }));
    expect(parseConfiguration({ ...CONFIGURATION, policies }).policies).toEqual(policies);
  });

  it('believes what a token says of groups for an hour where nothing else is said', () => {
    expect(parseConfiguration({ ...CONFIGURATION, groups_claim: { claim: 'groups' } }).groups_claim).toEqual({ claim: 'groups', max_age_seconds: 3600 });
    expect(parseConfiguration(CONFIGURATION).groups_claim).toBeUndefined();
  });

  it('keeps everything when nothing is said', () => {
    expect(parseConfiguration(CONFIGURATION)).toMatchObject({ stack_name: 'Countersign', removal: 'retain', log_retention_days: 90 });
  });

  it.each([
    ['removal', { removal: 'delete' }],
    ['log_retention_days', { log_retention_days: 91 }],
    ['stack_name', { stack_name: 'counter sign' }],
    ['sign_in.issuer', { sign_in: { issuer: 'http://login.example.com', audience: ['countersign'] } }],
    ['sign_in.audience', { sign_in: { issuer: 'https://login.example.com', audience: [] } }],
    ['groups_claim.claim', { groups_claim: { claim: '' } }],
    ['groups_claim.max_age_seconds', { groups_claim: { claim: 'groups', max_age_seconds: 59 } }],
    ['max_pending_per_agent', { max_pending_per_agent: 1001 }],
    ['max_pending_per_agent', { max_pending_per_agent: 0 }],
    ['alarm_topic_arn', { alarm_topic_arn: 'on-call' }],
    ['retention', { retention: 30 }],
    ['registry', { registry: 'tools.json' }],
    ['tools', { registry: { ...registry, tools: 'none' } }],
    ['"policy"', { registry: { ...registry, tools: [{ ...tool, policy: { effect: 'allow' } }] } }],
    ['policies[0].scope', { policies: [{ ...policy, scope: 'team:core' }] }],
    ['policies[0].scope', { policies: [{ ...policy, scope: 'workspace:w9' }] }],
    ['policies[0].scope', { policies: [{ ...policy, scope: 'org:acme' }] }],
    ['policies[0].scope', { policies: [{ ...policy, scope: 'agent:nobody' }] }],
    ['policies[1].scope', { policies: [policy, policy] }],
    ['policies[0].document', { policies: [{ ...policy, document: [] }] }],
    ['"mode"', { policies: [{ ...policy, document: { mode: 'strict' } }] }],
    ['"agent_mode"', { policies: [{ ...policy, document: { agent_mode: 'strict' } }] }],
    ['policies[0].document.rules[0].approvers', { policies: [{ ...policy, document: { rules: [{ ...rule, approvers: [] }] } }] }],
    ['policies[0].document.rules[0].effect', { policies: [{ ...policy, document: { rules: [{ ...rule, effect: 'maybe' }] } }] }],
    ['policies[1].document.rules[0].target', { policies: [policy, { scope: 'org:example', document: { rules: [{ ...rule, target: 'refund_payment' }] } }] }],
    ['user:zoe', { registry: { ...registry, programs: [{ ...program, may_act_for: ['user:zoe'] }] } }],
    ['registry.tools[0].executor.function', { registry: { ...registry, tools: [{ ...tool, executor: { function: 'refund_payment' } }] } }],
    ['registry.tools[0].executor.function', { registry: { ...registry, tools: [{ ...tool, executor: { function: `${TOOL_ARN}*` } }] } }],
    ['registry.programs[0].principals[0]', { registry: { ...registry, programs: [{ ...program, principals: ['iam:billing-bot'] }] } }],
    ['registry.programs[0].principals[0]', { registry: { ...registry, programs: [{ ...program, principals: ['iam:arn:aws:iam::111122223333:role/agents/billing-bot'] }] } }],
  ])('is refused with the name of the field: %s', (field, change) => {
    expect(() => parseConfiguration({ ...CONFIGURATION, ...change })).toThrow(field);
  });
});
