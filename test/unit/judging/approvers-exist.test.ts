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

describe('whoever else a document names', () => {
  const written = (ask: JsonObject, more: JsonObject = {}, scope: 'org:acme' | 'workspace:w1' = 'org:acme') => faultOfDocument({ ...ports, people: ports.directoryEditor }, scope, { rules: [asks('x', ['user:ana'], ask)], ...more });

  test.each<[string, JsonObject, JsonObject]>([
    ['a level of an escalation', { escalation: [{ after_seconds: 60, approvers: ['group:finance'], quorum: 2 }] }, {}],
    ['levels that are enough together with those before', { approvers: ['user:ana'], escalation: [{ after_seconds: 60, approvers: ['user:ben'], quorum: 2 }] }, {}],
    ['some of each group', { approvers: ['group:finance', 'team:core#lead'], quorum: 2, min_per_group: 1 }, {}],
    ['who may break the glass, and who looks at it', {}, { break_glass: { group: 'group:finance', review_by: 'group:claimed' } }],
  ])('may be %s', async (_, ask, more) => {
    expect(await written(ask, more)).toBeUndefined();
  });

  test.each<[string, JsonObject, JsonObject, string]>([
    ['a level of nobody', { escalation: [{ after_seconds: 60, approvers: ['group:empty'] }] }, {}, 'rules.0.escalation.0.approvers'],
    ['a level of too few, with all before it', { escalation: [{ after_seconds: 60, approvers: ['user:ana'] }, { after_seconds: 90, approvers: ['user:ben'], quorum: 3 }] }, {}, 'rules.0.escalation.1.quorum'],
    ['a group of fewer than it must give', { approvers: ['group:finance', 'team:core#lead'], min_per_group: 2 }, {}, 'rules.0.min_per_group'],
    ['groups of fewer people than they must give together', { approvers: ['group:finance', 'group:leads'], min_per_group: 2 }, {}, 'rules.0.quorum'],
    ['some of each group where none is named', { min_per_group: 1 }, {}, 'rules.0.min_per_group'],
    ['a level in no order', { timeout_seconds: 3600, escalation: [{ after_seconds: 60, approvers: ['user:ben'] }, { after_seconds: 60, approvers: ['user:ben'] }] }, {}, 'rules.0.escalation.1.after_seconds'],
    ['a level when the time is over', { timeout_seconds: 60, escalation: [{ after_seconds: 60, approvers: ['user:ben'] }] }, {}, 'rules.0.escalation.0.after_seconds'],
    ['a level that asks fewer', { approvers: ['group:finance'], quorum: 2, escalation: [{ after_seconds: 60, approvers: ['user:ana'], quorum: 1 }] }, {}, 'rules.0.escalation.0.quorum'],
    ['a bare name in a level', { escalation: [{ after_seconds: 60, approvers: ['ben'] }] }, {}, 'rules.0.escalation.0.approvers.0'],
    ['a reminder when the time is over', { timeout_seconds: 60, reminders: [{ after_seconds: 60 }] }, {}, 'rules.0.reminders.0.after_seconds'],
    ['a reminder at the end itself', { reminders: [{ fraction: 1 }] }, {}, 'rules.0.reminders.0.fraction'],
    ['less time than there is', { timeout_seconds: 60, extendable_to_seconds: 59 }, {}, 'rules.0.extendable_to_seconds'],
    ['a glass for one person', {}, { break_glass: { group: 'team:core#lead', review_by: 'group:finance' } }, 'break_glass.group'],
    ['a glass for a group of nobody', {}, { break_glass: { group: 'group:empty', review_by: 'group:finance' } }, 'break_glass.group.approvers'],
    ['a glass that nobody looks at', {}, { break_glass: { group: 'group:finance', review_by: 'group:nowhere' } }, 'break_glass.review_by.approvers'],
    ['a glass for a moment', {}, { break_glass: { group: 'group:finance', review_by: 'group:leads', within_seconds: 59 } }, 'break_glass.within_seconds'],
  ])('is refused: %s', async (_, ask, more, field) => {
    expect(await written(ask, more)).toMatchObject({ code: 'policy_invalid', more: { field } });
  });

  test('may not be a glass in a narrower document, which can only forbid it', async () => {
    expect(await written({}, { break_glass: { group: 'group:finance', review_by: 'group:leads' } }, 'workspace:w1')).toMatchObject({ code: 'policy_invalid', more: { field: 'break_glass' } });
    expect(await written({}, { break_glass: 'never' }, 'workspace:w1')).toBeUndefined();
    expect(await written({}, { break_glass: 'never' })).toMatchObject({ code: 'policy_invalid' });
  });
});
