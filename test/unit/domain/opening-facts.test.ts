import { describe, expect, test } from 'vitest';
import { bindingHash, displayHash } from '../../../lambdas/domain/binding.ts';
import type { JsonValue } from '../../../lambdas/domain/json/json-value.ts';
import { openingFacts, type Call } from '../../../lambdas/domain/opening-facts.ts';
import { toolDigest } from '../../../lambdas/domain/registry.ts';
import { ARGUMENTS, ARGUMENTS_HASH, OPERATION_ID, POLICY_REVISION, REFUND, REQUESTER, SCOPE, WORKSPACE } from '../../support/operation-builder.ts';

const CALL: Call = { operation_id: OPERATION_ID, type: 'tool_call', tool: REFUND.name, arguments: ARGUMENTS, arguments_hash: ARGUMENTS_HASH, scope: SCOPE, requester: REQUESTER };
const AROUND = { definition: REFUND, workspace: WORKSPACE, policy_revision: POLICY_REVISION };
const facts = (more: Partial<Call> = {}) => openingFacts({ ...CALL, ...more }, AROUND);

describe('the facts of a call', () => {
  test('bind what is shown to what is hashed, who asked and what defined it', () => {
    const { operation, display_hash, tool_digest } = facts();

    expect(display_hash).toBe(displayHash(operation.arguments));
    expect(tool_digest).toBe(toolDigest(REFUND));
    expect(operation.binding_hash).toBe(
      bindingHash({ operation_id: OPERATION_ID, scope: SCOPE, tool: REFUND.name, tool_version: '1', tool_digest, arguments_hash: ARGUMENTS_HASH, display_hash, policy_revision: POLICY_REVISION, requester: REQUESTER }),
    );
  });

  test('hold the display and not the arguments', () => {
    const said = JSON.stringify(facts({ arguments: { ...(ARGUMENTS as object), password: 'hunter2-canary' } as JsonValue, reason: 'because' }));

    expect(said).not.toContain('hunter2-canary');
    expect(said).toContain('c-42');
  });

  test('keep the agent\u2019s words apart, bounded and visible', () => {
    expect(facts({ reason: 'look\u202e!' }).reason_claimed).toContain('\\u{202e}');
    expect(Buffer.byteLength(facts({ reason: 'x'.repeat(100_000) }).reason_claimed ?? '')).toBeLessThanOrEqual(512);
    expect(facts()).not.toHaveProperty('reason_claimed');
    expect(facts()).not.toHaveProperty('call_id');
  });

  test('of a tool that nobody registered take nothing for granted', () => {
    expect(openingFacts({ ...CALL, tool: 'wipe' }, { ...AROUND, definition: undefined })).toMatchObject({
      operation: { tool: 'wipe', tool_version: 'unregistered' },
      tool_digest: 'unregistered',
      details: { consequence: 'unknown', idempotent: false },
      run: { managed: false, timeout_seconds: 60, use_within_seconds: 900 },
    });
  });

  test('say where the workspace is, where it has a sandbox', () => {
    expect(openingFacts(CALL, { ...AROUND, workspace: { ...WORKSPACE, sandbox: { path: '/srv/w1' } } }).details).toMatchObject({ workspace_path: '/srv/w1' });
    expect(facts().details).not.toHaveProperty('workspace_path');
  });

  test('take nothing that a proposal holds beyond a call', () => {
    const more = { ...CALL, on_behalf_of: 'user:mallory', approvers: ['user:mallory'], policy: { policy_id: 'mine' } };

    expect(openingFacts(more, AROUND)).toEqual(facts());
  });
});
