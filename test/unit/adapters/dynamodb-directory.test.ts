import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { allCustomMatcher } from 'aws-sdk-client-mock-vitest';
import 'aws-sdk-client-mock-vitest/extend';
import { beforeEach, describe, expect, test } from 'vitest';
import { dynamodbDirectory } from '../../../lambdas/adapters/aws/dynamodb-directory.ts';
import { BEFORE_FIRST } from '../../../lambdas/domain/chain.ts';
import { sealDirectoryChange } from '../../../lambdas/domain/directory/directory-log.ts';
import { epochSeconds } from '../../../lambdas/domain/times.ts';
import type { JsonObject } from '../../../lambdas/domain/json/json-value.ts';
import { group, person, ROOT, write } from '../../support/directory-samples.ts';
import { countedIds, handSetClock, START_OF_TEST } from '../../support/in-memory-system.ts';

expect.extend(allCustomMatcher);

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1' }));
const sdk = mockClient(client);
const directory = dynamodbDirectory(client, { event_log: 'Log', registry: 'Registry' }, { clock: handSetClock(), ids: countedIds() }, { claim: 'groups', max_age_seconds: 60 });
const NOW = epochSeconds(START_OF_TEST);
const OIDC = 'oidc:https://issuer.example#ana';

function named(name: string): Error {
  return Object.assign(new Error('CANARY'), { name });
}

const newestOf = (subject: string) => ({
  TableName: 'Log',
  KeyConditionExpression: 'pk = :pk AND begins_with(sk, :event)',
  ExpressionAttributeValues: { ':pk': `directory#${subject}`, ':event': 'event#' },
  ConsistentRead: true,
  ScanIndexForward: false,
  Limit: 1,
});
const listOf = (list: string) => ({ TableName: 'Registry', KeyConditionExpression: 'pk = :list', ExpressionAttributeValues: { ':list': list }, ConsistentRead: true });
const identityOf = (identity: string) => ({ TableName: 'Registry', Key: { pk: `identity#${identity}`, sk: 'row' }, ConsistentRead: true });

/** The log's answer where this entry stands at revision 1. */
function stands(subject: string, entry: JsonObject): void {
  const { event, text } = sealDirectoryChange({ subject, entry, entry_by: 'user:root', actor: ROOT }, BEFORE_FIRST, START_OF_TEST, 'test:stands');
  sdk.on(QueryCommand, newestOf(subject)).resolves({ Items: [{ pk: event.subject, sk: 'event#000001', event: text, append_id: 'a' }] });
}

beforeEach(() => {
  sdk.reset();
  sdk.on(GetCommand).resolves({});
  sdk.on(QueryCommand).resolves({});
  sdk.on(PutCommand).resolves({});
  sdk.on(DeleteCommand).resolves({});
});

