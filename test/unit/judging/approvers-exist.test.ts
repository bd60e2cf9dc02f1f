import { beforeEach, describe, expect, test } from 'vitest';
import { faultOfDocument } from '../../../lambdas/judging/check-document.ts';
import type { JsonObject } from '../../../lambdas/domain/json/json-value.ts';
import { unavailable } from '../../support/crash-points.ts';
import { group, person, program, writeAll } from '../../support/directory-samples.ts';
import { inMemoryPorts } from '../../support/in-memory-ports.ts';
import { asks, testRegistry } from '../../support/port-registry.ts';

const ENTRIES: Readonly<Record<string, JsonObject>> = {
  'user:ana': person('ana'),
  'user:ben': person('ben'),
  'agent:bot': program('bot'),
  'group:finance': group('user:ana', 'user:ben'),
  'group:leads': group('group:finance', 'agent:bot'),
  'team:core#lead': group('user:ben'),
  'group:through': group('team:core#lead', 'user:ana'),
  'group:empty': group(),
  'group:bots': group('agent:bot'),
  'group:ghosts': group('user:ghost'),
  'group:circle': group('user:ana', 'group:back'),
  'group:back': group('group:circle'),
  'group:claimed': { members: [], from_claim: true },
  'group:around': group('group:claimed'),
};

let ports: ReturnType<typeof inMemoryPorts>;
beforeEach(async () => {
  ports = inMemoryPorts(testRegistry(), {});
  await writeAll(ports.directoryEditor, ENTRIES);
});

const checked = (approvers: readonly string[], quorum = 1) => faultOfDocument({ ...ports, people: ports.directoryEditor }, 'workspace:w1', { rules: [asks('x', approvers, { quorum })] });

describe('approvers in a policy that is written', () => {
  test.each<[string, readonly string[], number]>([
    ['a person', ['user:ana'], 1],
    ['a group', ['group:finance'], 2],
    ['a group in a group', ['group:leads'], 2],
    ['a relation in a group', ['group:through'], 2],
    ['people and groups together', ['user:ana', 'group:finance'], 2],
    ['a group that tokens name, for any quorum: nobody can count it', ['group:claimed'], 7],
    ['such a group within another', ['group:around'], 7],
    ['such a group beside people', ['user:ana', 'group:claimed'], 7],
  ])('may be %s', async (_, approvers, quorum) => {
    expect(await checked(approvers, quorum)).toBeUndefined();
  });

  test.each<[string, readonly string[], number, string]>([
    ['a person who is not there', ['user:ghost'], 1, 'rules.0.approvers'],
    ['a group that is not there', ['group:nowhere'], 1, 'rules.0.approvers'],
    ['a group of nobody (127)', ['group:empty'], 1, 'rules.0.approvers'],
    ['a group of agents (131)', ['group:bots'], 1, 'rules.0.approvers'],
    ['a group of people who are gone (136)', ['group:ghosts'], 1, 'rules.0.approvers'],
    ['a group that leads back to itself', ['group:circle'], 1, 'rules.0.approvers'],
    ['one good and one empty reference', ['user:ana', 'group:empty'], 1, 'rules.0.approvers'],
    ['too few people for the quorum, however often they are named', ['user:ana', 'group:finance', 'group:leads'], 3, 'rules.0.quorum'],
  ])('are refused: %s', async (_, approvers, quorum, field) => {
    expect(await checked(approvers, quorum)).toMatchObject({ code: 'policy_invalid', more: { field } });
  });

  test.each(['ana', 'bot', '@ana'])('are refused as a bare id: %s', async (reference) => {
    expect(await checked([reference])).toMatchObject({ code: 'policy_invalid' });
  });

  test('are not taken for good where the directory cannot be read (127, 137)', async () => {
    const people = { peopleBehind: unavailable };
    await expect(faultOfDocument({ ...ports, people }, 'workspace:w1', { rules: [asks('x', ['user:ana'])] })).rejects.toMatchObject({ name: 'Unavailable' });
  });
});
