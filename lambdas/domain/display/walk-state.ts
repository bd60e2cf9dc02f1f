/**
 * What a walk over the arguments keeps: bytes spent, what was hidden and cut, and what it has read already.
 * Both walks of a projection share what was read, so that a string is searched for secrets once.
 */
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { jsonBytes } from './cut-text.ts';
import { displayBounds } from './display-bounds.ts';
import type { RulePlace } from './display-rules.ts';
import { collectionMark, hiddenMark, isMark } from './marks.ts';
import { announcesName, isValueSlot } from './secrets/positions.ts';
import { judgeName } from './secrets/names.ts';
import type { NameJudgement } from './secrets/names.ts';
import { fitText, seeText } from './show-text.ts';
import type { SeenText, ShownText } from './show-text.ts';

/** A string of less room is seen through narrower windows: what is shown of it ends earlier. */
const roomyBytes = 180;
/** The number that tells two names apart which look alike; it comes on top of the bound for names. */
const numbered = /⟨\d{1,2}⟩$/;
const numberBytes = 8;

export interface Walk {
  /** `whole` stops once the bound is exceeded; `sharing` keeps each node to its room. */
  readonly mode: 'whole' | 'sharing';
  readonly seen: Map<object, (SeenText | undefined)[]>;
  readonly names: Map<string, SeenName>;
  readonly keys: Map<object, readonly string[]>;
  work: number;
  spent: number;
  hidden_values: number;
  hidden_members: number;
  cut_bytes: number;
  critical_cut: boolean;
  unshowable: boolean;
  /** A word by which others are judged is shown otherwise than it is, so a second projection may judge otherwise. */
  unsettled: boolean;
}

export interface SeenName extends ShownText {
  readonly bytes: number;
  readonly judgement: NameJudgement;
  readonly announces: boolean;
  readonly is_value_slot: boolean;
}

export interface Spot {
  readonly place: RulePlace;
  readonly level: number;
  /** Bytes that the node may take; only the sharing mode keeps to it. */
  readonly room: number;
  readonly name?: string | undefined;
  readonly owner?: object;
  readonly index?: number;
  readonly hides_leaves?: boolean;
  /** Its neighbours are judged by it: an item of a list, or a member that names another. */
  readonly judges?: boolean;
}

export function startWalk(mode: Walk['mode'], earlier?: Walk): Walk {
  const seen = earlier?.seen ?? new Map<object, (SeenText | undefined)[]>();
  const names = earlier?.names ?? new Map<string, SeenName>();
  const keys = earlier?.keys ?? new Map<object, readonly string[]>();
  return { mode, seen, names, keys, work: earlier?.work ?? 0, spent: 0, hidden_values: 0, hidden_members: 0, cut_bytes: 0, critical_cut: false, unshowable: false, unsettled: false };
}

/** Listing the keys of a large object is the one cost that grows with it, so it is paid once. */
export function keysOf(walk: Walk, object: JsonObject): readonly string[] {
  const known = walk.keys.get(object);
  if (known !== undefined) return known;
  const keys = Object.keys(object);
  walk.keys.set(object, keys);
  return keys;
}

/** Undefined when the work budget is used up. */
export function seenOnce(walk: Walk, text: string, spot: Spot): SeenText | undefined {
  const row = spot.owner === undefined ? undefined : walk.seen.get(spot.owner);
  const known = row?.[spot.index ?? 0];
  if (known !== undefined) return known;
  if (walk.work > displayBounds.work) return undefined;
  const seen = seeText(text, spot.name, spot.room < roomyBytes ? 'narrow' : 'wide');
  walk.work += seen.work;
  if (spot.owner === undefined) return seen;
  if (row === undefined) walk.seen.set(spot.owner, sparse(spot.index ?? 0, seen));
  else row[spot.index ?? 0] = seen;
  return seen;
}

/** A name is judged as it is and as it is shown, since the end of a cut name may read as another. */
export function seenName(walk: Walk, key: string): SeenName {
  const known = walk.names.get(key);
  if (known !== undefined) return known;
  const seen = seeText(key);
  const shown = fitText(seen, key, displayBounds.name_bytes + (numbered.test(key) ? numberBytes : 0));
  walk.work += seen.work;
  const name = { ...shown, bytes: jsonBytes(shown.text), judgement: judgeName(key) ?? (shown.text === key ? undefined : judgeName(shown.text)), announces: announcesName(key), is_value_slot: isValueSlot(key) };
  walk.names.set(key, name);
  return name;
}

/** What is a mark already stays what it is and hides nothing. */
export function hide(walk: Walk, value: JsonValue): string {
  if (typeof value === 'string' && isMark(value)) return spendText(walk, value);
  walk.hidden_values += 1;
  return spendText(walk, hiddenMark);
}

/** A container shown as its size only. */
export function collapse(walk: Walk, value: object, critical: boolean): string {
  const count = Array.isArray(value) ? value.length : Object.keys(value).length;
  walk.hidden_members += count;
  noteCut(walk, critical);
  return spendText(walk, collectionMark(count, Array.isArray(value) ? 'array' : 'object'));
}

export function omit(walk: Walk, mark: string, count: number, critical: boolean): string {
  walk.hidden_members += count;
  noteCut(walk, critical);
  return spendText(walk, mark);
}

export function noteCut(walk: Walk, critical: boolean): void {
  if (critical) walk.critical_cut = true;
}

export function spendText(walk: Walk, text: string): string {
  walk.spent += jsonBytes(text) + 2;
  return text;
}

function sparse(index: number, seen: SeenText): (SeenText | undefined)[] {
  const row: (SeenText | undefined)[] = [];
  row[index] = seen;
  return row;
}
