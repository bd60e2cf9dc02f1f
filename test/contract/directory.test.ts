import { PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LOCAL_TABLES, openDynamodb, type EmbeddedDynamodb } from '../../infra/local/embedded-dynamodb.ts';
import { dynamodbDirectory } from '../../lambdas/adapters/aws/dynamodb-directory.ts';
import type { JsonObject } from '../../lambdas/domain/json/json-value.ts';
import { group, person, write, writeAll } from '../support/directory-samples.ts';
import { inMemoryDirectory, type DirectoryStore, type InMemoryDirectory } from '../support/in-memory-directory.ts';
import { countedIds, handSetClock, type HandSetClock } from '../support/in-memory-system.ts';
import { brokenPromises } from '../support/port-contract.ts';
import { DIRECTORY_CONTRACT, directoryContract } from './directory-contract.ts';

const CLAIM = { claim: 'groups', max_age_seconds: 3600 };

describe('a directory', () => {
  directoryContract('in memory', async () => ({ port: inMemoryDirectory({ clock: handSetClock(), ids: countedIds() }, CLAIM) }));
  directoryContract('on DynamoDB', async () => {
    const dynamodb = await openDynamodb();
    return { port: dynamodbDirectory(dynamodb.client, LOCAL_TABLES, { clock: handSetClock(), ids: countedIds() }, CLAIM), close: () => dynamodb.close() };
  });
});

describe('the contract of directories bites', () => {
  const double = (): InMemoryDirectory => inMemoryDirectory({ clock: handSetClock(), ids: countedIds() }, CLAIM);
  test.each<[string, (real: InMemoryDirectory) => Partial<DirectoryStore>, string]>([
    ['folds the case of principals', (real) => ({ callerOf: async (principal) => real.callerOf(principal.toLowerCase()) }), 'knows a caller by each identity that a channel has verified, exactly, and nobody by a name'],
    ['lets the last writer win', (real) => ({ change: async (change, _, causation) => real.change(change, (await real.standing(change.subject)).revision, causation) }), 'refuses a write on any revision but the newest, and changes nothing then'],
    ['forgets groups in groups', (real) => ({ callerOf: async (principal) => onlyDirect(real, principal) }), 'finds the groups and relations that somebody is in, through others too, as they are now (136)'],
    ['takes every name for a person', (real) => ({ approverEntry: async (reference) => (await real.approverEntry(reference)) ?? { kind: 'person', revision: 0 } }), 'says of an approver reference whether it is a person or holds others, one step deep, and nothing of the rest (127)'],
    ['lets tokens name every group', (real) => ({ groupClaims: { ...CLAIM, groupsNamed: async (names) => ({ claimed: names.map((name) => `group:${name}`), around: (await real.groupClaims?.groupsNamed(names))?.around ?? [] }) } }), 'takes of the names in a token only those of groups that say so, and follows them as it follows members'],
    ['lets everybody go', () => ({ mayLeaveAdministration: async () => true }), 'lets an administrator go only where another one stays who can sign in'],
    ['lists in one page', (real) => ({ list: async (kind) => real.list(kind, { limit: 1000 }) }), 'lists live entries of one kind by subject, page by page'],
    ['keeps old stand-ins', (real) => ({ change: async (change, ...rest) => real.change({ ...change, stand_in: change.stand_in ?? (await real.standing(change.subject)).stand_in }, ...rest) }), 'knows who has named somebody as stand-in, until the name is withdrawn'],
  ])('a directory that %s', async (_, change, promise) => {
    expect(
      await brokenPromises(DIRECTORY_CONTRACT, () => {
        const real = double();
        return { ...real, ...change(real) };
      }),
    ).toContain(promise);
  });

  test('and finds nothing at fault in the double itself', async () => {
    expect(await brokenPromises(DIRECTORY_CONTRACT, double)).toEqual([]);
  });
});

async function onlyDirect(real: InMemoryDirectory, principal: string) {
  const caller = await real.callerOf(principal);
  if (caller?.kind !== 'person') return caller;
  const direct = await Promise.all(caller.groups.map(async (each) => ((await real.approverEntry(each)) as { members?: readonly string[] }).members?.includes(caller.person.subject) === true));
  return { ...caller, groups: caller.groups.filter((_, index) => direct[index]) };
}

const ANA = 'user:ana';
const BEN = 'user:ben';
const oidc = (subject: string): string => `oidc:https://issuer.example#${subject}`;

