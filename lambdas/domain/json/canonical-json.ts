// The canonical form of a value: RFC 8785 (JCS) exactly. The same value gives the same text on every machine.
// What is not plain JSON is refused with its path, never dropped, replaced or asked for its toJSON:
// a value that is hashed differently from how it is shown or run would void every approval.

import { pointerTo } from './json-refusal.ts';
import type { JsonValue } from './json-value.ts';

/** Above what the strict reader lets in; bounds the recursion, and so finds cycles. */
const MAX_DEPTH = 256;

/** @throws TypeError naming the path (RFC 6901) of what is not plain JSON. */
export function canonicalJson(value: JsonValue): string {
  return write(value, []);
}

function write(value: unknown, path: (string | number)[]): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return writeString(value, path);
  if (typeof value === 'number') return writeNumber(value, path);
  if (typeof value !== 'object') throw notJson(path, `a ${typeof value}`);
  if (path.length >= MAX_DEPTH) throw notJson(path, 'nested too deeply or in a circle');
  return Array.isArray(value) ? writeArray(value, path) : writeObject(value, path);
}

function writeString(value: string, path: readonly (string | number)[]): string {
  if (!value.isWellFormed()) throw notJson(path, 'a string with half of a surrogate pair');
  return JSON.stringify(value);
}

function writeNumber(value: number, path: readonly (string | number)[]): string {
  if (!Number.isFinite(value)) throw notJson(path, String(value));
  return String(value);
}

function writeArray(value: readonly unknown[], path: (string | number)[]): string {
  if (Object.getPrototypeOf(value) !== Array.prototype) throw notJson(path, 'an array of another class');
  if (Reflect.ownKeys(value).length !== value.length + 1) throw notJson(path, 'an array with holes or further properties');
  const parts: string[] = [];
  for (let index = 0; index < value.length; index += 1) {
    path.push(index);
    parts.push(write(value[index], path));
    path.pop();
  }
  return `[${parts.join(',')}]`;
}

function writeObject(value: object, path: (string | number)[]): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw notJson(path, 'not a plain object');
  const keys = Object.keys(value);
  if (Reflect.ownKeys(value).length !== keys.length) throw notJson(path, 'an object with symbol or hidden properties');
  const parts: string[] = [];
  for (const key of keys.sort()) {
    path.push(key);
    parts.push(`${writeString(key, path)}:${write(ownData(value, key, path), path)}`);
    path.pop();
  }
  return `{${parts.join(',')}}`;
}

/** A getter could answer differently each time, so that what is hashed is not what runs. */
function ownData(value: object, key: string, path: readonly (string | number)[]): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(value, key);
  if (descriptor === undefined || !('value' in descriptor)) throw notJson(path, 'a computed property');
  return descriptor.value;
}

function notJson(path: readonly (string | number)[], what: string): TypeError {
  return new TypeError(`Not plain JSON at "${pointerTo(path)}": ${what}`);
}
