/**
 * Walks a value and shows it within the bounds; the rules of what is hidden meet the rules of what fits here.
 * Depth is bounded by the display's levels, so the recursion is too.
 */
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { displayBounds } from './display-bounds.ts';
import { cutsCriticalItem, isHiddenByRule, stepInto, touchesCritical } from './display-rules.ts';
import type { RulePlace } from './display-rules.ts';
import { cutMember, hiddenMark, moreMark, unshowableMark } from './marks.ts';
import { mayCollapse, roomFor } from './room.ts';
import { secretInWord, startCommand } from './secrets/commands.ts';
import { schemeOf } from './secrets/headers.ts';
import { hidesUnder } from './secrets/names.ts';
import { isNamedPair, isSecretName, leavesHiddenIn } from './secrets/positions.ts';
import { replaceSpans } from './secrets/spans.ts';
import type { Span } from './secrets/spans.ts';
import { fitText } from './show-text.ts';
import { collapse, hide, keysOf, noteCut, omit, seenName, seenOnce, spendText } from './walk-state.ts';
import type { SeenName, Spot, Walk } from './walk-state.ts';

const mostMembersWithNames = 64;

type Members = Record<string, JsonValue>;

export function projectNode(walk: Walk, value: JsonValue, spot: Spot): JsonValue {
  const isContainer = value !== null && typeof value === 'object';
  if (isHiddenByRule(spot.place, isContainer) || (spot.hides_leaves === true && !isContainer && value !== null)) return hide(walk, value);
  if (typeof value === 'string') return showString(walk, value, spot);
  if (!isContainer) {
    walk.spent += String(value).length;
    return value;
  }
  if (spot.level > displayBounds.levels || mayCollapse(walk, spot)) return collapse(walk, value, touchesCritical(spot.place));
  return Array.isArray(value) ? showArray(walk, value as readonly JsonValue[], spot) : showObject(walk, value as JsonObject, spot);
}

function showString(walk: Walk, text: string, spot: Spot): string {
  const seen = seenOnce(walk, text, spot);
  if (seen === undefined) {
    walk.unshowable = true;
    walk.hidden_values += 1;
    return spendText(walk, unshowableMark);
  }
  const room = walk.mode === 'whole' ? displayBounds.string_bytes : Math.min(displayBounds.string_bytes, spot.room - 2);
  const shown = fitText(seen, text, room, spot.name);
  walk.hidden_values += shown.hidden;
  walk.cut_bytes += shown.cut_bytes;
  if (shown.text !== text) {
    // It was read again, to be sure that a second projection changes nothing.
    walk.work += 3 * shown.text.length;
    if (spot.judges === true) walk.unsettled = true;
  }
  if (shown.text === unshowableMark && text !== unshowableMark) walk.unshowable = true;
  if (shown.cut_bytes > 0) noteCut(walk, touchesCritical(spot.place));
  return spendText(walk, shown.text);
}

function showArray(walk: Walk, items: readonly JsonValue[], spot: Spot): JsonValue {
  const start = walk.spent;
  walk.spent += 2;
  const pair = isNamedPair(items);
  const command = startCommand();
  const most = items.length > displayBounds.members ? displayBounds.members - 1 : items.length;
  const shown: JsonValue[] = [];
  for (let index = 0; index < most; index += 1) {
    const item = items[index] ?? null;
    const room = roomFor(walk, spot, start, { item, left: most - index, more: items.length - index - 1, name: 0 });
    if (room === undefined) break;
    walk.spent += index === 0 ? 0 : 1;
    const expected = command.expected !== undefined;
    const word = typeof item === 'string' ? secretInWord(command, item, false) : undefined;
    const judges = items.length === 2 || expected || word !== undefined || command.expected !== undefined || command.program !== '';
    const inner = { place: stepInto(spot.place, String(index)), level: spot.level + 1, room, name: spot.name, owner: items, index, hides_leaves: spot.hides_leaves === true, judges };
    if (pair && index === 1) shown.push(hide(walk, item));
    else shown.push(word === undefined || typeof item !== 'string' ? projectNode(walk, item, inner) : showWord(walk, item, word, inner));
  }
  const rest = items.length - shown.length;
  if (rest === 0) return shown;
  walk.spent += 1;
  return [...shown, omit(walk, moreMark(rest, 'items'), rest, cutsCriticalItem(spot.place, shown.length))];
}