describe('a change of the directory on DynamoDB that ends half-way', () => {
  let dynamodb: EmbeddedDynamodb;
  let clock: HandSetClock;
  beforeEach(async () => {
    dynamodb = await openDynamodb();
    clock = handSetClock();
  });
  afterEach(() => dynamodb.close());
  const over = (client: DynamoDBDocumentClient) => dynamodbDirectory(client, LOCAL_TABLES, { clock, ids: countedIds() });

  /** What is there before, what is written, and what may be seen by whoever looks after the crash: all of it, or nothing. */
  const CHANGES: readonly (readonly [string, Readonly<Record<string, JsonObject>>, string, JsonObject | null])[] = [
    ['a new person', {}, ANA, person('ana')],
    ['another identity of a person', { [ANA]: person('old') }, ANA, person('new')],
    ['a person removed', { [ANA]: person('ana') }, ANA, null],
    ['a group with other members', { [ANA]: person('ana'), [BEN]: person('ben'), 'group:g': group(ANA) }, 'group:g', group(BEN)],
    ['a group removed', { [ANA]: person('ana'), 'group:g': group(ANA) }, 'group:g', null],
  ];

  const seen = async (directory: DirectoryStore) => ({
    callers: await Promise.all(['ana', 'ben', 'old', 'new'].map(async (name) => directory.callerOf(oidc(name)))),
    members: (await directory.peopleBehind('group:g')).people,
    listed: (await directory.list('user', { limit: 50 })).entries.map(({ subject }) => subject),
  });

  test.each(CHANGES)('%s: is all there or not at all, wherever it was cut off, and can be done again', async (_, before, subject, entry) => {
    let cut = 0;
    for (let ended = false; !ended; cut += 1) {
      await dynamodb.close();
      dynamodb = await openDynamodb();
      const whole = over(dynamodb.client);
      await writeAll(whole, before);
      const [was, revision] = [await seen(whole), (await whole.standing(subject)).revision];
      ended = await write(over(endingAt(cut, dynamodb.client)), subject, entry).then(() => true, () => false);
      const is = await seen(whole);
      const stands = (await whole.standing(subject)).revision > revision;
      if (!stands) expect(is, `cut ${cut}`).toEqual(was);
      expect(await write(whole, subject, entry), `cut ${cut}`).toMatchObject({ kind: 'changed' });
      const done = await seen(whole);
      if (stands) expect(is, `cut ${cut}`).toEqual(done);
    }
    expect(cut).toBeGreaterThan(3);
  });

  test('leaves an identity that nobody has; another may have it once no writer can still be at work', async () => {
    // The claim is written, and then the process ends.
    await expect(write(over(endingAfterPuts(1, dynamodb.client)), ANA, person('it'))).rejects.toThrow();
    const whole = over(dynamodb.client);
    expect(await whole.callerOf(oidc('it'))).toBeUndefined();
    expect(await write(whole, BEN, person('it'))).toMatchObject({ kind: 'changed' });
    await write(whole, BEN, null);
    await expect(write(over(endingAfterPuts(2, dynamodb.client)), ANA, person('it'))).rejects.toThrow();
    expect(await whole.callerOf(oidc('it'))).toBeUndefined();
    expect(await write(whole, BEN, person('it'))).toEqual({ kind: 'taken', identity: oidc('it'), by: ANA });
    await clock.advance(60_000);
    // A second attempt at the same claim is a writer at work again, and is waited for as the first was.
    await expect(write(over(endingAfterPuts(2, dynamodb.client)), ANA, person('it'))).rejects.toThrow();
    expect(await write(whole, BEN, person('it'))).toMatchObject({ kind: 'taken', by: ANA });
    await clock.advance(60_000);
    expect(await write(whole, BEN, person('it'))).toMatchObject({ kind: 'changed' });
    expect(await whole.callerOf(oidc('it'))).toMatchObject({ person: { subject: BEN } });
  });

  test('lets one of two have an identity that both write at once', async () => {
    for (let round = 0; round < 20; round += 1) {
      const [one, two] = [`user:one-${round}`, `user:two-${round}`] as const;
      const answers = await Promise.all([write(over(dynamodb.client), one, person(`it-${round}`)), write(over(dynamodb.client), two, person(`it-${round}`))]);
      expect(answers.map(({ kind }) => kind).sort()).toEqual(['changed', 'taken']);
    }
  });

  test('never lets two administrators go who look at each other while both leave', async () => {
    const whole = over(dynamodb.client);
    await writeAll(whole, { [ANA]: person('ana', { administrator: true }), [BEN]: person('ben', { administrator: true }) });
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all([whole.mayLeaveAdministration(ANA), over(dynamodb.client).mayLeaveAdministration(BEN)]);
      expect(answers.filter(Boolean).length).toBeLessThan(2);
      await clock.advance(60_000);
    }
    expect(await whole.mayLeaveAdministration(ANA)).toBe(true);
  });

  test('writes a group of a thousand, and finds each of them by it', async () => {
    const whole = over(dynamodb.client);
    const members = Array.from({ length: 1000 }, (_, index) => `user:p${index}`);
    await writeAll(whole, { 'user:p999': person('p999'), 'group:all': group(...members) });
    expect(await whole.callerOf(oidc('p999'))).toMatchObject({ groups: ['group:all'] });
    expect((await whole.peopleBehind('group:all')).people).toEqual(['user:p999']);
  });

  test('calls an entry that no longer reads a corrupt record, and lets nobody in by it', async () => {
    const whole = over(dynamodb.client);
    await writeAll(whole, { [ANA]: person('ana') });
    const event = (await whole.newest(ANA)) ?? expect.fail('no event');
    const spoiled = { ...event, data: { ...event.data, entry: { administrator: 'yes' } } };
    await dynamodb.client.send(new PutCommand({ TableName: LOCAL_TABLES.event_log, Item: { pk: event.subject, sk: 'event#000001', event: JSON.stringify(spoiled), append_id: 'x' } }));
    await expect(whole.callerOf(oidc('ana'))).rejects.toMatchObject({ name: 'CorruptRecord' });
    await expect(whole.approverEntry(ANA)).rejects.toMatchObject({ name: 'CorruptRecord' });
  });
});

/** A client of a process that ends at its n-th command, before it reaches the table. */
function endingAt(commands: number, client: DynamoDBDocumentClient): DynamoDBDocumentClient {
  let sent = 0;
  return through(client, () => (sent += 1) > commands);
}

function endingAfterPuts(puts: number, client: DynamoDBDocumentClient): DynamoDBDocumentClient {
  let sent = 0;
  return through(client, (command) => command instanceof PutCommand && (sent += 1) > puts);
}

function through(client: DynamoDBDocumentClient, ends: (command: unknown) => boolean): DynamoDBDocumentClient {
  const send = async (command: PutCommand): Promise<unknown> => {
    if (ends(command)) throw new Error('the process ended here');
    return client.send(command);
  };
  return new Proxy(client, { get: (target, name) => (name === 'send' ? send : (Reflect.get(target, name) as unknown)) });
}
