import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEntry, type DirectoryEntry } from '../../../../lambdas/domain/directory/entries.ts';
import { DEEPEST, groupsAround, pathBack, peopleBehind, walkDown, type Seen } from '../../../../lambdas/domain/directory/walk.ts';

type World = Readonly<Record<string, readonly string[]>>;

/** More reads than any of these worlds has entries: a walk that does not end fails instead of hanging. */
const ENOUGH = 200;

/** People and agents whom the world does not spell out are there; groups only where it does. */
function world(groups: World): (reference: string) => Promise<DirectoryEntry | undefined> {
  let reads = 0;
  return async (reference) => {
    if ((reads += 1) > ENOUGH) throw new Error('this walk does not end');
    if (groups[reference] !== undefined) return parseEntry(reference, { members: groups[reference] });
    if (reference.startsWith('user:') && !reference.includes('ghost')) return parseEntry(reference, {});
    return reference.startsWith('agent:') ? parseEntry(reference, { principals: ['iam:x'], agent_ids: ['x'], workspaces: ['w'], owner: 'user:o' }) : undefined;
  };
}

function chain(length: number): World {
  return Object.fromEntries(Array.from({ length }, (_, index) => [`group:${index}`, index === length - 1 ? ['user:ana'] : [`group:${index + 1}`]]));
}

describe('who stands behind a reference', () => {
  test.each<[string, World, readonly string[]]>([
    ['a group', { 'group:0': ['user:ana', 'user:ben'] }, ['user:ana', 'user:ben']],
    ['a group that resolves to nobody (127)', { 'group:0': [] }, []],
    ['a group that is gone (127)', {}, []],
    ['a group of agents', { 'group:0': ['agent:bot'] }, []],
    ['people who are gone (136)', { 'group:0': ['user:ghost', 'user:ana'] }, ['user:ana']],
    ['somebody twice', { 'group:0': ['user:ana', 'group:1'], 'group:1': ['user:ana'] }, ['user:ana']],
    ['a relation', { 'group:0': ['team:core#lead'], 'team:core#lead': ['user:ana'] }, ['user:ana']],
    ['a diamond', { 'group:0': ['group:1', 'group:2'], 'group:1': ['group:3'], 'group:2': ['group:3'], 'group:3': ['user:ana'] }, ['user:ana']],
    ['a group in itself', { 'group:0': ['user:ana', 'group:0'] }, []],
    ['a circle further in', { 'group:0': ['user:ana', 'group:1'], 'group:1': ['group:2'], 'group:2': ['group:1'] }, []],
    ['as many groups in one another as may be', chain(DEEPEST), ['user:ana']],
    ['more than that', chain(DEEPEST + 2), []],
  ])('%s', async (_, groups, people) => {
    expect((await peopleBehind('group:0', world(groups))).people).toEqual(people);
  });

  test('a directory that fails or hangs on one member is no smaller group (127, 137)', async () => {
    const failing = async (reference: string) => (reference === 'user:ben' ? Promise.reject(new Error('down')) : world({ 'group:0': ['user:ana', 'user:ben'] })(reference));
    await expect(peopleBehind('group:0', failing)).rejects.toThrow('down');
  });

  test('cannot be counted where a token may name more of them', async () => {
    const claimed = async (reference: string) => (reference === 'group:1' ? parseEntry(reference, { members: [], from_claim: true }) : world({ 'group:0': ['group:1', 'user:ana'] })(reference));
    expect(await peopleBehind('group:0', claimed)).toEqual({ people: ['user:ana'], from_claim: true });
  });

  const reference = fc.oneof(fc.integer({ min: 0, max: 7 }).map((n) => `group:${n}`), fc.constantFrom('user:a', 'user:b', 'user:ghost', 'agent:a', 'team:t#lead', 'a', ''));
  const worlds = fc.dictionary(fc.oneof(fc.integer({ min: 0, max: 7 }).map((n) => `group:${n}`), fc.constant('team:t#lead')), fc.array(reference, { maxLength: 5 }));

  test('is never anybody but a live person, and every walk ends, whatever stands in the directory', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, reference, async (groups, start) => {
        const valid = Object.fromEntries(Object.entries(groups).map(([name, members]) => [name, members.filter((each) => each.includes(':'))]));
        const reads: string[] = [];
        const entryOf = world(valid);
        const { people } = await peopleBehind(start, async (each) => (reads.push(each), entryOf(each)));
        expect(people.filter((each) => !['user:a', 'user:b'].includes(each))).toEqual([]);
        expect(new Set(reads).size).toBe(reads.length);
        // A group through which one comes back to it is nobody at all, not whoever was met before.
        if (valid[start] !== undefined && (await pathBack(start, valid[start], entryOf)) !== undefined) expect(people).toEqual([]);
      }),
    );
  });
});

