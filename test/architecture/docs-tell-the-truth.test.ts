// The tables of docs/ against the code, in both directions; every link, every named test. Each check is a function that
// answers with complaints, and below each is given a document with a planted lie that it must find.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BEFORE_FIRST, chainFault } from '../../lambdas/domain/chain.ts';
import { directoryEventSchema } from '../../lambdas/domain/directory/directory-log.ts';
import { EVENT_TYPES as OPERATION_EVENTS, eventSchema } from '../../lambdas/domain/events.ts';
import { canonicalJson } from '../../lambdas/domain/json/canonical-json.ts';
import type { JsonObject } from '../../lambdas/domain/json/json-value.ts';
import { policyEventSchema } from '../../lambdas/domain/policy/policy-log.ts';
import { REFUSAL_STATUS } from '../../lambdas/domain/refusals.ts';
import { LOG_CATALOGUE } from '../../lambdas/observability/log-catalogue.ts';

const EVENT_TYPES = [...OPERATION_EVENTS, policyEventSchema.shape.type.value, directoryEventSchema.shape.type.value];
const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((path) => statSync(join(ROOT, path), { throwIfNoEntry: false })?.isFile() === true);
const pages = tracked.filter((path) => path.endsWith('.md'));

/** The text under a heading, up to the next of the same level. */
function section(text: string, heading: string): string {
  const level = /^#+/.exec(heading)?.[0] ?? '';
  const from = text.indexOf(`\n${heading}\n`);
  if (from < 0) return '';
  const rest = text.slice(from + heading.length + 2);
  const to = rest.search(new RegExp(`^#{1,${level.length}} `, 'm'));
  return to < 0 ? rest : rest.slice(0, to);
}

/** Cells of every table row whose first cell is code, without the back-ticks around it. */
function rows(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)].map(([, first = '', rest = '']) => [first, ...rest.split('|').map((cell) => cell.trim())]);
}

/** What only one of the two sides has, or has twice. */
function differences(documented: readonly string[], actual: readonly string[]): readonly string[] {
  return [
    ...actual.filter((each) => !documented.includes(each)).map((each) => `not documented: ${each}`),
    ...documented.filter((each) => !actual.includes(each)).map((each) => `not in the code: ${each}`),
    ...documented.filter((each, index) => documented.indexOf(each) !== index).map((each) => `documented twice: ${each}`),
  ];
}

function refusalComplaints(errors: string): readonly string[] {
  return differences(rows(section(errors, '## Refusals')).map(([code, status]) => `${code} ${status}`), Object.entries(REFUSAL_STATUS).map(([code, status]) => `${code} ${status}`));
}

function faultComplaints(errors: string): readonly string[] {
  const declared = /export type FaultName =([^;]+);/.exec(read('lambdas/domain/faults.ts'))?.[1] ?? '';
  return differences(rows(section(errors, '## Faults')).map(([name = '']) => name), [...declared.matchAll(/'(\w+)'/g)].map(([, name = '']) => name));
}

function logComplaints(errors: string): readonly string[] {
  const lines = Object.entries(LOG_CATALOGUE).map(([code, { level, message }]) => `${code} ${level} ${message}`);
  return differences(rows(section(errors, '## Log codes')).map((cells) => cells.join(' ')), lines);
}

/** Reasons that the schemas name one by one; where a schema takes any text, the page may say more. */
function reasonComplaints(errors: string): readonly string[] {
  const documented = rows(section(errors, '## Reasons in events')).flatMap(([type = '', reasons = '']) => [...reasons.matchAll(/`(\w+)`/g)].map(([, reason = '']) => ({ type, reason })));
  return eventSchema.options.flatMap((option) => {
    const type = option.shape.type.value;
    const reason = (option.shape.data.shape as { readonly reason?: { readonly options?: readonly string[] } }).reason;
    return reason?.options === undefined ? [] : differences(documented.filter((each) => each.type === type).map((each) => each.reason), reason.options).map((each) => `${type}: ${each}`);
  });
}

