import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { isPolicyScope, NO_POLICY, parsePolicy, type PolicyScope } from '../../../../lambdas/domain/policy/policy-document.ts';

const ASK = { id: 'r', target: 'tool:x', effect: 'ask', approvers: ['user:ana'] };
const SCOPES: readonly PolicyScope[] = ['org:acme', 'workspace:w1', 'agent:bot'];

/** Where a document is at fault: each place once, with the name of an unknown field at its end. */
function faultsOf(scope: PolicyScope, document: unknown): readonly string[] {
  try {
    parsePolicy(scope, document);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof z.ZodError)) throw thrown;
    const fields = thrown.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : ['']).map((key) => [...issue.path, ...(key === '' ? [] : [key])].join('.')));
    return [...new Set(fields)];
  }
}

describe('a document', () => {
  test.each(SCOPES)('of %s may say nothing at all', (scope) => {
    expect(parsePolicy(scope, {})).toEqual(NO_POLICY);
  });

  test('has its defaults filled in and nothing else changed', () => {
    expect(parsePolicy('workspace:w1', { default_approvers: { approvers: ['group:leads'] }, rules: [ASK, { ...ASK, id: 's', effect: 'ask', quorum: 2, timeout_seconds: 60, risk: { level: 'high' } }] })).toEqual({
      ...NO_POLICY,
      default_approvers: { approvers: ['group:leads'], quorum: 1 },
      rules: [{ ...ASK, quorum: 1 }, { ...ASK, id: 's', quorum: 2, timeout_seconds: 60, risk: { level: 'high', reasons: [] } }],
    });
  });

  test.each([
    ['', 'autonomous'],
    ['auto', 'autonomous'],
    ['autonomous', 'autonomous'],
    ['monitored', 'monitored'],
    ['strict', 'strict'],
    ['prompt', 'strict'],
    ['manual', 'strict'],
    ['tools', 'strict'],
  ])('reads the agent mode %j as %s', (written, mode) => {
    expect(parsePolicy('agent:bot', { agent_mode: written }).agent_mode).toBe(mode);
  });

  test.each(['Strict', 'STRICT', 'none', 'off', 'yolo', ' strict', null, true, 1, {}])('refuses %j as an agent mode', (agent_mode) => {
    expect(faultsOf('agent:bot', { agent_mode })).toEqual(['agent_mode']);
  });

  test.each<[PolicyScope, string, unknown]>([
    ['org:acme', 'agent_mode', 'strict'],
    ['workspace:w1', 'agent_mode', 'strict'],
    ['workspace:w1', 'approval_mode', 'tools'],
    ['agent:bot', 'approval_mode', 'tools'],
    ['agent:bot', 'mcp_servers', {}],
  ])('of %s has no %s: nothing would read it there', (scope, field, value) => {
    expect(faultsOf(scope, { [field]: value })).toEqual([field]);
  });

  test.each(SCOPES.flatMap((scope) => ['default', 'allow', 'auto_approve', 'mode', 'policy', 'version', 'Rules', 'rules ', 'constructor', 'code'].map((field) => [scope, field] as const)))('of %s with the unknown field %j is refused by name', (scope, field) => {
    expect(faultsOf(scope, { [field]: {} })).toEqual([field]);
  });

  test.each(['allow', 'ask', 'deny'].flatMap((effect) => ['id_', 'when_', 'auto', 'priority', 'enabled', 'toString'].map((field) => [effect, field] as const)))('with a rule that has effect %s and the unknown field %j is refused', (effect, field) => {
    const rule = effect === 'ask' ? ASK : { id: 'r', target: 'tool:x', effect };
    expect(faultsOf('org:acme', { rules: [ASK, { ...rule, [field]: true }] })).toEqual([`rules.1.${field}`]);
  });

  test.each(['approvers', 'quorum', 'timeout_seconds'])('refuses %s where nobody is asked', (field) => {
    for (const effect of ['allow', 'deny']) expect(faultsOf('org:acme', { rules: [{ id: 'r', target: '*', effect, [field]: field === 'approvers' ? ['user:ana'] : 2 }] })).toEqual([`rules.0.${field}`]);
  });

  test('keeps no field that hides as __proto__', () => {
    for (const text of ['{"__proto__":{"agent_mode":"monitored"}}', '{"rules":[{"id":"r","target":"*","effect":"allow","__proto__":{"when":"false"}}]}']) {
      const document = JSON.parse(text) as unknown;
      const read = faultsOf('agent:bot', document).length === 0 ? parsePolicy('agent:bot', document) : NO_POLICY;
      expect(read.agent_mode).toBe('autonomous');
      expect(read.rules.every((rule) => rule.when === undefined)).toBe(true);
    }
  });

  test.each<[string, unknown]>([
    ['', null],
    ['', []],
    ['', 'allow'],
    ['rules', { rules: {} }],
    ['rules', { rules: Array.from({ length: 1001 }, (_, index) => ({ ...ASK, id: `r${String(index)}` })) }],
    ['rules.0', { rules: [null] }],
    ['rules.0.effect', { rules: [{ ...ASK, effect: 'Allow' }] }],
    ['rules.0.effect', { rules: [{ id: 'r', target: '*' }] }],
    ['rules.0.id', { rules: [{ ...ASK, id: '' }] }],
    ['rules.0.id', { rules: [{ ...ASK, id: 'a rule' }] }],
    ['rules.0.id', { rules: [{ ...ASK, id: 'r'.repeat(129) }] }],
    ...['', 'refund_payment', 'tool:', 'tool:a b', 'tool:a\n', 'Tool:a', 'mcp:crm', 'mcp:/x', 'mcp:*/x', 'mcp:crm/', 'mcp:c rm/x', '**', `tool:${'x'.repeat(124)}`, 5].map((target): [string, unknown] => ['rules.0.target', { rules: [{ ...ASK, target }] }]),
    ...['', 'x'.repeat(2049), 5].map((when): [string, unknown] => ['rules.0.when', { rules: [{ ...ASK, when }] }]),
    ['rules.0.approvers', { rules: [{ id: 'r', target: '*', effect: 'ask' }] }],
    ['rules.0.approvers', { rules: [{ ...ASK, approvers: [] }] }],
    ...['ana', 'User:ana', 'user:', 'user:a b', 'team:core', 'core#lead', 'user:ana#lead', 'role:admin', 'agent:bot', 'group:a/b', '*', 'user:ana ', 5, null].map((approver): [string, unknown] => ['rules.0.approvers.0', { rules: [{ ...ASK, approvers: [approver] }] }]),
    ...[0, -1, 1.5, '2', null].map((quorum): [string, unknown] => ['rules.0.quorum', { rules: [{ ...ASK, quorum }] }]),
    ...[0, -1, 1.5, 30 * 24 * 3600 + 1, '60'].map((timeout_seconds): [string, unknown] => ['rules.0.timeout_seconds', { rules: [{ ...ASK, timeout_seconds }] }]),
    ['rules.0.risk.level', { rules: [{ ...ASK, risk: { level: 'extreme' } }] }],
    ['rules.0.risk.reasons.0', { rules: [{ ...ASK, risk: { level: 'low', reasons: ['x'.repeat(257)] } }] }],
    ['default_approvers.approvers', { default_approvers: { approvers: [] } }],
    ['default_approvers.approvers.0', { default_approvers: { approvers: ['ana'] } }],
    ['default_approvers.escalation', { default_approvers: { approvers: ['user:ana'], escalation: [] } }],
  ])('at fault in %j is refused there', (field, document) => {
    for (const scope of SCOPES) expect(faultsOf(scope, document)).toEqual([field]);
  });

  test.each<[string, unknown]>([
    ['mcp_servers.crm.approval_tools', { crm: {} }],
    ['mcp_servers.crm.auto', { crm: { approval_tools: [], auto: [] } }],
    ['mcp_servers.crm.approval_tools.0', { crm: { approval_tools: [''] } }],
    ['mcp_servers.a/b', { 'a/b': { approval_tools: ['x'] } }],
    ['mcp_servers.crm *', { 'crm *': { approval_tools: ['x'] } }],
    ['mcp_servers.', { '': { approval_tools: ['x'] } }],
    ['mcp_servers', []],
  ])('at fault in %s is refused: no listing may stand where nothing looks for it', (field, mcp_servers) => {
    for (const scope of ['org:acme', 'workspace:w1'] as const) expect(faultsOf(scope, { mcp_servers })).toContain(field);
  });
});

describe('a scope', () => {
  test.each(['org:acme', 'workspace:w1', 'agent:billing-bot', 'org:a.b_c-1', `agent:${'x'.repeat(128)}`])('may be %s', (scope) => {
    expect(isPolicyScope(scope)).toBe(true);
  });
  test.each(['', 'acme', 'org:', 'Org:acme', 'user:ana', 'org:a b', 'org:a/b', 'org:a#b', 'org:acme\n', ' org:acme', 'org:a:b', `agent:${'x'.repeat(129)}`])('may not be %j', (scope) => {
    expect(isPolicyScope(scope)).toBe(false);
  });
});
