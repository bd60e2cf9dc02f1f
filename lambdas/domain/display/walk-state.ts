/**
 * What a walk over the arguments keeps: bytes spent, what was hidden and cut, and what it has read already.
 * Both walks of a projection share what was read, so that a string is searched for secrets once.
 */
import type { JsonValue } from '../json/json-value.ts';
import { jsonBytes } from './cut-text.ts';
import { displayBounds } from './display-bounds.ts';
import type { RulePlace } from './display-rules.ts';
import { collectionMark, hiddenMark, isMark } from './marks.ts';
import { announcesName, isValueSlot } from './secrets/positions.ts';
import { judgeName } from './secrets/names.ts';
import type { NameJudgement } from './secrets/names.ts';
import { fitText, seeText } from './show-text.ts';
import type { SeenText, ShownText } from './show-text.ts';

export interface Walk {
  /** `whole` stops once the bound is exceeded; `sharing` keeps each node to its room. */
  readonly mode: 'whole' | 'sharing';
  readonly seen: Map<object, (SeenText | undefined)[]>;
  readonly names: Map<string, SeenName>;
  work: number;
  spent: number;
  hidden_values: number;
  hidden_members: number;
  cut_bytes: number;
  critical_cut: boolean;
  unshowable: boolean;
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
}

export function startWalk(mode: Walk['mode'], earlier?: Walk): Walk {
  const seen = earlier?.seen ?? new Map<object, (SeenText | undefined)[]>();
  const names = earlier?.names ?? new Map<string, SeenName>();
  return { mode, seen, names, work: earlier?.work ?? 0, spent: 0, hidden_values: 0, hidden_members: 0, cut_bytes: 0, critical_cut: false, unshowable: false };
}

/** Undefined when the work budget is used up. */
export function seenOnce(walk: Walk, text: string, spot: Spot): SeenText | undefined {
  const row = spot.owner === undefined ? undefined : walk.seen.get(spot.owner);
  const known = row?.[spot.index ?? 0];
  if (known !== undefined) return known;
  if (walk.work > displayBounds.work) return undefined;
  const seen = seeText(text, spot.name);
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
  const shown = fitText(seen, key, displayBounds.name_bytes);
  walk.work += seen.work;
  const name = { ...shown, bytes: jsonBytes(shown.text), judgement: judgeName(key) ?? (shown.text === key ? undefined : judgeName(shown.text)), announces: announcesName(key), is_value_slot: isValueSlot(key) };
  walk.names.set(key, name);
  return name;
}

/** A mark that stands for something else stays what it is. */
export function hide(walk: Walk, value: JsonValue): string {
  walk.hidden_values += 1;
  return spendText(walk, typeof value === 'string' && isMark(value) ? value : hiddenMark);
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
