import { describe, expect, test } from 'vitest';
import { seedDirectory } from '../../../lambdas/functions/seed-registry/seed-directory.ts';
import type { RegistryInput } from '../../../lambdas/domain/registry.ts';
import { group, person, write, SEED } from '../../support/directory-samples.ts';
import { inMemoryDirectory } from '../../support/in-memory-directory.ts';
import { countedIds, handSetClock } from '../../support/in-memory-system.ts';
import { REGISTRY_INPUT, testRegistry } from '../../support/port-registry.ts';

function open() {
  return inMemoryDirectory({ clock: handSetClock(), ids: countedIds() });
}

const deploy = (directory: ReturnType<typeof open>, change: Partial<RegistryInput> = {}) => seedDirectory(directory, testRegistry(change));
const without = (name: string) => REGISTRY_INPUT.people.filter(({ subject }) => subject !== `user:${name}`);
const STAND_IN = { to: 'user:ben', from: '2026-11-02T09:00:00.000Z', until: '2026-11-03T09:00:00.000Z' };

describe('seeding the directory', () => {
  test('puts everybody in whom the deployment names, and writes nothing the second time', async () => {
    const directory = open();
    expect(await deploy(directory)).toBe(8);
    expect(await directory.callerOf('oidc:https://issuer.example#ana')).toEqual({ kind: 'person', person: { subject: 'user:ana', administrator: false }, groups: ['group:finance'] });
    expect(await directory.callerOf('iam:arn:aws:iam::123456789012:role/billing-bot')).toMatchObject({ program: { subject: 'agent:billing-bot', owner: 'user:olga', may_act_for: ['user:zoe'] } });
    expect((await directory.newest('user:ana'))?.data).toMatchObject({ actor: SEED, entry_by: 'system:seed', causation_id: 'deployment:seed' });
    expect(await deploy(directory)).toBe(0);
  });

  test('writes what the deployment says anew', async () => {
    const directory = open();
    await deploy(directory);
    expect(await deploy(directory, { groups: [{ id: 'group:finance', members: ['user:ben'] }] })).toBe(1);
    expect((await directory.peopleBehind('group:finance')).people).toEqual(['user:ben']);
  });

  test('takes out whom the deployment names no more, whatever stand-in they had named', async () => {
    const directory = open();
    await deploy(directory);
    await directory.change({ subject: 'user:ben', entry: person('ben'), entry_by: 'system:seed', stand_in: STAND_IN, actor: { subject: 'user:ben', kind: 'user', proof: 'jwt' } }, 1, 'test:x');
    expect(await deploy(directory, { people: without('ben'), groups: [{ id: 'group:finance', members: ['user:ana'] }] })).toBe(2);
    expect(await directory.callerOf('oidc:https://issuer.example#ben')).toBeUndefined();
  });

  test.each<[string, string, Parameters<typeof write>[2]]>([
    ['a change', 'group:finance', group('user:zoe')],
    ['a removal', 'user:ben', null],
    ['an addition', 'user:eve', person('eve')],
  ])('keeps %s that an administrator made', async (_, subject, entry) => {
    const directory = open();
    await deploy(directory);
    await write(directory, subject, entry);
    const [before, newest] = [await directory.standing(subject), await directory.newest(subject)];
    expect(await deploy(directory)).toBe(0);
    expect([await directory.standing(subject), await directory.newest(subject)]).toEqual([before, newest]);
  });

  test('keeps a stand-in when it writes the entry of the person who named it', async () => {
    const directory = open();
    await deploy(directory);
    const entry = (await directory.newest('user:ana'))?.data.entry ?? expect.fail('no entry');
    await directory.change({ subject: 'user:ana', entry: entry as ReturnType<typeof person>, entry_by: 'system:seed', stand_in: STAND_IN, actor: { subject: 'user:ana', kind: 'user', proof: 'jwt' } }, 1, 'test:x');
    expect(await deploy(directory)).toBe(0);
    expect(await deploy(directory, { people: REGISTRY_INPUT.people.map((each) => (each.subject === 'user:ana' ? { ...each, administrator: true } : each)) })).toBe(1);
    expect(await directory.standing('user:ana')).toMatchObject({ stand_in: STAND_IN, entry: { administrator: true } });
  });

  test('gives an identity to another person in one deployment', async () => {
    const directory = open();
    await deploy(directory);
    await deploy(directory, { people: [...without('root'), { subject: 'user:eve', principals: ['oidc:https://issuer.example#root'] }], programs: REGISTRY_INPUT.programs.slice(0, 1) });
    expect(await directory.callerOf('oidc:https://issuer.example#root')).toMatchObject({ person: { subject: 'user:eve' } });
  });

  test('fails and names the person where somebody else has the identity', async () => {
    const directory = open();
    await write(directory, 'user:eve', person('ana'));
    await expect(deploy(directory)).rejects.toThrow(/user:ana has oidc:https:\/\/issuer\.example#ana, which is user:eve's/);
  });
});