describe('a walk', () => {
  /** Nothing is kept between two looks: a walk in circles looks again and again, and fails instead of hanging. */
  const looking = (groups: World): ((reference: string) => Promise<Seen | undefined>) => {
    let looks = 0;
    return async (reference) => {
      if ((looks += 1) > ENOUGH) throw new Error('this walk does not end');
      const members = groups[reference];
      return members === undefined ? { person: reference.startsWith('user:'), members: [], from_claim: false } : { person: false, members, from_claim: false };
    };
  };

  test.each<[string, World]>([
    ['in itself', { 'group:0': ['user:ana', 'group:0'] }],
    ['through others', { 'group:0': ['group:1', 'user:ana'], 'group:1': ['group:2'], 'group:2': ['group:1'] }],
    ['deeper than anybody follows', chain(DEEPEST + 2)],
  ])('ends %s, and finds nobody', async (_, groups) => {
    expect(await walkDown('group:0', looking(groups))).toBeUndefined();
  });

  test('tells the way to each person', async () => {
    const walked = await walkDown('group:0', looking({ 'group:0': ['group:1', 'user:ben'], 'group:1': ['user:ana', 'user:ben'] }));
    expect([...(walked?.people ?? [])]).toEqual([['user:ana', ['group:0', 'group:1', 'user:ana']], ['user:ben', ['group:0', 'group:1', 'user:ben']]]);
  });
});

describe('the groups around somebody', () => {
  test.each<[string, World, readonly string[]]>([
    ['none', {}, []],
    ['through others', { 'user:ana': ['group:a'], 'group:a': ['group:b', 'team:t#lead'] }, ['group:a', 'group:b', 'team:t#lead']],
    ['in a circle', { 'user:ana': ['group:a'], 'group:a': ['group:b'], 'group:b': ['group:a'] }, ['group:a', 'group:b']],
  ])('%s', async (_, naming, groups) => {
    expect(await groupsAround(['user:ana'], async (each) => naming[each] ?? [])).toEqual(groups);
  });

  test('are followed as deep as groups may stand in one another', async () => {
    expect(await groupsAround(['0'], async (each) => [String(Number(each) + 1)])).toHaveLength(DEEPEST);
  });
});

describe('a way back', () => {
  test.each<[string, World, readonly string[], readonly string[] | undefined]>([
    ['none', { 'group:1': ['user:ana'] }, ['group:1', 'user:ben'], undefined],
    ['itself', {}, ['group:0'], ['group:0', 'group:0']],
    ['through groups and relations', { 'group:1': ['team:t#lead'], 'team:t#lead': ['user:ana', 'group:0'] }, ['user:ana', 'group:1'], ['group:0', 'group:1', 'team:t#lead', 'group:0']],
    ['a circle that was there before', { 'group:1': ['group:2'], 'group:2': ['group:1'] }, ['group:1'], ['group:0', 'group:1', 'group:2', 'group:1']],
    ['a diamond is none', { 'group:1': ['group:3'], 'group:2': ['group:3'], 'group:3': ['user:ana'] }, ['group:1', 'group:2'], undefined],
  ])('%s', async (_, groups, members, path) => {
    expect(await pathBack('group:0', members, world(groups))).toEqual(path);
  });
});
