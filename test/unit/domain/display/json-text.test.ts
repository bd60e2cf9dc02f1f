// JSON that stands in a string, whole or cut: what is hidden of it, and what is not JSON at all. `«…»` marks what is hidden.
import { describe, expect, it } from 'vitest';
import { jsonTextSecrets, looksLikeJson } from '../../../../lambdas/domain/display/secrets/json-text.ts';
import { replaceSpans } from '../../../../lambdas/domain/display/secrets/spans.ts';

const H = '⟨hidden⟩';
const unmarked = (line: string): string => line.replaceAll(/[«»]/g, '');
/** Strings inside are left as they are: what hides in them is another's to find. */
const read = (text: string, cutAfter: boolean): string | undefined => {
  const spans = jsonTextSecrets(text, cutAfter, (inner) => ({ text: inner, hidden: 0 }));
  return spans === undefined ? undefined : replaceSpans(text, spans).text;
};

describe('JSON in a string', () => {
  it.each([
    '{"password":"«Zq8»","a":"b"}',
    '{"password":«5»,"a":5}',
    '{"password":null,"token":true,"secret":false}',
    '{"password":""}',
    '{"a":{"password":"«Zq8»"},"b":{"c":"d"}}',
    '{"password":{"a":"«Zq8»","b":«5»,"c":«null»,"d":["«x»"]},"e":"f"}',
    '{"a":[{"password":"«Zq8»"}],"b":["password","x"]}',
    '[["a"],{"b":"c"},["d"]]',
    '{"name":"DB_PASSWORD","value":"«Zq8»"}',
    '{"name":"COLOR","value":"red"}',
    '{"value":"Zq8","name":"x"}',
    '{"kind":"Secret","data":{"a":"«x»","b":"«y»"},"type":"z"}',
    '{"kind" : "Secret","stringData":{"a":"«x»"},"metadata":{"name":"n"}}',
    '{"kind":"SecretList","items":[{"data":{"a":"«x»"}}]}',
    '{"kind":"ConfigMap","data":{"a":"x"}}',
    '{"apiVersion":"v1","data":{"a":"x"}}',
    '["--token","«Zq8»","go"]',
    '["mysql","-p«Zq8»"]',
    '{"--token":"«x»"}',
    '{"a":"--token","b":"x"}',
    '{"password":"«Zq\\"8»"}',
    '{"password":"«Zq\\u00e98»"}',
    '{"password":"«\\x»"}',
    '{"pass\\u0077ord":"«Zq8»"}',
    ' {"password":"«Zq8»"} ',
    '{}',
    '[]',
  ])('%s', (line) => {
    const expected = line.replaceAll(/(:|\[)«(?:\d+|null)»/g, `$1"${H}"`).replaceAll(/«[^»]*»/g, H);
    expect(read(unmarked(line), false)).toBe(expected);
    expect(read(unmarked(line), true)?.replaceAll('"data":{"a":"⟨hidden⟩"}', '"data":{"a":"x"}')).toBe(expected.replaceAll('"data":{"a":"⟨hidden⟩"}', '"data":{"a":"x"}'));
  });

  it.each([
    '{"password":"«Zq8»","no',
    '{"password":"«Zq8»',
    '{"password":"«Zq8»\\',
    '{"a":["x","y',
    '{"password":',
    '{"password',
    '{"apiVersion":"v1","data":{"a":"«x»"',
    '{"apiVersion" : "v1","data":{"a":"«x»"},"b":"c"',
    '{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"x"',
    '{"apiVersion":"v1","kind" : "ConfigMap","data":{"a":"x"',
    '{"apiVersion":"v2","data":{"a":"x"',
    '["--token","«Zq',
  ])('that is cut: %s', (line) => {
    expect(read(unmarked(line), true)).toBe(line.replaceAll(/«[^»]*»?/g, H).replace(`${H}"`, `${H}"`));
  });

  it.each(['"text"', 'true', '5', '{"a":1} x', '{"a":1}}"b"', 'x{"a":1}', '{"a":"b', '{a}}x', '{"a":"b"}\\'])('is not %s', (text) => {
    expect(read(text, false)).toBeUndefined();
  });

  it.each(['{"a":1}', ' [1]', '[true]', '[null', '{', '[', '[{', '["', '[-1', '{}'])('begins as %s does', (text) => expect(looksLikeJson(text)).toBe(true));
  it.each(['', 'x', '"a"', '[x]', '(1)', '{x:1}', '[ERROR] x'])('does not begin as %j does', (text) => expect(looksLikeJson(text)).toBe(false));
});
