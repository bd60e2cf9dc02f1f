// What is hidden and cut is counted as it is: by value, by name, by place and by rule; and each part of the room is spent once.
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../lambdas/domain/json/json-value.ts';
import { displayBounds, projectDisplay, type DisplayRules } from '../../../../lambdas/domain/display/project-display.ts';

const H = '⟨hidden⟩';
const shown = (value: JsonValue, rules: DisplayRules = {}): readonly [JsonValue, number, number, number] => {
  const { display, redaction } = projectDisplay(value, rules);
  expect(projectDisplay(display, rules).display).toEqual(display);
  return [display, redaction.hidden_values, redaction.hidden_members, redaction.cut_bytes];
};

describe('hidden values', () => {
  it.each<[string, JsonValue, JsonValue, number, DisplayRules?]>([
    ['under a name', { password: 'Zq8', note: 'x' }, { password: H, note: 'x' }, 1],
    ['a scheme stays', { Authorization: 'Bearer Zq8Wq9' }, { Authorization: `Bearer ${H}` }, 1],
    ['a scheme stays in any case, of that name only', { 'Proxy-Authorization': 'basic Zq8Wq9', token: 'Bearer Zq8Wq9' }, { 'Proxy-Authorization': `basic ${H}`, token: H }, 2],
    ['no scheme', { Authorization: 'Zq8Wq9' }, { Authorization: H }, 1],
    ['no text', { Authorization: 12345 }, { Authorization: H }, 1],
    ['a name that only begins so', { authorization_note: 'Bearer of news' }, { authorization_note: 'Bearer of news' }, 0],
    ['null and booleans tell nothing', { password: null, token: true, secret: false, api_key: '' }, { password: null, token: true, secret: false, api_key: '' }, 0],
    ['a number', { pin: 1234, password: 5, max_tokens: 4096 }, { pin: H, password: H, max_tokens: 4096 }, 2],
    ['all below a name, as one', { credentials: { user: 'ana', keys: ['a', 'b'] } }, { credentials: H }, 1],
    ['two in one text', { note: 'password=Zq8 token=Wq9' }, { note: `password=${H} token=${H}` }, 2],
    ['after a flag', ['tool', '--token', 'Zq8', 'go'], ['tool', '--token', H, 'go'], 1],
    ['attached to a flag', ['mysql', '-pZq8', 'db'], ['mysql', `-p${H}`, 'db'], 1],
    ['behind a colon', ['curl', '-u', 'ana:Zq8'], ['curl', '-u', `ana:${H}`], 1],
    ['not after a flag that is followed by a flag', ['tool', '--token', '--verbose', 'on'], ['tool', '--token', '--verbose', 'on'], 0],
    ['beside its name', [{ name: 'DB_PASSWORD', value: 'Zq8' }, { name: 'COLOR', value: 'red' }], [{ name: 'DB_PASSWORD', value: H }, { name: 'COLOR', value: 'red' }], 1],
    ['in a pair', [['password', 'Zq8'], ['color', 'red']], [['password', H], ['color', 'red']], 1],
    ['not in a list of three', [['password', 'policy', 'text']], [['password', 'policy', 'text']], 0],
    ['in a Kubernetes Secret', { kind: 'Secret', data: { a: 'Wnpx', b: 'Wnpx' } }, { kind: 'Secret', data: { a: H, b: H } }, 2],
    ['by a rule, whatever it is', { a: 1, b: 'x', c: null, d: [1, 2], e: 'y' }, { a: H, b: H, c: H, d: H, e: 'y' }, 4, { always_hidden: ['/a', '/b', '/c', '/d'] }],
    ['but what a rule lets through', { a: 1, b: 'x' }, { a: 1, b: H }, 1, { allow_only: ['/a'] }],
    ['by a rule in a command', ['tool', '--token', 'Zq8'], [H, H, H], 3, { always_hidden: ['/*'] }],
  ])('%s', (_, value, display, hidden, rules = {}) => {
    expect(shown(value, rules)).toEqual([display, hidden, 0, 0]);
  });
});

