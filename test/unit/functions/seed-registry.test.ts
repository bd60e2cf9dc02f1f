import { describe, expect, test } from 'vitest';
import { buildHandler } from '../../../lambdas/functions/seed-registry/handler.ts';
import { unavailable } from '../../support/crash-points.ts';
import { inMemoryRegistry } from '../../support/in-memory-registry.ts';
import { keptLog } from '../../support/in-memory-system.ts';
import { REGISTRY_INPUT, testRegistry, withoutTool } from '../../support/port-registry.ts';

describe('seeding the registry', () => {
  test('stores the document that the deployment names and says how many rows it is', async () => {
    const [registry, log] = [inMemoryRegistry(), keptLog()];
    expect(await buildHandler({ registry, log }, REGISTRY_INPUT)()).toEqual({ rows: 17, removed: 0 });
    expect((await registry.tool('refund_payment')).tool).toEqual(testRegistry().tools[0]);
    expect(log.lines).toEqual([{ code: 'CS6001', facts: { count: 17 } }]);
  });

  test('replaces what an earlier deployment stored', async () => {
    const registry = inMemoryRegistry(testRegistry());
    expect(await buildHandler({ registry, log: keptLog() }, withoutTool('drop_table'))()).toEqual({ rows: 16, removed: 1 });
  });

  test.each<[string, unknown, RegExp]>([
    ['an unknown field', { ...REGISTRY_INPUT, administrators: [] }, /administrators/],
    ['a tool that asks nobody', { ...REGISTRY_INPUT, tools: [{ name: 't', version: '1', consequence: 'change', policy: { effect: 'ask', approvers: [], timeout_seconds: 60 } }] }, /approvers/],
    ['an approver whom it does not hold', { ...REGISTRY_INPUT, tools: [{ name: 't', version: '1', consequence: 'change', policy: { effect: 'ask', approvers: ['user:mallory'], timeout_seconds: 60 } }] }, /mallory/],
    ['a principal that stands twice', { ...REGISTRY_INPUT, people: [...REGISTRY_INPUT.people, { subject: 'user:eve', principals: ['oidc:https://issuer.example#ana'] }] }, /stands twice/],
    ['nothing', undefined, /refused/],
  ])('with %s stores nothing, and names the field', async (_, document, words) => {
    const [registry, log] = [inMemoryRegistry(testRegistry()), keptLog()];
    const before = await registry.tool('refund_payment');
    await expect(buildHandler({ registry, log }, document)()).rejects.toThrow(words);
    expect(await registry.tool('refund_payment')).toEqual(before);
    expect(log.lines).toEqual([]);
  });

  test('that cannot reach the store fails, and says nothing of success', async () => {
    const log = keptLog();
    await expect(buildHandler({ registry: { replace: unavailable }, log }, REGISTRY_INPUT)()).rejects.toMatchObject({ name: 'Unavailable' });
    expect(log.lines).toEqual([]);
  });
});
