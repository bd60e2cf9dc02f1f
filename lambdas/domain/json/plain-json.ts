// What counts as plain JSON among the values of a running program, and which value in a tree does not.
// Apart from the serialiser, which only asks yes or no: naming the path is work for the unhappy case.

import { pointerTo } from './json-refusal.ts';

/** Above what the strict reader lets in; bounds the recursion, and so ends at cycles. */
export const MAX_PLAIN_DEPTH = 256;

/** No subclass, no hole, nothing beside the elements. */
export function isPlainArray(value: readonly unknown[]): boolean {
  return (
    Object.getPrototypeOf(value) === Array.prototype &&
    Object.keys(value).length === value.length &&
    Object.getOwnPropertySymbols(value).length === 0
  );
}

/** No class instance. Members that are not enumerable are no data to anybody: JSON, spread and the SDKs pass them by. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.getOwnPropertySymbols(value).length === 0;
}

/** A sentence with the path of the first value that is not plain JSON. */
export function nonJsonIn(value: unknown): string {
  const path: (string | number)[] = [];
  const what = find(value, path) ?? 'a value that changes while it is read';
  return `Not plain JSON at "${pointerTo(path)}": ${what}.`;
}

/** Leaves the path of what it found in `path`. */
function find(value: unknown, path: (string | number)[]): string | undefined {
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'a string with half of a surrogate pair';
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
  if (typeof value !== 'object') return value === undefined ? 'undefined' : `a ${typeof value}`;
  if (path.length >= MAX_PLAIN_DEPTH) return 'a circle, or deeper nesting than any JSON that is read here';
  return Array.isArray(value) ? findInArray(value, path) : findInObject(value, path);
}

function findInArray(value: readonly unknown[], path: (string | number)[]): string | undefined {
  if (!isPlainArray(value)) return 'an array with holes, further properties or a class of its own';
  return findInMembers(Array.from(value, (item, index): [number, unknown] => [index, item]), path);
}

function findInObject(value: object, path: (string | number)[]): string | undefined {
  if (!isPlainObject(value)) return 'an object of a class, or with symbols for keys';
  const entries = Object.entries(value as Readonly<Record<string, unknown>>);
  if (entries.some(([key]) => !key.isWellFormed())) return 'a key with half of a surrogate pair';
  return findInMembers(entries, path);
}

function findInMembers(members: readonly (readonly [string | number, unknown])[], path: (string | number)[]): string | undefined {
  for (const [step, member] of members) {
    path.push(step);
    const what = find(member, path);
    if (what !== undefined) return what;
    path.pop();
  }
  return undefined;
}