describe('names', () => {
  it('that look the same once shown both stay', () => {
    expect(shown({ 'a\u200b': 1, 'a\\u{200b}': 2, 'a\u200b\u200b': 3 })[0]).toEqual({ 'a\\u{200b}': 1, 'a\\u{200b}⟨2⟩': 2, 'a\\u{200b}\\u{200b}': 3 });
  });

  it('that are too long are cut and counted, and a secret in one is hidden', () => {
    const [display, hidden, , cut] = shown({ ['n'.repeat(500)]: 1, 'password=Zq8Wq9Er7': 2 });
    const [first = '', second] = Object.keys(display as object);
    const kept = /^(n*)⟨(\d+) bytes cut⟩(n*)$/.exec(first) ?? [];
    expect([cut, (kept[1]?.length ?? 0) + (kept[3]?.length ?? 0) + cut, second, hidden]).toEqual([Number(kept[2]), 500, `password=${H}`, 1]);
  });

  it('are keys like any other', () => {
    const own = JSON.parse('{"__proto__":{"a":1},"constructor":"x","toJSON":"y"}') as JsonValue;
    expect(JSON.stringify(shown(own)[0])).toBe('{"__proto__":{"a":1},"constructor":"x","toJSON":"y"}');
  });

  it('of critical members come first, in their order, and the others in theirs', () => {
    const { display } = projectDisplay({ a: 1, b: 2, c: { d: 3, e: 4 }, f: 5 }, { critical: ['/f', '/c/e'] });
    expect(JSON.stringify(display)).toBe('{"c":{"e":4,"d":3},"f":5,"a":1,"b":2}');
  });
});

describe('members and items', () => {
  const keys = (count: number): JsonValue => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));

  it.each([31, 32, 33, 40])('%i of them: as many as there may be, and the others counted', (count) => {
    const rest = count > displayBounds.members ? count - displayBounds.members + 1 : 0;
    const [list, , left] = shown(Array.from({ length: count }, (_, index) => index));
    expect([(list as JsonValue[]).length, left]).toEqual([Math.min(count, displayBounds.members), rest]);
    const [object, , omitted] = shown(keys(count));
    expect([Object.keys(object as object).length, omitted]).toEqual([Math.min(count, displayBounds.members), rest]);
    if (rest > 0) expect([(list as JsonValue[]).at(-1), Object.entries(object as object).at(-1)]).toEqual([`⟨${rest} more items⟩`, [`⟨${rest} more members⟩`, '⟨cut⟩']]);
  });

  it('beyond six levels are counted where they stand', () => {
    expect(shown({ a: { b: { c: { d: { e: { f: { g: 1, h: 2 } } } } } } })).toEqual([{ a: { b: { c: { d: { e: { f: '⟨object of 2⟩' } } } } } }, 0, 2, 0]);
    expect(shown([[[[[[[1, 2, 3]]]]]]])).toEqual([[[[[[['⟨array of 3⟩']]]]]], 0, 3, 0]);
  });
});

describe('the room', () => {
  const bytes = (value: JsonValue): number => Buffer.byteLength(JSON.stringify(value));

  it('is spent to the last byte by what just fits, and cut by one byte more', () => {
    const filled = (last: number): JsonValue => [...Array.from({ length: 15 }, () => 'x'.repeat(256)), 'y'.repeat(last)];
    const exact = 256 - (bytes(filled(256)) - displayBounds.bytes);
    expect(bytes(filled(exact))).toBe(displayBounds.bytes);
    expect(shown(filled(exact))).toEqual([filled(exact), 0, 0, 0]);
    const [display, , , cut] = shown(filled(exact + 1));
    expect(bytes(display)).toBeLessThanOrEqual(displayBounds.bytes);
    expect(cut).toBeGreaterThan(0);
  });

  it('is counted for objects as for lists: names, quotes, colons and commas', () => {
    const filled = (last: number): JsonValue => ({ ...Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`k${index}`, 'x'.repeat(250)])), last: 'y'.repeat(last) });
    const exact = 200 - (bytes(filled(200)) - displayBounds.bytes);
    expect(exact).toBeLessThanOrEqual(256);
    expect(shown(filled(exact))).toEqual([filled(exact), 0, 0, 0]);
    expect(shown(filled(exact + 1))[3]).toBeGreaterThan(0);
  });
});
