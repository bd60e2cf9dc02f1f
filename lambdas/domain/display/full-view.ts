/**
 * All arguments as an approver may read them in full: redacted by the rules of the projection, but never cut.
 * A flat list of rows, so that any part of it can be a page; each row says what kind of value it is, so that a text
 * which looks like a mark of ours is still seen to be text.
 */
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { isHiddenByRule, startOfRules, stepInto } from './display-rules.ts';
import type { DisplayRules, RulePlace } from './display-rules.ts';
import type { FullRow, Placed } from './full-row.ts';
import { hiddenMark, isMark } from './marks.ts';
import { secretInWord, startCommand } from './secrets/commands.ts';
import { schemeOf } from './secrets/headers.ts';
import { hidesUnderName } from './secrets/names.ts';
import { announcesName, isNamedPair, leavesHiddenIn, slotsHiddenIn, valueSlots } from './secrets/positions.ts';
import { redactText } from './secrets/redact-text.ts';
import { replaceSpans } from './secrets/spans.ts';
import { visibleText } from './visible-text.ts';

export interface FullView {
  readonly rows: readonly FullRow[];
  readonly hidden_values: number;
}

interface Walk {
  readonly rows: FullRow[];
  hidden_values: number;
}

interface Spot {
  readonly placed: Placed;
  readonly place: RulePlace;
  /** The name that a value is judged by: items of a list by that of the list. */
  readonly judged_by?: string;
  readonly hides_leaves: boolean;
}

const LONGEST_NAME_BYTES = 256;
/** More neighbours than these are not compared one by one: all that may hold a secret is hidden. */
const MOST_NEIGHBOURS = 64;

/** Give it the value read from the canonical arguments. Nested as deeply as the strict reader lets through. */
export function fullView(value: JsonValue, rules: DisplayRules = {}): FullView {
  const walk: Walk = { rows: [], hidden_values: 0 };
  visit(walk, value, { placed: { level: 0 }, place: startOfRules(rules), hides_leaves: false });
  return walk;
}

function visit(walk: Walk, value: JsonValue, spot: Spot): void {
  if (isHidden(value, spot)) hide(walk, spot.placed, value);
  else if (typeof value === 'string') showText(walk, value, spot);
  else if (typeof value === 'number') walk.rows.push({ ...spot.placed, kind: 'number', text: String(value) });
  else if (typeof value === 'boolean') walk.rows.push({ ...spot.placed, kind: 'boolean', text: String(value) });
  else if (value === null) walk.rows.push({ ...spot.placed, kind: 'null' });
  else if (isList(value)) showList(walk, value, spot);
  else showObject(walk, value, spot);
}

function isHidden(value: JsonValue, { place, hides_leaves }: Spot): boolean {
  const isContainer = value !== null && typeof value === 'object';
  return isHiddenByRule(place, isContainer) || (hides_leaves && !isContainer && value !== null);
}

function showText(walk: Walk, value: string, { placed, judged_by }: Spot): void {
  const redacted = redactText(value, judged_by === undefined ? {} : { name: judged_by });
  walk.hidden_values += redacted.hidden;
  walk.rows.push({ ...placed, kind: 'text', text: visibleText(redacted.text, { keep_newlines: true }) });
}

function showList(walk: Walk, items: readonly JsonValue[], spot: Spot): void {
  walk.rows.push({ ...spot.placed, kind: 'list', size: items.length });
  const pair = isNamedPair(items);
  const command = startCommand();
  for (const [index, value] of items.entries()) {
    const inner = { ...spot, placed: { level: spot.placed.level + 1, item: index + 1 }, place: stepInto(spot.place, String(index)) };
    const secret = typeof value === 'string' ? secretInWord(command, value, false) : undefined;
    if (pair && index === 1) hide(walk, inner.placed, value);
    else if (secret === undefined || typeof value !== 'string' || isHidden(value, inner)) visit(walk, value, inner);
    else {
      const replaced = replaceSpans(value, [secret]);
      walk.hidden_values += replaced.hidden;
      visit(walk, replaced.text, inner);
    }
  }
}

function showObject(walk: Walk, object: JsonObject, spot: Spot): void {
  const keys = Object.keys(object);
  walk.rows.push({ ...spot.placed, kind: 'object', size: keys.length });
  const slots = secretSlots(object, keys);
  const leaves = leavesHiddenIn(object);
  for (const key of keys) {
    const value = object[key] ?? null;
    const placed = named(walk, key, spot.placed.level + 1);
    const scheme = typeof value === 'string' && /authorization$/i.test(key) ? schemeOf(value) : undefined;
    if (!slots.has(key) && !hidesUnderName(key, value)) visit(walk, value, { placed, place: stepInto(spot.place, key), judged_by: key, hides_leaves: spot.hides_leaves || leaves.has(key) });
    else if (scheme === undefined) hide(walk, placed, value);
    else {
      walk.hidden_values += 1;
      walk.rows.push({ ...placed, kind: 'text', text: `${scheme} ${hiddenMark}` });
    }
  }
}

/** As the projection does, but however many members there are: only those that can matter are compared. */
function secretSlots(object: JsonObject, keys: readonly string[]): ReadonlySet<string> {
  const near = keys.filter((key) => announcesName(key) || valueSlots.has(key.toLowerCase()));
  if (near.length <= MOST_NEIGHBOURS) return slotsHiddenIn(object, near);
  return new Set(near.filter((key) => valueSlots.has(key.toLowerCase())));
}

function named(walk: Walk, key: string, level: number): Placed {
  const redacted = redactText(key);
  walk.hidden_values += redacted.hidden;
  const name = visibleText(redacted.text);
  if (Buffer.byteLength(name) <= LONGEST_NAME_BYTES) return { level, name };
  walk.rows.push({ level, kind: 'name', text: name });
  return { level };
}

function hide(walk: Walk, placed: Placed, value: JsonValue): void {
  // What came as a mark hides nothing more, as the projection has it.
  if (typeof value === 'string' && isMark(value)) {
    walk.rows.push({ ...placed, kind: 'text', text: value });
    return;
  }
  walk.hidden_values += 1;
  walk.rows.push({ ...placed, kind: 'hidden' });
}

function isList(value: readonly JsonValue[] | JsonObject): value is readonly JsonValue[] {
  return Array.isArray(value);
}