describe('reading', () => {
  test('follows a credential to its hint, its entry, and the groups that name it, all of it consistently', async () => {
    sdk.on(GetCommand, identityOf(OIDC)).resolves({ Item: { pk: 'x', sk: 'row', subject: 'user:ana', revision: 1, claimed_at: NOW } });
    stands('user:ana', person('ana'));
    sdk.on(QueryCommand, listOf('member#user:ana')).resolves({ Items: [{ pk: 'x', sk: 'group:g', revision: 1 }, { pk: 'x', sk: 'group:stale', revision: 1 }] });
    stands('group:g', group('user:ana'));
    stands('group:stale', group('user:ben'));
    expect(await directory.callerOf(OIDC)).toEqual({ kind: 'person', person: { subject: 'user:ana', administrator: false }, groups: ['group:g'] });
    expect(sdk.calls().map(({ args }) => args[0].input)).toEqual([identityOf(OIDC), newestOf('user:ana'), listOf('member#user:ana'), newestOf('group:g'), newestOf('group:stale'), listOf('member#group:g')]);
  });

  test('finds nobody by a hint whose entry does not have the identity', async () => {
    sdk.on(GetCommand, identityOf(OIDC)).resolves({ Item: { subject: 'user:ana', revision: 1, claimed_at: NOW } });
    stands('user:ana', person('other'));
    expect(await directory.callerOf(OIDC)).toBeUndefined();
  });

  test('asks nothing about what can be no entry', async () => {
    expect([await directory.approverEntry('ana'), await directory.newest(''), (await directory.standing('user:an a')).revision]).toEqual([undefined, undefined, 0]);
    expect(sdk.calls()).toHaveLength(0);
  });

  test('reads one page of a list, after its cursor, and says where it goes on', async () => {
    stands('user:b', person('b'));
    sdk.on(QueryCommand, { ...listOf('listed#user'), Limit: 2, ExclusiveStartKey: { pk: 'listed#user', sk: 'user:a' } }).resolves({ Items: [{ sk: 'user:b', revision: 1 }, { sk: 'user:gone', revision: 1 }], LastEvaluatedKey: { pk: 'listed#user', sk: 'user:gone' } });
    expect(await directory.list('user', { limit: 2, cursor: 'user:a' })).toMatchObject({ entries: [{ subject: 'user:b' }], cursor: 'user:gone' });
  });

  test('takes the names of a token from one list', async () => {
    sdk.on(QueryCommand, listOf('listed#from_claim')).resolves({ Items: [{ sk: 'group:a', revision: 1 }, { sk: 'group:b', revision: 1 }] });
    stands('group:b', { members: [], from_claim: true });
    expect(await directory.groupClaims?.groupsNamed(['b', 'c'])).toEqual({ claimed: ['group:b'], around: [] });
    expect(sdk.calls().map(({ args }) => args[0].input)).toEqual([listOf('listed#from_claim'), newestOf('group:b'), listOf('member#group:b')]);
  });

  test.each([['ThrottlingException', 'Unavailable'], ['AccessDeniedException', 'Misconfigured']])('meets %s as %s: nobody is nobody by accident', async (name, fault) => {
    sdk.on(GetCommand).rejects(named(name));
    sdk.on(QueryCommand).rejects(named(name));
    for (const look of [directory.callerOf('x'), directory.approverEntry('user:x'), directory.peopleBehind('user:x'), directory.list('user', { limit: 1 }), directory.standInsTo('user:x'), directory.mayLeaveAdministration('user:x'), directory.groupClaims?.groupsNamed(['x'])]) {
      await expect(look).rejects.toMatchObject({ name: fault, message: expect.not.stringContaining('CANARY') as string });
    }
  });

  test.each([['no subject', { revision: 1, claimed_at: NOW }], ['no revision', { subject: 'user:ana', claimed_at: NOW }]])('calls a hint with %s a corrupt record', async (_, Item) => {
    sdk.on(GetCommand).resolves({ Item });
    await expect(directory.callerOf(OIDC)).rejects.toMatchObject({ name: 'CorruptRecord' });
  });
});

