// Makes a key with a backslash on purpose, so that JSON.parse of this process may mistake keys from then on: this file
// stands alone.
import { describe, expect, it } from 'vitest';
import { parseForeignJson, parseJson } from '../../../../lambdas/domain/json/parse-json.ts';

describe('JSON text of our own', () => {
  it('keeps every key, whatever keys the process has met before (nodejs/node#63785)', () => {
    JSON.parse(String.raw`{"A":1,"\\":2}`);
    for (const read of [parseJson, parseForeignJson]) {
      expect(Object.keys(read(String.raw`{"A":1,"\u0042":2}`) as object)).toEqual(['A', 'B']);
      expect(Object.keys(read(String.raw`{"A":1,"\n":2}`) as object)).toEqual(['A', '\n']);
    }
  });

  it('is refused without its values when it is none', () => {
    expect(() => parseJson('{"CANARY":')).toThrow(SyntaxError);
    expect(() => parseJson('{"CANARY":')).toThrow(/^not JSON of ours: \w+$/);
  });

  it('of a tool may hold numbers that ours never does', () => {
    expect(parseForeignJson('{"bytes":9007199254740993}')).toEqual({ bytes: 9007199254740992 });
    expect(() => parseForeignJson('nothing')).toThrow();
  });
});