function eventComplaints(events: string): readonly string[] {
  return differences([...events.matchAll(/^### `([a-z._]+)`$/gm)].map(([, type = '']) => type), EVENT_TYPES);
}

/** The JSON of a section must be found in the complete example of its type. */
function exampleComplaints(events: string, type: string, example: JsonObject): readonly string[] {
  const shown = [...section(events, `### \`${type}\``).matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json) as JsonObject);
  if (shown.length === 0) return [`${type}: no example`];
  const data = example['data'] as JsonObject;
  const differs = (part: JsonObject, whole: JsonObject): boolean => Object.entries(part).some(([key, value]) => !Object.hasOwn(whole, key) || canonicalJson(value) !== canonicalJson(whole[key]!));
  return shown.filter((part) => differs(part, 'specversion' in part ? example : data)).map(() => `${type}: the page shows another event than docs/events/${type}.json`);
}

/** `test/x.test.ts` "name": the file must exist and hold that name. */
function namedTests(text: string): readonly { readonly file: string; readonly name: string }[] {
  return [...text.matchAll(/`(test\/[\w./-]+\.test\.ts)` "([^"]+)"/g)].map(([, file = '', name = '']) => ({ file, name }));
}

function namedTestComplaints(text: string): readonly string[] {
  return namedTests(text).filter(({ file, name }) => !existsSync(join(ROOT, file)) || !read(file).replaceAll("\\'", "'").includes(name)).map(({ file, name }) => `${file} has no test "${name}"`);
}

function invariantComplaints(invariants: string): readonly string[] {
  const found = [...invariants.matchAll(/^\| (I-\d+) \|(.*)$/gm)];
  const numbers = Array.from({ length: 18 }, (_, index) => `I-${index + 1}`);
  const bare = found.filter(([, , rest = '']) => namedTests(rest).length === 0).map(([, number = '']) => `${number} names no test`);
  return [...differences(found.map(([, number = '']) => number), numbers), ...bare];
}

/** As GitHub makes them of headings. */
function anchors(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'));
}

function linkComplaints(page: string, text: string): readonly string[] {
  const links = [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link));
  return links.flatMap((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : relative(ROOT, resolve(ROOT, dirname(page), path));
    if (!existsSync(join(ROOT, target))) return [`${page}: ${link} leads nowhere`];
    return anchor === undefined || anchors(target === page ? text : read(target)).includes(anchor) ? [] : [`${page}: ${link} has no such heading`];
  });
}

function commandComplaints(readme: string, scripts: Readonly<Record<string, string>>): readonly string[] {
  return (['start', 'test'] as const).flatMap((name) => (scripts[name] !== undefined && readme.split('\n', 12).some((line) => line.startsWith(`npm ci && npm ${name}`)) ? [] : [`README or package.json lost npm ${name}`]));
}

/** Folders that only one person's machine has. Spelled in two halves, so that this line is not one of them. */
function placeComplaints(path: string, text: string): readonly string[] {
  const folders = ['ho' + 'me/', 'Us' + 'ers/', 'ro' + 'ot/', 'wo' + 'rk/main', 'wo' + 'rk/shared'];
  const places = new RegExp(`(^|[\\s"'\`(=:])(/(?:${folders.join('|')})[\\w.-]*|[A-Z]:\\\\Users\\\\)`, 'm');
  const found = places.exec(text)?.[2];
  return found === undefined ? [] : [`${path}: ${found}`];
}

const errors = read('docs/errors.md');
const events = read('docs/events.md');
const invariants = read('docs/invariants.md');
const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
const exampleOf = (type: string): JsonObject => JSON.parse(read(`docs/events/${type}.json`)) as JsonObject;

describe('docs/errors.md', () => {
  it('lists every refusal with its status, and no other', () => expect(refusalComplaints(errors)).toEqual([]));
  it('lists every fault, and no other', () => expect(faultComplaints(errors)).toEqual([]));
  it('lists every log code with its level and words, and no other', () => expect(logComplaints(errors)).toEqual([]));
  it('lists every reason that an event may name', () => expect(reasonComplaints(errors)).toEqual([]));
});

describe('docs/events.md', () => {
  it('has a section for every event type, and no other', () => expect(eventComplaints(events)).toEqual([]));

  it.each(EVENT_TYPES)('shows a real %s: it parses, its hash verifies, and the page quotes it', (type) => {
    const schema = type === 'policy.changed' ? policyEventSchema : type === 'directory.changed' ? directoryEventSchema : eventSchema;
    const example = schema.parse(exampleOf(type));
    const { sequence, previous_hash } = example.data;
    expect(example.type).toBe(type);
    expect(chainFault(canonicalJson(exampleOf(type)), sequence === 1 ? BEFORE_FIRST : { sequence: sequence - 1, hash: previous_hash })).toBeUndefined();
    expect(exampleComplaints(events, type, exampleOf(type))).toEqual([]);
  });

  it('has an example for no type that is none', () => {
    expect(differences(tracked.filter((path) => path.startsWith('docs/events/')).map((path) => basename(path, '.json')), EVENT_TYPES)).toEqual([]);
  });
});

describe('docs/invariants.md', () => {
  it('lists I-1 to I-18 once each, with a test', () => expect(invariantComplaints(invariants)).toEqual([]));
});

describe('every page', () => {
  it.each(pages)('%s names only tests that exist, and links only to what exists', (page) => {
    expect([...namedTestComplaints(read(page)), ...linkComplaints(page, read(page))]).toEqual([]);
  });
});

describe('the README', () => {
  it('opens with two commands that exist', () => expect(commandComplaints(read('README.md'), scripts)).toEqual([]));
});

it('no file names a folder of somebody’s machine', () => {
  expect(tracked.flatMap((path) => placeComplaints(path, read(path)))).toEqual([]);
});

describe('a planted lie is found', () => {
  const started = exampleOf('tool.started');
  it.each([
    ['a refusal left out', () => refusalComplaints(errors.replace(/^\| `own_operation`.*\n/m, ''))],
    ['a refusal with another status', () => refusalComplaints(errors.replace('| `operation_expired` | 410 |', '| `operation_expired` | 409 |'))],
    ['a refusal made up', () => refusalComplaints(errors.replace('| `own_operation` |', '| `on_holiday` | 403 | – | – |\n| `own_operation` |'))],
    ['a fault under another name', () => faultComplaints(errors.replace('| `CorruptRecord` |', '| `BrokenRecord` |'))],
    ['a log line in other words', () => logComplaints(errors.replace('task token parked', 'token stored'))],
    ['a reason left out', () => reasonComplaints(errors.replace('`tool_changed`', '`tool_moved`'))],
    ['an event type left out', () => eventComplaints(events.replace('### `tool.started`', '### tool.started'))],
    ['an example of another event', () => exampleComplaints(events.replace(/"claim_id": "\w/, '"claim_id": "_'), 'tool.started', started)],
    ['an event without example', () => exampleComplaints(events.replaceAll('```json', '```'), 'tool.started', started)],
    ['an invariant left out', () => invariantComplaints(invariants.replace('| I-9 |', '| I-99 |'))],
    ['an invariant without a test', () => invariantComplaints(invariants.replace(/^(\| I-9 \|).*$/m, '$1 promised | somehow | – |'))],
    ['a test under another name', () => namedTestComplaints(invariants.replace(/` "/, '` "never '))],
    ['a test file that is gone', () => namedTestComplaints(invariants.replace(/`test\/[\w-]+\//, '`test/nowhere/'))],
    ['a dead link', () => linkComplaints('README.md', '[gone](docs/gone.md)')],
    ['a dead anchor', () => linkComplaints('README.md', '[gone](docs/errors.md#gone)')],
    ['a command that is gone', () => commandComplaints(read('README.md'), { start: 'x' })],
    ['a folder of somebody’s', () => placeComplaints('x', `see /${'ho' + 'me'}/ana/countersign`)],
  ])('%s', (_what, complain) => {
    expect(complain()).not.toEqual([]);
  });
});
