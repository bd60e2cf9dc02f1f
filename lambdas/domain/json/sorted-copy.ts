// Copies a value so that the native serialiser meets the members of every object in RFC 8785 order.
// Where a JavaScript object cannot hold that order (keys that look like array indexes, `__proto__`), or not fast
// (very many keys), its text is written here instead, and that of what encloses it.
// Each member is read once, into the copy that is checked and serialised: no getter can answer twice.

import type { JsonValue } from './json-value.ts';
import { isPlainArray, isPlainObject, MAX_PLAIN_DEPTH } from './plain-json.ts';

/** Canonical text, where no copy would do. */
export class Written {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Arranged = JsonValue | Written;

/** undefined: something in it is not plain JSON. */
export function arrange(value: unknown, depth: number): Arranged | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? value : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'object' || depth >= MAX_PLAIN_DEPTH) return undefined;
  return Array.isArray(value) ? arrangeArray(value, depth) : arrangeObject(value, depth);
}

function arrangeArray(value: readonly unknown[], depth: number): Arranged | undefined {
  if (!isPlainArray(value)) return undefined;
  const copy = [...value] as Arranged[];
  let written = false;
  for (let index = 0; index < copy.length; index += 1) {
    const item = arrange(copy[index], depth + 1);
    if (item === undefined) return undefined;
    copy[index] = item;
    written ||= item instanceof Written;
  }
  return written ? new Written(`[${copy.map(textOf).join(',')}]`) : (copy as JsonValue[]);
}

function arrangeObject(value: object, depth: number): Arranged | undefined {
  if (!isPlainObject(value)) return undefined;
  const { sorted, copyable } = orderOf(Object.keys(value), depth);
  const members = value as Readonly<Record<string, unknown>>;
  return copyable ? copyObject(members, sorted, depth) : writeObject(members, sorted, depth);
}

function copyObject(value: Readonly<Record<string, unknown>>, sorted: readonly string[], depth: number): Arranged | undefined {
  const copy: Record<string, Arranged> = {};
  let written = false;
  for (const key of sorted) {
    const member = arrange(value[key], depth + 1);
    if (member === undefined) return undefined;
    copy[key] = member;
    written ||= member instanceof Written;
  }
  if (!written) return copy as Record<string, JsonValue>;
  return new Written(`{${Object.entries(copy).map(([key, member]) => `${textOf(key)}:${textOf(member)}`).join(',')}}`);
}

function writeObject(value: Readonly<Record<string, unknown>>, sorted: readonly string[], depth: number): Written | undefined {
  let text = '';
  for (const key of sorted) {
    const member = arrange(value[key], depth + 1);
    if (member === undefined || !key.isWellFormed()) return undefined;
    text += `${text === '' ? '{' : ','}${textOf(key)}:${textOf(member)}`;
  }
  return new Written(`${text}}`);
}

const UNESCAPED = /^[\x20!#-[\]-~]*$/;

/** For short strings and numbers the native serialiser takes longer to start than to write. */
function textOf(value: Arranged): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string' && value.length < 64 && UNESCAPED.test(value)) return `"${value}"`;
  return value instanceof Written ? value.text : JSON.stringify(value);
}

interface KeyOrder {
  readonly keys: readonly string[];
  /** In UTF-16 code unit order. */
  readonly sorted: readonly string[];
  /** Whether an object filled in that order also lists its keys in that order, and cheaply. */
  readonly copyable: boolean;
}

/** Beyond this a copy, which V8 keeps as a hash table, costs more than writing the members one by one. */
const MAX_COPYABLE_KEYS = 64;
const MAX_COPYABLE_KEY_LENGTH = 256;

/**
 * The last order at each depth: siblings, and calls of the same tool, have the same keys. Speed only, never the result;
 * the bounds above keep it small, and it holds no values.
 */
const lastOrders: (KeyOrder | undefined)[] = [];

function orderOf(keys: readonly string[], depth: number): KeyOrder {
  const last = lastOrders[depth];
  if (last !== undefined && isSameList(last.keys, keys)) return last;
  const order = { keys, sorted: keys.toSorted(), copyable: keys.length <= MAX_COPYABLE_KEYS && keys.every(isCopyable) };
  if (order.copyable) lastOrders[depth] = order;
  return order;
}

/** Keys like `10` are listed before all others whatever the order of filling; `__proto__` would set the prototype. */
function isCopyable(key: string): boolean {
  const first = key.charCodeAt(0);
  return !(first >= 0x30 && first <= 0x39) && key !== '__proto__' && key.length <= MAX_COPYABLE_KEY_LENGTH && key.isWellFormed();
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) {
    if (one[index] !== other[index]) return false;
  }
  return true;
}
