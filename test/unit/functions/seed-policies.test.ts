// A deployment brings policies along; what an administrator wrote since is the administrator's.
import { beforeEach, describe, expect, test } from 'vitest';
import { systemActor } from '../../../lambdas/domain/caller.ts';
import type { JsonObject } from '../../../lambdas/domain/json/json-value.ts';
import type { PolicyScope } from '../../../lambdas/domain/policy/policy-document.ts';
import { buildHandler } from '../../../lambdas/functions/seed-registry/handler.ts';
import { instead } from '../../support/crash-points.ts';
import { corridor, type Reply } from '../../support/in-memory-corridor.ts';
import { inMemoryPorts, type Ports } from '../../support/in-memory-ports.ts';
import { allows, asks, denies, REGISTRY_INPUT, testRegistry } from '../../support/port-registry.ts';

let ports: Ports;

beforeEach(() => void (ports = inMemoryPorts(testRegistry(), {})));

interface Seed {
  readonly scope: string;
  readonly document: unknown;
}
const W1: Seed = { scope: 'workspace:w1', document: { rules: [asks('refund_payment', ['user:ana'])] } };
const deploy = (...seeds: readonly unknown[]) => buildHandler(ports, REGISTRY_INPUT, seeds)();
const revisionOf = async (scope: PolicyScope): Promise<number> => (await ports.policies.newest(scope))?.data.revision ?? 0;
const byHand = async (scope: PolicyScope, document: JsonObject | null): Promise<Reply> =>
  corridor({ ports }).http({ route: document === null ? 'DELETE /api/policies/{scope}' : 'PUT /api/policies/{scope}', as: 'user:root', path: { scope }, headers: { 'if-match': String(await revisionOf(scope)) }, ...(document === null ? {} : { body: document }) });

describe('a deployment', () => {
  test('writes its documents under the name of the seed', async () => {
    expect(await deploy(W1, { scope: 'org:acme', document: {} })).toMatchObject({ policies: 2 });
    expect(await ports.policies.newest('workspace:w1')).toMatchObject({ data: { revision: 1, actor: systemActor('seed'), document: W1.document, causation_id: 'deployment:seed' } });
  });

  test('writes nothing the second time', async () => {
    await deploy(W1);
    expect(await deploy(W1)).toMatchObject({ policies: 0 });
    expect(await deploy({ scope: 'workspace:w1', document: JSON.parse(JSON.stringify(W1.document)) as unknown })).toMatchObject({ policies: 0 });
    expect(await revisionOf('workspace:w1')).toBe(1);
  });

  test('writes what has changed in its own documents', async () => {
    await deploy(W1);
    expect(await deploy({ scope: 'workspace:w1', document: {} })).toMatchObject({ policies: 1 });
    expect(await revisionOf('workspace:w1')).toBe(2);
  });

  test('never overwrites what an administrator wrote', async () => {
    await deploy(W1);
    const mine = { rules: [denies('refund_payment')] };
    expect(await byHand('workspace:w1', mine)).toMatchObject({ status: 200 });
    expect(await deploy(W1, { scope: 'org:acme', document: {} })).toMatchObject({ policies: 1 });
    expect((await ports.policies.newest('workspace:w1'))?.data).toMatchObject({ revision: 2, document: mine });
  });

  test('never brings back what an administrator deleted', async () => {
    await deploy(W1);
    await byHand('workspace:w1', null);
    expect(await deploy(W1)).toMatchObject({ policies: 0 });
    expect((await ports.policies.newest('workspace:w1'))?.data.document).toBeNull();
  });

  test('goes on where an administrator has made a wider scope stricter than its documents, and the stricter one holds', async () => {
    const open = { scope: 'workspace:w1', document: { rules: [allows('refund_payment')] } };
    await deploy(open);
    await byHand('org:acme', { rules: [denies('refund_payment')] });
    expect(await deploy(open)).toMatchObject({ policies: 0 });
    expect((await corridor({ ports }).propose('refund_payment', {})).body).toMatchObject({ status: 403, reason: 'policy_denied' });
  });

  test('loses against an administrator who writes at the same moment', async () => {
    await deploy(W1);
    const mine = { rules: [denies('refund_payment')] };
    instead(ports.policies, 'change', (change) => async (wanted, revision, causation_id) => {
      if (wanted.actor.subject === 'system:seed') await change({ ...wanted, document: mine, actor: { subject: 'user:root', kind: 'user', proof: 'jwt' } }, revision, 'request:r');
      return change(wanted, revision, causation_id);
    });
    expect(await deploy({ scope: 'workspace:w1', document: {} })).toMatchObject({ policies: 0 });
    expect((await ports.policies.newest('workspace:w1'))?.data.document).toEqual(mine);
  });

  test('writes wide scopes before narrow ones, so that each is checked against what will stand around it', async () => {
    const [narrow, wide] = [{ scope: 'agent:billing-bot', document: { rules: [allows('refund_payment', { id: 'mine' })] } }, { scope: 'org:acme', document: { rules: [asks('refund_payment', ['user:ana'], { id: 'wide' })] } }];
    await expect(deploy(narrow, W1, wide)).rejects.toThrow(/agent:billing-bot\/mine would loosen org:acme\/wide/);
    expect([await revisionOf('org:acme'), await revisionOf('agent:billing-bot')]).toEqual([1, 0]);
  });

  test.each<[string, Seed, RegExp]>([
    ['an unknown field', { scope: 'org:acme', document: { agent_mode: 'strict' } }, /org:acme.*agent_mode/],
    ['an approver who is nobody', { scope: 'org:acme', document: { rules: [asks('x', ['user:mallory'])] } }, /org:acme.*mallory/],
    ['a quorum that nobody can make', { scope: 'org:acme', document: { rules: [asks('x', ['user:ana'], { quorum: 2 })] } }, /quorum/],
    ['a condition that cannot be read', { scope: 'org:acme', document: { rules: [denies('x', { when: '(((' })] } }, /when/],
    ['a scope that is none', { scope: 'acme', document: {} }, /org:<id>/],
  ])('with %s fails, names it, and stores no such policy', async (_, seed, words) => {
    await expect(deploy(seed)).rejects.toThrow(words);
    expect(ports.policies.log.texts()).toEqual([]);
    expect(ports.log.codes()).not.toContain('CS6001');
  });
});
