/**
 * The redacted, bounded projection of the arguments that people see (DESIGN 8).
 * Pure and idempotent: redaction comes before cutting, and everything hidden or cut is marked where it stood and counted.
 */
import { Buffer } from 'node:buffer';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { isUnder, leadsTo, memberPointer } from './display-rules.ts';
import type { DisplayRules } from './display-rules.ts';
import { hidden, redactText } from './redact-text.ts';
import { hidesUnderName } from './sensitive-names.ts';
import { cutText, visibleText } from './visible-text.ts';

export type { DisplayRules } from './display-rules.ts';

export interface Redaction {
  readonly redacted: boolean;
  readonly truncated: boolean;
  readonly hidden_values: number;
  readonly hidden_members: number;
  readonly cut_bytes: number;
  readonly full_view_required: boolean;
}

export interface DisplayProjection {
  readonly display: JsonValue;
  readonly redaction: Redaction;
}

export const displayBounds = { bytes: 4096, string_bytes: 256, members: 32, levels: 6 } as const;

interface Walk {
  readonly rules: DisplayRules;
  /** With marks reserved, a collection may end early; without, the walk gives up when the whole does not fit. */
  readonly cutting: boolean;
  left: number;
  hidden_values: number;
  hidden_members: number;
  cut_bytes: number;
  critical_cut: boolean;
}

const markReserve = 48;

export function projectDisplay(value: JsonValue, rules: DisplayRules = {}): DisplayProjection {
  return attempt(value, rules, false) ?? attempt(value, rules, true) ?? cannotBeShown();
}

function attempt(value: JsonValue, rules: DisplayRules, cutting: boolean): DisplayProjection | undefined {
  const walk: Walk = { rules, cutting, left: displayBounds.bytes, hidden_values: 0, hidden_members: 0, cut_bytes: 0, critical_cut: false };
  const display = project(walk, value, '', 1);
  if (Buffer.byteLength(JSON.stringify(display)) > displayBounds.bytes) return undefined;
  const { hidden_values, hidden_members, cut_bytes } = walk;
  const truncated = hidden_members > 0 || cut_bytes > 0;
  const full_view_required = walk.critical_cut || (truncated && rules.full_view_when_cut === true);
  return { display, redaction: { redacted: hidden_values > 0, truncated, hidden_values, hidden_members, cut_bytes, full_view_required } };
}

function cannotBeShown(): DisplayProjection {
  return {
    display: '⟨cannot be shown⟩',
    redaction: { redacted: true, truncated: true, hidden_values: 1, hidden_members: 0, cut_bytes: 0, full_view_required: true },
  };
}

function project(walk: Walk, value: JsonValue, pointer: string, level: number): JsonValue {
  const { rules } = walk;
  if (isUnder(rules.always_hidden, pointer)) return hide(walk);
  if (rules.allow_only !== undefined && !isUnder(rules.allow_only, pointer) && !leadsTo(rules.allow_only, pointer)) return hide(walk);
  if (typeof value === 'string') return spend(walk, projectString(walk, value, pointer));
  if (value === null || typeof value !== 'object') return spend(walk, value);
  if (level > displayBounds.levels) return spend(walk, depthMark(walk, value, pointer));
  return Array.isArray(value) ? projectArray(walk, value as readonly JsonValue[], pointer, level) : projectObject(walk, value as JsonObject, pointer, level);
}

function projectString(walk: Walk, text: string, pointer: string): string {
  const redacted = redactText(visibleText(text));
  walk.hidden_values += redacted.hidden;
  return cut(walk, redacted.text, pointer, displayBounds.string_bytes);
}

function cut(walk: Walk, text: string, pointer: string, bytes: number): string {
  let shown = cutText(text, bytes);
  // JSON escapes (quotes, backslashes) count too: the bound holds for the text as it is written.
  for (let room = bytes; Buffer.byteLength(JSON.stringify(shown)) - 2 > bytes; room -= 16) shown = cutText(text, room);
  if (shown !== text) {
    walk.cut_bytes += Math.max(1, Buffer.byteLength(text) - Buffer.byteLength(shown));
    noteCut(walk, pointer);
  }
  return shown;
}

