import { describe, expect, it } from 'vitest';
import { argumentsHash, bindingHash, displayHash, fingerprintOf } from '../../../lambdas/domain/binding.ts';
import type { Binding } from '../../../lambdas/domain/binding.ts';
import { sha256Digest } from '../../../lambdas/domain/json/digest.ts';

const BOUND: Binding = {
  operation_id: 'op_1',
  scope: { org_id: 'acme', workspace_id: 'payments', agent_id: 'refunder', run_id: 'run_1', frame_id: 'frame_1' },
  tool: 'refund',
  tool_version: '3',
  tool_digest: sha256Digest('tool'),
  arguments_hash: argumentsHash('{"amount":10}'),
  display_hash: displayHash({ fields: [] }),
  policy_revision: '7',
  requester: { subject: 'agent:refunder', on_behalf_of: 'user:ana', owner: 'user:li' },
};

describe('hashes of the call', () => {
  it('hash the canonical arguments as they are, without another round', () => {
    expect(argumentsHash('{"b":1,"a":2}')).toBe(sha256Digest('{"b":1,"a":2}'));
  });

  it('hash the display in canonical form', () => {
    expect(displayHash({ b: 1, a: 2 })).toBe(sha256Digest('{"a":2,"b":1}'));
  });
});

describe('the binding', () => {
  it('is the hash of one canonical object that holds all that a decision is about', () => {
    const text = `{"arguments_hash":"${BOUND.arguments_hash}","display_hash":"${BOUND.display_hash}","operation_id":"op_1","policy_revision":"7","requester":{"on_behalf_of":"user:ana","owner":"user:li","subject":"agent:refunder"},"scope":{"agent_id":"refunder","frame_id":"frame_1","org_id":"acme","run_id":"run_1","workspace_id":"payments"},"tool":"refund","tool_digest":"${BOUND.tool_digest}","tool_version":"3","v":1}`;
    expect(bindingHash(BOUND)).toBe(sha256Digest(text));
  });

  it('065: changes with every one of its parts, the tool’s version and definition included', () => {
    const other: Binding[] = [
      BOUND,
      { ...BOUND, operation_id: 'op_2' },
      { ...BOUND, scope: { ...BOUND.scope, org_id: 'x' } },
      { ...BOUND, scope: { ...BOUND.scope, workspace_id: 'x' } },
      { ...BOUND, scope: { ...BOUND.scope, agent_id: 'x' } },
      { ...BOUND, scope: { ...BOUND.scope, run_id: 'x' } },
      { ...BOUND, scope: { ...BOUND.scope, run_id: undefined } },
      { ...BOUND, scope: { ...BOUND.scope, frame_id: 'x' } },
      { ...BOUND, scope: { ...BOUND.scope, frame_id: undefined } },
      { ...BOUND, tool: 'pay' },
      { ...BOUND, tool_version: '4' },
      { ...BOUND, tool_digest: sha256Digest('changed') },
      { ...BOUND, arguments_hash: argumentsHash('{"amount":11}') },
      { ...BOUND, display_hash: displayHash({ fields: [1] }) },
      { ...BOUND, policy_revision: '8' },
      { ...BOUND, requester: { ...BOUND.requester, subject: 'agent:x' } },
      { ...BOUND, requester: { ...BOUND.requester, on_behalf_of: undefined } },
      { ...BOUND, requester: { ...BOUND.requester, on_behalf_of: 'user:li', owner: 'user:ana' } },
      { ...BOUND, requester: { ...BOUND.requester, owner: undefined } },
    ];
    expect(new Set(other.map(bindingHash)).size).toBe(other.length);
  });

  it('067: cannot be moved from one field into the next', () => {
    expect(bindingHash({ ...BOUND, tool: 'fs.write|x', tool_version: 'y' })).not.toBe(bindingHash({ ...BOUND, tool: 'fs.write', tool_version: 'x|y' }));
    expect(bindingHash({ ...BOUND, tool: 'a","tool_version":"b' })).not.toBe(bindingHash({ ...BOUND, tool: 'a', tool_version: 'b' }));
    const runAsFrame = { ...BOUND.scope, run_id: BOUND.scope.frame_id, frame_id: BOUND.scope.run_id };
    expect(bindingHash({ ...BOUND, scope: runAsFrame })).not.toBe(bindingHash(BOUND));
  });

  it('takes nothing in that is not part of it, and an absent part is as absent as an undefined one', () => {
    const scope = { org_id: 'acme', workspace_id: 'payments', agent_id: 'refunder' };
    expect(bindingHash({ ...BOUND, ...{ display: 'x', v: 2 } })).toBe(bindingHash(BOUND));
    expect(bindingHash({ ...BOUND, scope })).toBe(bindingHash({ ...BOUND, scope: { ...scope, run_id: undefined, frame_id: undefined } }));
  });

  it('has a fingerprint of ten digits in two groups, the same for the plain and the keyed form of a digest', () => {
    expect(fingerprintOf('sha256:0123456789abcdef')).toBe('01234-56789');
    expect(fingerprintOf('hmac-sha256:0123456789abcdef')).toBe('01234-56789');
    expect(fingerprintOf(bindingHash(BOUND))).toMatch(/^[0-9a-f]{5}-[0-9a-f]{5}$/);
  });
});
