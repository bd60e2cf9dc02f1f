import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../lambdas/domain/json/json-value.ts';
import { projectDisplay } from '../../../../lambdas/domain/display/project-display.ts';
import type { DisplayRules } from '../../../../lambdas/domain/display/project-display.ts';

const H = '⟨hidden⟩';
const display = (value: JsonValue, rules?: DisplayRules): JsonValue => projectDisplay(value, rules).display;
const shownText = (value: JsonValue, rules?: DisplayRules): string => {
  const shown = display(value, rules);
  return typeof shown === 'string' ? shown : JSON.stringify(shown);
};
const bytes = (value: JsonValue): number => Buffer.byteLength(JSON.stringify(value));
const frozen = <Value extends JsonValue>(value: Value): Value => {
  if (value !== null && typeof value === 'object') for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
};
const nothing = { redacted: false, truncated: false, hidden_values: 0, hidden_members: 0, cut_bytes: 0, full_view_required: false };

describe('projectDisplay', () => {
  it('shows small arguments as they are and says so', () => {
    const value = { customer_id: 'c1', amount: 120, currency: 'EUR', lines: [1, null, true, 'x'] };
    expect(projectDisplay(value)).toEqual({ display: value, redaction: nothing });
  });

  it('100: walks every shape: text, list, pairs, null, number', () => {
    expect(display('token=abc')).toBe(`token=${H}`);
    expect(display(['--token', 'abc'])).toEqual(['--token', H]);
    expect(display([['password', 'x']])).toEqual([['password', H]]);
    expect(display(null)).toBeNull();
    expect(display(5)).toBe(5);
  });

  it('095: leaves the live arguments untouched, even frozen', () => {
    const value = frozen({ code: 'API_KEY=abc; run()', list: ['--token', 'x'], deep: { password: 'p' } });
    const before = JSON.stringify(value);
    expect(display(value)).toEqual({ code: `API_KEY=${H}; run()`, list: ['--token', H], deep: { password: H } });
    expect(JSON.stringify(value)).toBe(before);
  });

  it('097: treats __proto__, constructor and prototype as ordinary members and pollutes nothing', () => {
    const value = JSON.parse('{"__proto__":{"polluted":true,"password":"x"},"constructor":{"prototype":{"polluted":1}},"a":{"__proto__":null}}') as JsonValue;
    const shown = display(value);
    expect(JSON.stringify(shown)).toBe(`{"__proto__":{"polluted":true,"password":"${H}"},"constructor":{"prototype":{"polluted":1}},"a":{"__proto__":null}}`);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('098: says nothing of a hidden value, not even a digest of it or its length', () => {
    const one = projectDisplay({ pin: '4821' });
    expect(one).toEqual(projectDisplay({ pin: '9377' }));
    expect(projectDisplay({ password: 'a' })).toEqual(projectDisplay({ password: 'a much longer one' }));
    expect(JSON.stringify(one)).not.toContain('4821');
  });

  it('094: keeps two calls apart that hold a token each', () => {
    expect(display({ command: 'curl https://h/a?token=abc' })).not.toEqual(display({ command: 'curl https://h/b?token=abc' }));
  });

  it('hides by neighbour: variables, headers, Kubernetes Secrets, Docker logins', () => {
    expect(display({ env: [{ name: 'DB_PASSWORD', value: 'x' }, { name: 'PORT', value: '80' }] })).toEqual({ env: [{ name: 'DB_PASSWORD', value: H }, { name: 'PORT', value: '80' }] });
    expect(display({ kind: 'Secret', data: { a: 'Zm9v', b: ['x', null] }, stringData: { c: 'd' }, type: 'Opaque' })).toEqual({ kind: 'Secret', data: { a: H, b: [H, null] }, stringData: { c: H }, type: 'Opaque' });
    expect(display({ auths: { r: { auth: 'dXNlcjpw', email: 'e' } } })).toEqual({ auths: { r: { auth: H, email: 'e' } } });
    expect(display({ headers: { Authorization: 'Bearer a b', Cookie: 'a=b' } })).toEqual({ headers: { Authorization: `Bearer ${H}`, Cookie: H } });
  });

  it('hides by position in a list of arguments', () => {
    expect(display(['mysql', '-pSECRET', 'db'])).toEqual(['mysql', `-p${H}`, 'db']);
    expect(display(['curl', '-u', 'user:pass', 'h'])).toEqual(['curl', '-u', `user:${H}`, 'h']);
    expect(display(['docker', 'run', '-p', '8080:80'])).toEqual(['docker', 'run', '-p', '8080:80']);
    expect(display(['x', '--password', '--force'])).toEqual(['x', '--password', '--force']);
  });

  it('shows a secret in a name as hidden, and two names that look alike both', () => {
    expect(display({ ghp_16C7e42F292c6912E7710c838347Ae178B4a: 1, ghp_26C7e42F292c6912E7710c838347Ae178B4a: 2 })).toEqual({ [H]: 1, [`${H}⟨2⟩`]: 2 });
    expect(Object.keys(display({ 'a\u200b': 1, 'a\\u{200b}': 2 }) as object)).toHaveLength(2);
  });

  it('118: escapes deceiving text in names and values', () => {
    expect(display({ 'x\u202ey': 'rm \u202etxt' })).toEqual({ 'x\\u{202e}y': 'rm \\u{202e}txt' });
  });
});

describe('bounds', () => {
  it('shows 31 of many members and says how many more there are', () => {
    const { display: list, redaction } = projectDisplay(Array.from({ length: 1000 }, (_, index) => index));
    expect(list).toHaveLength(32);
    expect((list as readonly JsonValue[]).at(-1)).toBe('⟨969 more items⟩');
    expect(redaction).toEqual({ ...nothing, truncated: true, hidden_members: 969 });
    const object = display(Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`k${index}`, index])));
    expect(Object.entries(object as object).at(-1)).toEqual(['⟨9 more members⟩', '⟨cut⟩']);
  });

  it('shows exactly 32 members and 4096 bytes without a cut', () => {
    expect(projectDisplay(Array.from({ length: 32 }, () => 1)).redaction).toEqual(nothing);
    const fitting = Array.from({ length: 16 }, () => 'é'.repeat(126));
    const full = [...fitting, 'x'.repeat(4096 - bytes(fitting) - 3)];
    expect(bytes(full)).toBe(4096);
    expect(projectDisplay(full)).toEqual({ display: full, redaction: nothing });
    expect(projectDisplay([...full.slice(0, -1), `${full.at(-1) ?? ''}y`]).redaction.truncated).toBe(true);
  });

  it('shows six levels and the size of what is below', () => {
    const { display: shown, redaction } = projectDisplay({ a: { b: { c: { d: { e: { f: 1, g: 2 }, l: [1, 2, 3] } } } } });
    expect(shown).toEqual({ a: { b: { c: { d: { e: { f: 1, g: 2 }, l: [1, 2, 3] } } } } });
    expect(redaction).toEqual(nothing);
    const deeper = projectDisplay([[[[[[[1, 2], { a: 1 }]]]]]]);
    expect(deeper.display).toEqual([[[[[['⟨array of 2⟩', '⟨object of 1⟩']]]]]]);
    expect(deeper.redaction).toEqual({ ...nothing, truncated: true, hidden_members: 3 });
  });

  it('cuts a string to 256 bytes of JSON with head and tail, counting quotes and backslashes twice', () => {
    const { display: shown, redaction } = projectDisplay('"\\'.repeat(200));
    expect(bytes(shown)).toBeLessThanOrEqual(258);
    expect(shown).toMatch(/^["\\]+⟨\d+ bytes cut⟩["\\]+$/);
    expect(redaction.cut_bytes).toBe(400 - shownText('"\\'.repeat(200)).replace(/⟨.*⟩/, '').length);
    expect(projectDisplay('x'.repeat(256)).redaction).toEqual(nothing);
  });

  it('121: says how much of a long script is not shown, and shows its tail', () => {
    const script = `${Array.from({ length: 60 }, (_, index) => `import module_${index}`).join('\n')}\nshutil.rmtree("/srv/data")\n`;
    const { display: shown, redaction } = projectDisplay({ code: script }, { critical: ['/code'] });
    expect((shown as { code: string }).code).toMatch(/^import module_0\n[\s\S]*⟨\d+ bytes cut⟩[\s\S]*shutil\.rmtree\("\/srv\/data"\)\n$/);
    expect(redaction).toMatchObject({ truncated: true, full_view_required: true });
    expect(redaction.cut_bytes).toBeGreaterThan(500);
  });

  it('082: never splits a grapheme at the bound', () => {
    for (let before = 150; before < 190; before += 1) {
      const shown = shownText(`${'a'.repeat(before)}🇩🇪${'b'.repeat(200)}🟡${'c'.repeat(60)}`);
      expect(shown.isWellFormed()).toBe(true);
      expect(shown.replaceAll('🇩🇪', '').replaceAll('🟡', '')).toMatch(/^a*b*⟨\d+ bytes cut⟩b*c*$/);
    }
  });

  it('shares the room out, so that a large first member leaves room for those after it', () => {
    const { display: shown } = projectDisplay({ rows: Array.from({ length: 500 }, (_, id) => ({ id, note: 'word '.repeat(20) })), reason: 'why', amount: 5 });
    expect(bytes(shown)).toBeLessThanOrEqual(4096);
    expect(shown).toMatchObject({ reason: 'why', amount: 5 });
    expect(bytes((shown as { rows: JsonValue }).rows)).toBeGreaterThan(1500);
  });

  it('never gives up on a document only because it is large', () => {
    for (const members of [1, 2, 3, 5, 8, 13, 32, 33, 100]) {
      for (const width of [1, 20, 60, 250, 700]) {
        const leaf = Object.fromEntries(Array.from({ length: members }, (_, index) => [`name_${'x'.repeat(width % 90)}_${index}`, 'w '.repeat(width)]));
        for (const value of [leaf, Array.from({ length: members }, () => leaf), { a: { b: { c: { d: { e: leaf } } }, f: [leaf, leaf] } }]) {
          const shown = display(value);
          expect(shown).not.toBe('⟨cannot be shown⟩');
          expect(bytes(shown)).toBeLessThanOrEqual(4096);
          if (bytes(value) > 100_000) expect(bytes(shown)).toBeGreaterThan(2000);
        }
      }
    }
  });

  it('settles where a word is judged by one that is shown otherwise', () => {
    const once = projectDisplay(['--token', '{ghp_aaaaaaaaaaaaaa', null]);
    expect(projectDisplay(once.display).display).toEqual(once.display);
    const alike = projectDisplay(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${'x'.repeat(60)}${index}${'y'.repeat(600)}`, index])));
    expect(projectDisplay(alike.display).display).toEqual(alike.display);
    const named = projectDisplay({ name: `${'ab c'.repeat(50)}c-----BEGIN PRIVATE KEY-----\nWKXX\n-----END PRIVATE KEY-----`, value: 'x' });
    expect(projectDisplay(named.display).display).toEqual(named.display);
  });

  it('counts bytes exactly up to 64 Ki characters and says "at least" beyond', () => {
    const short = projectDisplay('é b '.repeat(10_000));
    const shown = shownText('é b '.repeat(10_000));
    expect(Buffer.byteLength(shown.replace(/⟨.*⟩/, '')) + short.redaction.cut_bytes).toBe(50_000);
    expect(display('a b '.repeat(30_000))).toMatch(/⟨at least \d+ bytes cut⟩/);
  });

  it('says "cannot be shown" once reading would cost too much, and asks for the full view', () => {
    const texts = Array.from({ length: 31 }, (_, index) => `${'token=a: '.repeat(100)}${index}`);
    const { display: shown, redaction } = projectDisplay(texts);
    expect(shown).toContain('⟨cannot be shown⟩');
    expect(redaction).toMatchObject({ truncated: true, full_view_required: true });
  });
});

describe('rules of a tool', () => {
  it('shows critical members first and whole, the others with what is left', () => {
    const value = { a: 'word '.repeat(200), b: Array.from({ length: 200 }, () => 'some text here'), z: { amount: 5, to: 'x '.repeat(120) } };
    const { display: shown, redaction } = projectDisplay(value, { critical: ['/z'] });
    expect(Object.keys(shown as object)[0]).toBe('z');
    expect((shown as { z: JsonValue }).z).toEqual(value.z);
    expect(redaction).toMatchObject({ truncated: true, full_view_required: false });
  });

  it('asks for the full view if a critical member is cut, left out, collapsed or beyond the items shown', () => {
    const required = (value: JsonValue, rules: DisplayRules): boolean => projectDisplay(value, rules).redaction.full_view_required;
    expect(required({ to: 'x '.repeat(200) }, { critical: ['/to'] })).toBe(true);
    expect(required({ to: 'x' }, { critical: ['/to'] })).toBe(false);
    expect(required({ items: Array.from({ length: 50 }, () => 1) }, { critical: ['/items'] })).toBe(true);
    expect(required({ items: Array.from({ length: 50 }, () => 1) }, { critical: ['/items/3'] })).toBe(false);
    expect(required({ items: Array.from({ length: 50 }, () => 1) }, { critical: ['/items/40'] })).toBe(true);
    expect(required({ items: Array.from({ length: 50 }, () => ({ price: 1 })) }, { critical: ['/items/*/price'] })).toBe(true);
    expect(required({ a: { b: { c: { d: { e: { f: { g: 1 } } } } } } }, { critical: ['/a/b/c/d/e/f/g'] })).toBe(true);
    expect(required(Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`k${index}`, 1])), { critical: Array.from({ length: 40 }, (_, index) => `/k${index}`) })).toBe(true);
    expect(required({ [`k${'x'.repeat(200)}`]: 1 }, { critical: [`/k${'x'.repeat(200)}`] })).toBe(true);
  });

  it('asks for the full view at any cut if the tool says so', () => {
    expect(projectDisplay('x '.repeat(300), { full_view_when_cut: true }).redaction.full_view_required).toBe(true);
    expect(projectDisplay('x '.repeat(300)).redaction.full_view_required).toBe(false);
    expect(projectDisplay('x', { full_view_when_cut: true }).redaction.full_view_required).toBe(false);
  });

  it('hides what is always hidden, with names from RFC 6901 pointers, wildcards and bare names', () => {
    const value = { ssn: '1', people: [{ name: 'a', born: '2' }, { name: 'b', born: '3' }], 'a/b': { '~c': 4 }, n: null };
    expect(display(value, { always_hidden: ['ssn', '/people/*/born', '/a~1b/~0c', '/n'] })).toEqual({ ssn: H, people: [{ name: 'a', born: H }, { name: 'b', born: H }], 'a/b': { '~c': H }, n: H });
    expect(display(value, { always_hidden: [''] })).toBe(H);
    expect(projectDisplay(value, { always_hidden: ['/people'] }).redaction.hidden_values).toBe(1);
  });

  it('shows only what is allowed where a tool lists it', () => {
    const value = { a: { b: 1, c: 2 }, d: 'x', e: { f: 3 } };
    expect(display(value, { allow_only: ['/a/b', '/e'] })).toEqual({ a: { b: 1, c: H }, d: H, e: { f: 3 } });
    expect(display({ a: 'text where an object was expected' }, { allow_only: ['/a/b'] })).toEqual({ a: H });
    expect(display(value, { allow_only: [] })).toEqual(H);
    expect(display({ a: { b: 1 } }, { allow_only: ['/a'], always_hidden: ['/a/b'] })).toEqual({ a: { b: H } });
  });

  it('redacts inside what is critical or allowed', () => {
    expect(display({ cmd: 'run --token abc', password: 'x' }, { critical: ['/cmd'], allow_only: ['/cmd', '/password'] })).toEqual({ cmd: `run --token ${H}`, password: H });
  });
});
