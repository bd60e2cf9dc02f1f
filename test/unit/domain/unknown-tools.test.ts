import { describe, expect, test } from 'vitest';
import { NO_POLICY, parsePolicy } from '../../../lambdas/domain/policy/policy-document.ts';
import { evaluatePolicy, type Evaluation } from '../../../lambdas/domain/policy/evaluate-policy.ts';
import { ARGUMENTS, at, propose, REFUND, REQUESTER, SCOPE, tell, WORKSPACE, type Policy } from '../../support/operation-builder.ts';

const READ = { ...REFUND, name: 'read_customer' };
/** Allows the tool by its name, and names nobody for what is left. */
const ALLOWS_IT: Policy = { rules: [{ id: 'reading.v1', target: 'tool:read_customer', effect: 'allow' }] };
const registered = new Map([[READ.name, READ]]);

const judged = (tool: string): Promise<Evaluation> =>
  evaluatePolicy(
    { tool, arguments: ARGUMENTS, scope: SCOPE, requester: REQUESTER },
    { policies: [{ scope: 'org:acme', revision: 7, document: parsePolicy('org:acme', ALLOWS_IT) }], definition: registered.get(tool), workspace: WORKSPACE, holds: async () => 'yes' },
  );

describe('a twin of a tool that policy allows is an unknown tool, and asks (167)', () => {
  const twins = ['Read_Customer', 'READ_CUSTOMER', 'read_customer ', ' read_customer', 'read_customer\n', 'read_customer\u0000', 'read_custome\u0433', 'read_customer\u200b', 'read-customer', 'tool:read_customer', 'sandbox/read_customer', 'read_customer.v1', '', '*', '__proto__', 'constructor'];

  test.each(twins)('%j', async (name) => {
    expect((await judged(name)).verdict).toMatchObject({ verdict: 'ask', requirements: [], policy_id: 'unlisted.v1', policy_revision: 'org:acme@7', risk: { level: 'high', reasons: ['the tool is not registered'] } });
  });

  test.each(twins)('%j is refused when nobody is named for it, under the name that was called', async (name) => {
    const { operation } = await tell([at(0, propose({ unknown_tool: name, policy: ALLOWS_IT }))]);

    expect(operation).toMatchObject({ status: 'refused', decision: { reason: 'nobody_can_approve' }, opening: { operation: { tool: name, tool_version: 'unregistered' }, tool_digest: 'unregistered', run: { managed: false } } });
  });

  test('and the tool itself is known, and runs unattended', async () => {
    expect((await judged('read_customer')).verdict).toMatchObject({ verdict: 'allow', policy_id: 'reading.v1', matched_rules: ['org:acme/reading.v1'] });
  });
});

describe('without any policy', () => {
  test.each(['read_customer', 'wipe_disk'])('%s asks, and there is nobody to ask', async (tool) => {
    const { verdict } = await evaluatePolicy(
      { tool, arguments: ARGUMENTS, scope: SCOPE, requester: REQUESTER },
      { policies: [{ scope: 'org:acme', revision: 0, document: NO_POLICY }], definition: registered.get(tool), workspace: WORKSPACE, holds: async () => 'yes' },
    );

    expect(verdict).toMatchObject({ verdict: 'ask', requirements: [], policy_id: 'unlisted.v1' });
  });
});
