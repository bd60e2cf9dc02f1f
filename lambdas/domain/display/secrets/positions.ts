/**
 * Secrets by their place among others: `{"name": "DB_PASSWORD", "value": …}` lists of variables and headers,
 * `["password", …]` pairs, and the members of a Kubernetes Secret.
 */
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { judgeName } from './names.ts';

const nameSlots = new Set(['name', 'key', 'header', 'field', 'variable', 'param', 'parameter', 'parametername', 'env', 'property', 'attribute', 'option', 'label', 'id']);
export const valueSlots: ReadonlySet<string> = new Set(['value', 'values', 'content', 'default', 'val', 'data', 'string_value', 'stringvalue', 'parametervalue', 'secretstring']);

export function announcesName(key: string): boolean {
  return nameSlots.has(key.toLowerCase());
}

const longestName = 256;
const notInNames = /["'<>{}=;\n]| bytes cut⟩/;
const none: ReadonlySet<string> = new Set();
const secretData: ReadonlySet<string> = new Set(['data', 'stringData']);

export function isValueSlot(key: string): boolean {
  return valueSlots.has(key.toLowerCase());
}

/** Whether this member says that a value beside it is a secret. */
export function namesSecret(key: string, value: JsonValue | undefined): boolean {
  return typeof value === 'string' && announcesName(key) && isSecretName(value);
}

/** The members of this object that hold a secret because a neighbour says so. */
export function slotsHiddenIn(object: JsonObject, keys: readonly string[]): ReadonlySet<string> {
  return keys.some((key) => namesSecret(key, object[key])) ? new Set(keys.filter(isValueSlot)) : none;
}

/** Members whose every leaf is hidden, with names and structure left in sight. */
export function leavesHiddenIn(object: JsonObject): ReadonlySet<string> {
  return Object.hasOwn(object, 'kind') && (object.kind === 'Secret' || object.kind === 'SecretList') ? secretData : none;
}

export function isNamedPair(items: readonly JsonValue[]): boolean {
  const [name] = items;
  return items.length === 2 && typeof name === 'string' && isSecretName(name);
}

/** Text is no name, nor is what is left of a name that was cut. */
export function isSecretName(name: string): boolean {
  return name.length <= longestName && !notInNames.test(name) && judgeName(name) === 'secret';
}