function projectArray(walk: Walk, items: readonly JsonValue[], pointer: string, level: number): JsonValue {
  const shown: JsonValue[] = [];
  walk.left -= 2;
  const limit = items.length > displayBounds.members ? displayBounds.members - 1 : items.length;
  for (let index = 0; index < limit && !isFull(walk); index += 1) {
    const previous = items[index - 1];
    const item = items[index] ?? null;
    walk.left -= 1;
    const secret = typeof previous === 'string' && (previous.startsWith('-') || items.length === 2) && hidesUnderName(previous, item);
    shown.push(secret ? hide(walk) : project(walk, item, `${pointer}/${index}`, level + 1));
  }
  const rest = items.length - shown.length;
  if (rest > 0) shown.push(omit(walk, rest, pointer));
  return shown;
}

function projectObject(walk: Walk, object: JsonObject, pointer: string, level: number): JsonValue {
  const keys = orderedKeys(walk, object, pointer);
  const shown = new Map<string, JsonValue>();
  walk.left -= 2;
  const limit = keys.length > displayBounds.members ? displayBounds.members - 1 : keys.length;
  for (let index = 0; index < limit && !isFull(walk); index += 1) {
    const key = keys[index] ?? '';
    const value = object[key] ?? null;
    const inner = memberPointer(pointer, key);
    const redactedKey = redactText(visibleText(key));
    walk.hidden_values += redactedKey.hidden;
    const name = unusedName(shown, cut(walk, redactedKey.text, inner, 128));
    walk.left -= Buffer.byteLength(JSON.stringify(name)) + 2;
    shown.set(name, hidesUnderName(key, value) ? hide(walk) : project(walk, value, inner, level + 1));
  }
  const rest = keys.length - shown.size;
  if (rest > 0) shown.set(unusedName(shown, omit(walk, rest, pointer)), '⟨cut⟩');
  // fromEntries defines own members, so `__proto__` is a key like any other.
  return Object.fromEntries(shown);
}

function orderedKeys(walk: Walk, object: JsonObject, pointer: string): readonly string[] {
  const keys = Object.keys(object);
  const isCritical = (key: string): boolean => {
    const inner = memberPointer(pointer, key);
    return leadsTo(walk.rules.critical, inner) || isUnder(walk.rules.critical, inner);
  };
  if (walk.rules.critical === undefined) return keys;
  return [...keys.filter(isCritical), ...keys.filter((key) => !isCritical(key))];
}

function unusedName(taken: ReadonlyMap<string, JsonValue>, name: string): string {
  for (let number = 2; ; number += 1) {
    const candidate = number === 2 ? name : `${name}⟨${number - 1}⟩`;
    if (!taken.has(candidate)) return candidate;
  }
}

function isFull(walk: Walk): boolean {
  if (!walk.cutting) return walk.left < -displayBounds.bytes;
  // Room for one more string, its name and the closing marks of every open collection.
  return walk.left < displayBounds.string_bytes + 160 + displayBounds.levels * (markReserve + 16);
}

function hide(walk: Walk): string {
  walk.hidden_values += 1;
  return spend(walk, hidden);
}

function omit(walk: Walk, count: number, pointer: string): string {
  walk.hidden_members += count;
  noteCut(walk, pointer);
  return spend(walk, `⟨${count} more⟩`);
}

function depthMark(walk: Walk, value: object, pointer: string): string {
  const count = Object.keys(value).length;
  walk.hidden_members += Math.max(1, count);
  noteCut(walk, pointer);
  return Array.isArray(value) ? `⟨array of ${count}⟩` : `⟨object of ${count}⟩`;
}

function noteCut(walk: Walk, pointer: string): void {
  if (leadsTo(walk.rules.critical, pointer) || isUnder(walk.rules.critical, pointer)) walk.critical_cut = true;
}

function spend<Value extends JsonValue>(walk: Walk, value: Value): Value {
  walk.left -= Buffer.byteLength(JSON.stringify(value));
  return value;
}