describe('writing', () => {
  const put = (Item: Record<string, unknown>, ConditionExpression: string, ExpressionAttributeValues: Record<string, unknown>) => ({ TableName: 'Registry', Item, ConditionExpression, ExpressionAttributeValues });
  const claimed = (identity: string) =>
    put({ pk: `identity#${identity}`, sk: 'row', subject: 'user:ana', revision: 1, claimed_at: NOW }, 'attribute_not_exists(pk) OR (subject = :subject AND revision <= :revision)', { ':subject': 'user:ana', ':revision': 1 });
  const inputs = () => sdk.calls().map(({ args }) => args[0].input as Record<string, unknown>).filter((input) => 'Item' in input || 'Key' in input);

  test('claims identities, joins lists, and only then appends', async () => {
    expect(await write(directory, 'user:ana', person('ana'))).toMatchObject({ kind: 'changed' });
    expect(inputs()).toEqual([
      claimed('subject:user:ana'),
      claimed(OIDC),
      put({ pk: 'listed#user', sk: 'user:ana', revision: 1 }, 'attribute_not_exists(pk) OR revision < :revision', { ':revision': 1 }),
      expect.objectContaining({ TableName: 'Log', ConditionExpression: 'attribute_not_exists(pk)' }),
    ]);
  });

  test('appends first what takes something away, and then leaves lists and identities', async () => {
    stands('user:ana', person('ana'));
    expect(await write(directory, 'user:ana', null)).toMatchObject({ kind: 'changed' });
    const gone = { ':subject': 'user:ana', ':revision': 2 };
    expect(inputs()).toEqual([
      expect.objectContaining({ TableName: 'Log' }),
      { TableName: 'Registry', Key: { pk: 'listed#user', sk: 'user:ana' }, ConditionExpression: 'revision < :revision', ExpressionAttributeValues: { ':revision': 2 } },
      ...['subject:user:ana', OIDC].map((identity) => ({ TableName: 'Registry', Key: { pk: `identity#${identity}`, sk: 'row' }, ConditionExpression: 'subject = :subject AND revision < :revision', ExpressionAttributeValues: gone })),
    ]);
  });

  test('has changed the entry even where a hint could not be taken away', async () => {
    stands('user:ana', person('ana'));
    sdk.on(DeleteCommand).rejects(named('ThrottlingException'));
    expect(await write(directory, 'user:ana', null)).toMatchObject({ kind: 'changed' });
  });

  test('appends nothing where a hint could not be written', async () => {
    sdk.on(PutCommand, { TableName: 'Registry' }).rejects(named('ThrottlingException'));
    await expect(write(directory, 'user:ana', person('ana'))).rejects.toMatchObject({ name: 'Unavailable' });
    expect(sdk.commandCalls(PutCommand, { TableName: 'Log' })).toHaveLength(0);
  });

  test.each([
    ['another entry has it', 3600, person('ana'), { kind: 'taken', identity: OIDC, by: 'user:eve' }],
    ['its writer may still be at work', 59, person('other'), { kind: 'taken', identity: OIDC, by: 'user:eve' }],
    ['nobody wants it any more', 60, person('other'), { kind: 'changed' }],
  ])('looks at the entry behind a hint that stands in the way: %s', async (_, age, theirs, outcome) => {
    const hint = { subject: 'user:eve', revision: 4, claimed_at: NOW - age };
    stands('user:eve', theirs);
    sdk.on(PutCommand, claimed(OIDC)).rejects(named('ConditionalCheckFailedException'));
    sdk.on(GetCommand, identityOf(OIDC)).resolves({ Item: hint });
    expect(await write(directory, 'user:ana', person('ana'))).toMatchObject(outcome);
    const takeOver = put({ pk: `identity#${OIDC}`, sk: 'row', subject: 'user:ana', revision: 1, claimed_at: NOW }, 'subject = :subject AND revision = :revision AND claimed_at = :claimed_at', { ':subject': 'user:eve', ':revision': 4, ':claimed_at': hint.claimed_at });
    expect(sdk.commandCalls(PutCommand, takeOver)).toHaveLength(outcome.kind === 'changed' ? 1 : 0);
    expect(sdk.commandCalls(PutCommand, { TableName: 'Log' })).toHaveLength(outcome.kind === 'changed' ? 1 : 0);
  });

  test('goes on where this subject holds the claim for a newer revision: its own append says who was first', async () => {
    sdk.on(PutCommand, claimed(OIDC)).rejects(named('ConditionalCheckFailedException'));
    sdk.on(GetCommand, identityOf(OIDC)).resolves({ Item: { subject: 'user:ana', revision: 2, claimed_at: NOW } });
    expect(await write(directory, 'user:ana', person('ana'))).toMatchObject({ kind: 'changed' });
  });

  test('marks who leaves before it looks who stays, and takes the mark away where nobody does', async () => {
    sdk.on(QueryCommand, listOf('listed#administrator')).resolves({ Items: [{ sk: 'user:ana', revision: 1 }, { sk: 'user:ben', revision: 1, leaving_at: NOW - 59 }] });
    stands('user:ben', person('ben', { administrator: true }));
    expect(await directory.mayLeaveAdministration('user:ana')).toBe(false);
    const mark = (more: object) => put({ pk: 'listed#administrator', sk: 'user:ana', revision: 1, ...more }, 'revision = :revision', { ':revision': 1 });
    expect(sdk.calls().map(({ args }) => args[0].input)).toEqual([listOf('listed#administrator'), mark({ leaving_at: NOW }), listOf('listed#administrator'), mark({})]);
  });
});
