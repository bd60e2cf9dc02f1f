import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { allCustomMatcher } from 'aws-sdk-client-mock-vitest';
import 'aws-sdk-client-mock-vitest/extend';
import { beforeEach, describe, expect, test } from 'vitest';
import { dynamodbRegistry } from '../../../lambdas/adapters/aws/dynamodb-registry.ts';
import { START_OF_TEST } from '../../support/in-memory-system.ts';
import { testRegistry, withoutTool } from '../../support/port-registry.ts';

expect.extend(allCustomMatcher);

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1' }));
const sdk = mockClient(client);
const registry = dynamodbRegistry(client, 'Registry');
const MINE = { operation_id: 'op_1', tool: 'refund_payment', arguments_hash: 'sha256:00' };

function named(name: string): Error {
  return Object.assign(new Error('CANARY'), { name });
}

function row(pk: string) {
  return { TableName: 'Registry', Key: { pk, sk: 'row' }, ConsistentRead: true };
}

beforeEach(() => {
  sdk.reset();
  sdk.on(GetCommand).resolves({});
});

describe('looking up', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['workspace#w1', () => registry.organisationOf('w1')],
    ['tool#refund_payment', () => registry.tool('refund_payment')],
    ['workspace#w1', () => registry.workspace('w1')],
    ['organisation#acme', () => registry.workspacesOf('acme')],
    ['document#registry', () => registry.tools()],
    ['document#registry', () => registry.workspaceIds()],
    ['document#registry', () => registry.workspaceIds()],
  ])('reads %s consistently and nothing else', async (pk, look) => {
    await look();
    expect(sdk).toHaveReceivedCommandExactlyOnceWith(GetCommand, row(pk));
    expect(sdk.calls()).toHaveLength(1);
  });

  test('reads the tools that the document names, by name, and passes over one that has just gone', async () => {
    const [one, two] = testRegistry().tools;
    sdk.on(GetCommand, row('document#registry')).resolves({ Item: { value: JSON.stringify({ keys: ['tool#z', 'workspace#w1', 'tool#gone', 'tool#a'] }) } });
    sdk.on(GetCommand, row('tool#a')).resolves({ Item: { value: JSON.stringify(one) } });
    sdk.on(GetCommand, row('tool#z')).resolves({ Item: { value: JSON.stringify(two) } });
    expect(await registry.tools()).toEqual([one, two]);
  });

  test.each([['a row without a value', {}], ['a value that is no definition', { value: '{"name":"x"}' }], ['a map in place of text', { value: { name: 'x' } }]])('calls %s a corrupt record', async (_, Item) => {
    sdk.on(GetCommand).resolves({ Item });
    await expect(registry.tool('x')).rejects.toMatchObject({ name: 'CorruptRecord' });
  });

  test.each([['ThrottlingException', 'Unavailable'], ['AccessDeniedException', 'Misconfigured']])('meets %s as %s: nothing is taken for absent', async (name, fault) => {
    sdk.on(GetCommand).rejects(named(name));
    for (const look of [registry.tool('x'), registry.organisationOf('x'), registry.tools(), registry.workspace('x'), registry.workspacesOf('x'), registry.workspaceIds()]) await expect(look).rejects.toMatchObject({ name: fault, message: `reading the registry failed: ${name}` });
  });
});

describe('claiming a call', () => {
  test('is one put on the condition that the key is free', async () => {
    sdk.on(PutCommand).resolves({});
    expect(await registry.claimCall('0f', MINE, START_OF_TEST)).toEqual(MINE);
    expect(sdk).toHaveReceivedCommandExactlyOnceWith(PutCommand, {
      TableName: 'Registry',
      Item: { pk: 'call#0f', sk: 'row', value: JSON.stringify(MINE), ttl: Date.parse(START_OF_TEST) / 1000 },
      ConditionExpression: 'attribute_not_exists(pk)',
    });
    expect(sdk.calls()).toHaveLength(1);
  });

  test('answers what stands there when it is not free', async () => {
    sdk.on(PutCommand).rejects(named('ConditionalCheckFailedException'));
    sdk.on(GetCommand, row('call#0f')).resolves({ Item: { value: JSON.stringify({ ...MINE, operation_id: 'op_2' }) } });
    expect(await registry.claimCall('0f', MINE, START_OF_TEST)).toEqual({ ...MINE, operation_id: 'op_2' });
  });

  test('is to be tried again when the key went away between two looks', async () => {
    sdk.on(PutCommand).rejects(named('ConditionalCheckFailedException'));
    await expect(registry.claimCall('0f', MINE, START_OF_TEST)).rejects.toMatchObject({ name: 'Unavailable', retryable: true });
  });
});

describe('replacing the document', () => {
  beforeEach(() => {
    sdk.on(PutCommand).resolves({});
    sdk.on(DeleteCommand).resolves({});
  });

  test('names all keys, puts every row, deletes what only the earlier document had, then names the rows of this one', async () => {
    const document = withoutTool('drop_table');
    sdk.on(GetCommand, row('document#registry')).resolves({ Item: { value: JSON.stringify({ keys: ['tool#drop_table', 'tool#refund_payment'] }) } });
    expect(await registry.replace(document)).toEqual({ rows: 10, removed: 1 });
    expect(sdk).toHaveReceivedCommandExactlyOnceWith(DeleteCommand, { TableName: 'Registry', Key: { pk: 'tool#drop_table', sk: 'row' } });
    const puts = sdk.commandCalls(PutCommand).map(({ args }) => args[0].input);
    const keys = puts.slice(1, -1).map(({ Item }) => String(Item?.pk));
    expect(keys).toHaveLength(10);
    expect(puts[0]?.Item).toMatchObject({ pk: 'document#registry', value: JSON.stringify({ keys: [...new Set(['tool#drop_table', 'tool#refund_payment', ...keys])] }) });
    expect(puts.at(-1)).toEqual({ TableName: 'Registry', Item: { pk: 'document#registry', sk: 'row', value: JSON.stringify({ keys }) } });
  });

  test('neither reads nor writes nor deletes a call key', async () => {
    await registry.replace(testRegistry());
    const touched = sdk.calls().map(({ args }) => JSON.stringify(args[0].input));
    expect(touched.filter((input) => input.includes('call#'))).toEqual([]);
  });

  test('stops at the first write that fails, before anything is deleted', async () => {
    sdk.on(GetCommand, row('document#registry')).resolves({ Item: { value: JSON.stringify({ keys: ['tool#gone'] }) } });
    sdk.on(PutCommand).rejects(named('ThrottlingException'));
    await expect(registry.replace(testRegistry())).rejects.toMatchObject({ name: 'Unavailable' });
    expect(sdk).not.toHaveReceivedCommand(DeleteCommand);
  });
});