/** An argument of a command, of which a part is a secret by its position. */
function showWord(walk: Walk, item: string, span: Span, spot: Spot): JsonValue {
  if (isHiddenByRule(spot.place, false) || spot.hides_leaves === true) return hide(walk, item);
  const replaced = replaceSpans(item, [span]);
  if (replaced.text !== item) walk.unsettled = true;
  walk.hidden_values += replaced.hidden;
  return showString(walk, replaced.text, spot);
}

function showObject(walk: Walk, object: JsonObject, spot: Spot): JsonValue {
  const start = walk.spent;
  walk.spent += 2;
  const keys = orderedKeys(keysOf(walk, object), spot.place);
  const most = keys.length > displayBounds.members ? displayBounds.members - 1 : keys.length;
  const hidesSlots = keys.length <= mostMembersWithNames && keys.some((key) => typeof object[key] === 'string' && seenName(walk, key).announces && isSecretName(object[key]));
  const leaves = leavesHiddenIn(object);
  const shown: Members = {};
  let count = 0;
  for (; count < most; count += 1) {
    const key = keys[count] ?? '';
    const value = object[key] ?? null;
    const place = stepInto(spot.place, key);
    const name = seenName(walk, key);
    const label = unused(shown, name.text);
    const nameRoom = name.bytes + 4 + 3 * (label.length - name.text.length);
    const room = roomFor(walk, spot, start, { item: value, left: touchesCritical(place) ? 1 : most - count, more: keys.length - count - 1, name: nameRoom });
    if (room === undefined) break;
    walk.spent += count === 0 ? nameRoom - 1 : nameRoom;
    noteName(walk, name, touchesCritical(place));
    const inner = { place, level: spot.level + 1, room, name: key, owner: object, index: count, hides_leaves: spot.hides_leaves === true || leaves.has(key), judges: name.announces };
    setOwn(shown, label, (hidesSlots && name.is_value_slot) || hidesUnder(key, value, name.judgement) ? hideNamed(walk, key, value) : projectNode(walk, value, inner));
  }
  if (count < keys.length) showRest(walk, shown, keys.length - count, touchesCritical(stepInto(spot.place, keys[count] ?? '')));
  return shown;
}

function showRest(walk: Walk, shown: Members, rest: number, critical: boolean): void {
  walk.spent += 2;
  setOwn(shown, unused(shown, omit(walk, moreMark(rest, 'members'), rest, critical)), spendText(walk, cutMember));
}

/** Defined, not assigned: `__proto__` is a key like any other. */
function setOwn(shown: Members, name: string, value: JsonValue): void {
  if (name !== '__proto__') shown[name] = value;
  else Object.defineProperty(shown, name, { value, enumerable: true, configurable: true, writable: true });
}

function orderedKeys(keys: readonly string[], place: RulePlace): readonly string[] {
  if (place.critical || !touchesCritical(place)) return keys;
  const isCritical = (key: string): boolean => touchesCritical(stepInto(place, key));
  return [...keys.filter(isCritical), ...keys.filter((key) => !isCritical(key))];
}

function noteName(walk: Walk, name: SeenName, critical: boolean): void {
  walk.hidden_values += name.hidden;
  walk.cut_bytes += name.cut_bytes;
  if (name.cut_bytes > 0) noteCut(walk, critical);
}

/** Two names may look the same once shown; both stay. */
function unused(taken: Members, name: string): string {
  let candidate = name;
  for (let number = 2; Object.hasOwn(taken, candidate); number += 1) candidate = `${name}⟨${number}⟩`;
  return candidate;
}

/** The scheme of an Authorization value stays in sight. */
function hideNamed(walk: Walk, name: string, value: JsonValue): JsonValue {
  const scheme = typeof value === 'string' && /authorization$/i.test(name) ? schemeOf(value) : undefined;
  if (scheme === undefined) return hide(walk, value);
  walk.hidden_values += 1;
  return spendText(walk, `${scheme} ${hiddenMark}`);
}
