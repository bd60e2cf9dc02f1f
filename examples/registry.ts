// The registry that `npm start` loads: one agent, four people, and tools of every kind of verdict.
import type { RegistryInput } from '../lambdas/domain/registry.ts';

const DAY = 24 * 3600;

function local(subject: string): string {
  return subject.startsWith('user:') ? `oidc:local#${subject}` : `iam:local:${subject}`;
}

export const exampleRegistry: RegistryInput = {
  workspaces: [
    { id: 'w1', org_id: 'acme' },
    { id: 'w2', org_id: 'acme' },
  ],
  programs: [
    {
      subject: 'agent:billing-bot',
      principals: [local('agent:billing-bot')],
      agent_ids: ['billing-bot'],
      workspaces: ['w1', 'w2'],
      owner: 'user:olga',
      may_act_for: ['user:zoe'],
    },
  ],
  people: [
    { subject: 'user:ana', principals: [local('user:ana')] },
    { subject: 'user:ben', principals: [local('user:ben')] },
    { subject: 'user:olga', principals: [local('user:olga')] },
    { subject: 'user:zoe', principals: [local('user:zoe')] },
  ],
  tools: [
    {
      name: 'refund_payment',
      version: '1',
      consequence: 'irreversible',
      risk: { level: 'medium', reasons: ['moves money'] },
      policy: { effect: 'ask', approvers: ['user:ana', 'user:ben'], timeout_seconds: DAY },
      executor: { function: 'refund_payment' },
      display: { critical: ['/amount', '/currency', '/customer_id'] },
      summary: 'Refund {amount} {currency} to {customer_id}',
    },
    {
      name: 'send_email',
      version: '1',
      consequence: 'irreversible',
      risk: { level: 'medium', reasons: ['reaches people outside'] },
      policy: { effect: 'ask', approvers: ['user:ana'], timeout_seconds: DAY },
      executor: { function: 'send_email' },
      display: { critical: ['/to', '/subject'] },
    },
    {
      name: 'read_customer',
      version: '1',
      consequence: 'observation',
      risk: { level: 'low' },
      policy: { effect: 'allow', policy_id: 'sandbox.workspace.v1' },
      executor: { function: 'read_customer' },
      idempotent: true,
    },
    {
      name: 'drop_table',
      version: '1',
      consequence: 'irreversible',
      risk: { level: 'critical', reasons: ['destroys data'] },
      policy: { effect: 'deny' },
      executor: { function: 'drop_table' },
    },
    {
      name: 'slow_report',
      version: '1',
      consequence: 'change',
      policy: { effect: 'ask', approvers: ['user:ana'], timeout_seconds: DAY },
      executor: { function: 'slow_report' },
      timeout_seconds: 300,
    },
    {
      name: 'fail_always',
      version: '1',
      consequence: 'change',
      policy: { effect: 'ask', approvers: ['user:ana'], timeout_seconds: DAY },
      executor: { function: 'fail_always' },
    },
    {
      name: 'run_command',
      version: '1',
      consequence: 'irreversible',
      risk: { level: 'high', reasons: ['runs a command'] },
      policy: { effect: 'ask', approvers: ['user:ana'], timeout_seconds: DAY },
      executor: { function: 'run_command' },
      display: { critical: ['/command'] },
    },
    {
      name: 'set_card_pin',
      version: '1',
      consequence: 'change',
      risk: { level: 'medium', reasons: ['lets somebody draw money'] },
      policy: { effect: 'ask', approvers: ['user:ana'], timeout_seconds: DAY },
      executor: { function: 'set_card_pin' },
      display: { critical: ['/card_id'], always_hidden: ['/pin'] },
      summary: 'Set the PIN of card {card_id}',
      // Ten thousand PINs are tried in a moment against a plain hash.
      confidential: true,
      reveal: 'on_request',
    },
  ],
};
