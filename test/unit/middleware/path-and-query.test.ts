import { describe, expect, test } from 'vitest';
import { operationIdOf, waitSeconds, wholeNumber } from '../../../lambdas/middleware/query.ts';
import { recorded, withToken } from './recorded-requests.ts';

const ID = 'op_0123456789abcdef0123456789abcdef';

function withId(id: unknown) {
  return recorded(withToken, { pathParameters: { id } });
}

function asking(queryStringParameters: unknown) {
  return recorded(withToken, { queryStringParameters });
}

describe('the id of the path', () => {
  test('is taken as the gateway decoded it', () => {
    expect(operationIdOf(withId(ID))).toBe(ID);
  });

  test.each([
    ['a question mark', `${ID}?decision=approve`],
    ['a way out', `../admin`],
    ['a way out behind an id', `${ID}/../admin`],
    ['a fragment', `${ID}#x`],
    ['a second encoding', ID.replace('0', '%30')],
    ['an encoded plus', `${ID}%2B`],
    ['a slash', `op_/${ID.slice(4)}`],
    ['a zero byte', `${ID}\u0000`],
    ['a line break', `${ID}\n`],
    ['white space', ` ${ID}`],
    ['capitals', ID.toUpperCase()],
    ['a digit too few', ID.slice(0, -1)],
    ['a digit too many', `${ID}0`],
    ['digits of another script', `op_${'\u0660'.repeat(32)}`],
    ['nothing', ''],
  ])('with %s is the id of no operation (023, 209)', (_, id) => {
    expect(operationIdOf(withId(id))).toBeUndefined();
  });

  test('that is missing is the id of no operation', () => {
    expect(operationIdOf(recorded(withToken, { pathParameters: undefined }))).toBeUndefined();
    expect(operationIdOf(recorded(withToken, { pathParameters: {} }))).toBeUndefined();
  });

  test('is never looked for in the raw path or the query', () => {
    expect(operationIdOf(recorded(withToken, { pathParameters: {}, rawPath: `/api/operations/${ID}`, rawQueryString: `id=${ID}`, queryStringParameters: { id: ID } }))).toBeUndefined();
  });
});

describe('a number in the query', () => {
  const range = { fallback: 7, max: 20 };

  test.each([
    [undefined, 7],
    [{}, 7],
    [{ other: '5' }, 7],
    [{ n: '0' }, 0],
    [{ n: '20' }, 20],
    [{ n: '007' }, 7],
  ])('%o is %i', (query, number) => {
    expect(wholeNumber(asking(query), 'n', range)).toBe(number);
  });

  test.each(['', '21', '-1', '+1', '1.5', '1e1', '0x10', ' 5', '5 ', '5,5', 'NaN', 'Infinity', '\u0665', '9'.repeat(7), '9'.repeat(400)])('%j is refused', (n) => {
    expect(wholeNumber(asking({ n }), 'n', range)).toMatchObject({ code: 'invalid_request', more: { field: 'n' } });
  });

  test('of seconds to wait is at most twenty and none by default', () => {
    expect(waitSeconds(asking({}))).toBe(0);
    expect(waitSeconds(asking({ wait_seconds: '20' }))).toBe(20);
    expect(waitSeconds(asking({ wait_seconds: '21' }))).toMatchObject({ code: 'invalid_request' });
  });
});
