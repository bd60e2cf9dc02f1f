// The registry that `npm start` loads: one agent, six people, and the example tools. What policy says of them stands
// in policies/.
import type { RegistryInput } from '../lambdas/domain/registry.ts';

function local(subject: string): string {
  return subject.startsWith('user:') ? `oidc:local#${subject}` : `iam:local:${subject}`;
}

export const exampleRegistry: RegistryInput = {
  workspaces: [
    { id: 'w1', org_id: 'acme' },
    // A sandbox, the network and a search engine make some tools harmless here; see domain/policy/auto-approval.ts.
    { id: 'w2', org_id: 'acme', sandbox: { path: '/workspaces/w2' }, network_access: true, search_backend: 'example' },
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
    { subject: 'user:gil', principals: [local('user:gil')] },
    { subject: 'user:hal', principals: [local('user:hal')] },
    { subject: 'user:olga', principals: [local('user:olga')], administrator: true },
    { subject: 'user:zoe', principals: [local('user:zoe')] },
  ],
  groups: [
    { id: 'group:finance', members: ['user:ana', 'user:ben'] },
    { id: 'group:leads', members: ['user:ana', 'user:ben', 'user:zoe'] },
    { id: 'group:oncall', members: ['user:gil', 'user:hal'] },
    { id: 'group:security', members: ['user:ana'] },
  ],
  tools: [
    {
      name: 'refund_payment',
      version: '1',
      consequence: 'irreversible',
      risk: { level: 'medium', reasons: ['moves money'] },
      executor: { function: 'refund_payment' },
      display: { critical: ['/amount', '/currency', '/customer_id'] },
      summary: 'Refund {amount} {currency} to {customer_id}',
    },
    {
      name: 'send_email',
      version: '1',
      consequence: 'irreversible',
      risk: { level: 'medium', reasons: ['reaches people outside'] },
      executor: { function: 'send_email' },
      display: { critical: ['/to', '/subject'] },
    },
    {
      name: 'read_customer',
      version: '1',
      consequence: 'observation',
      risk: { level: 'low' },
      executor: { function: 'read_customer' },
      idempotent: true,
    },
    {
      name: 'drop_table',
      version: '1',
      consequence: 'irreversible',
      risk: { level: 'critical', reasons: ['destroys data'] },
      executor: { function: 'drop_table' },
    },
    {
      name: 'slow_report',
      version: '1',
      consequence: 'change',
      executor: { function: 'slow_report' },
      timeout_seconds: 300,
    },
    {
      name: 'fail_always',
      version: '1',
      consequence: 'change',
      executor: { function: 'fail_always' },
    },
    {
      name: 'run_command',
      version: '1',
      consequence: 'irreversible',
      risk: { level: 'high', reasons: ['runs a command'] },
      executor: { function: 'run_command' },
      display: { critical: ['/command'] },
    },
    {
      name: 'set_card_pin',
      version: '1',
      consequence: 'change',
      risk: { level: 'medium', reasons: ['lets somebody draw money'] },
      executor: { function: 'set_card_pin' },
      display: { critical: ['/card_id'], always_hidden: ['/pin'] },
      summary: 'Set the PIN of card {card_id}',
      // Ten thousand PINs are tried in a moment against a plain hash.
      confidential: true,
      reveal: 'on_request',
    },
    // On the list of w2 that has a search engine: it runs unattended there, and asks elsewhere.
    {
      name: 'web_search',
      version: '1',
      consequence: 'observation',
      risk: { level: 'low' },
      executor: { function: 'web_search' },
    },
    // Tools of an MCP server that the agent calls itself: the answer is what it waits for.
    {
      name: 'crm/read_contact',
      version: '1',
      consequence: 'observation',
      risk: { level: 'low' },
    },
    {
      name: 'crm/update_contact',
      version: '1',
      consequence: 'change',
    },
  ],
};
