// The arrays and objects that are open while a JSON text is read: an explicit stack instead of the call stack.
// Apart from the reader, which decides when to open, fill and close them.

import type { JsonValue } from './json-value.ts';

type OpenObject = Record<string, JsonValue>;

/** The innermost open container is in `array` or `object`; the outer ones wait on the stacks. */
export interface Nesting {
  depth: number;
  array: JsonValue[] | undefined;
  object: OpenObject;
  /** Of the innermost object, the key whose value comes next; undefined while the key itself is read. */
  key: string | undefined;
  readonly outer: (JsonValue[] | OpenObject)[];
  readonly outerKeys: (string | undefined)[];
}

export function open(nesting: Nesting, isArray: boolean): void {
  if (nesting.depth > 0) {
    nesting.outer.push(nesting.array ?? nesting.object);
    nesting.outerKeys.push(nesting.key);
  }
  nesting.depth += 1;
  nesting.array = isArray ? [] : undefined;
  if (!isArray) nesting.object = {};
}

export function close(nesting: Nesting): JsonValue {
  const closed = nesting.array ?? nesting.object;
  const container = nesting.outer.pop();
  nesting.depth -= 1;
  nesting.key = nesting.outerKeys.pop();
  nesting.array = Array.isArray(container) ? container : undefined;
  if (container !== undefined && !Array.isArray(container)) nesting.object = container;
  return closed;
}

export function put(nesting: Nesting, value: JsonValue): void {
  const { array, key } = nesting;
  if (array !== undefined) array.push(value);
  else if (key === '__proto__') defineOwn(nesting.object, key, value);
  else if (key !== undefined) nesting.object[key] = value;
}

/** `__proto__` becomes an own key like any other; plain assignment would set the prototype instead. */
function defineOwn(object: OpenObject, key: string, value: JsonValue): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Steps from the outermost container to the value that is being read. */
export function pathOf(nesting: Nesting): (string | number)[] {
  if (nesting.depth === 0) return [];
  const { array, object, outer } = nesting;
  const keys = [...nesting.outerKeys, nesting.key];
  const steps = [...outer, array ?? object].map((container, level) => (Array.isArray(container) ? container.length : keys[level]));
  return steps.filter((step) => step !== undefined);
}
