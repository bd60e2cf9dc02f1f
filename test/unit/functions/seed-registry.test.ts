import { describe, expect, test } from 'vitest';
import { buildHandler } from '../../../lambdas/functions/seed-registry/handler.ts';
import { unavailable } from '../../support/crash-points.ts';
import { inMemoryPorts } from '../../support/in-memory-ports.ts';
import { REGISTRY_INPUT, testRegistry, withoutTool } from '../../support/port-registry.ts';

describe('seeding the registry', () => {
  test('stores the document that the deployment names and says how many rows it is', async () => {
    const ports = inMemoryPorts(testRegistry(), {});
    const again = { rows: 11, removed: 0, entries: 8, policies: 0 };
    expect(await buildHandler(ports, REGISTRY_INPUT, [])()).toEqual(again);
    expect(await ports.registry.tool('refund_payment')).toEqual(testRegistry().tools[0]);
    expect(ports.log.lines).toEqual([{ code: 'CS6001', facts: { count: 11 } }]);
  });

  test('replaces what an earlier deployment stored', async () => {
    expect(await buildHandler(inMemoryPorts(), withoutTool('drop_table'), [])()).toEqual({ rows: 10, removed: 1, entries: 8, policies: 0 });
  });

  test.each<[string, unknown, RegExp]>([
    ['an unknown field', { ...REGISTRY_INPUT, administrators: [] }, /administrators/],
    ['a policy within a tool', { ...REGISTRY_INPUT, tools: [{ name: 't', version: '1', consequence: 'change', policy: { effect: 'allow' } }] }, /policy/],
    ['a principal that stands twice', { ...REGISTRY_INPUT, people: [...REGISTRY_INPUT.people, { subject: 'user:eve', principals: ['oidc:https://issuer.example#ana'] }] }, /stands twice/],
    ['nothing', undefined, /refused/],
  ])('with %s stores nothing, and names the field', async (_, document, words) => {
    const ports = inMemoryPorts();
    const before = await ports.registry.tool('refund_payment');
    await expect(buildHandler(ports, document, [])()).rejects.toThrow(words);
    expect(await ports.registry.tool('refund_payment')).toEqual(before);
    expect(ports.log.lines).toEqual([]);
  });

  test('that cannot reach the store fails, and says nothing of success', async () => {
    const ports = inMemoryPorts();
    await expect(buildHandler({ ...ports, registry: { replace: unavailable } }, REGISTRY_INPUT, [])()).rejects.toMatchObject({ name: 'Unavailable' });
    expect(ports.log.lines).toEqual([]);
  });
});
