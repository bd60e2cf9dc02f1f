/**
 * How the bytes of a display are shared out: each child may take an equal part of what is left, and a small one leaves
 * the rest to those after it. A container gets enough to be read, so that few records are shown well and not many badly.
 */
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { displayBounds } from './display-bounds.ts';
import { keysOf } from './walk-state.ts';
import type { Spot, Walk } from './walk-state.ts';

/** Any scalar or mark fits in 40 bytes. */
const smallest = { value: 40, container: 200 } as const;
/** A mark for what is left out, with its member name. */
const markRoom = 72;

export interface NextChild {
  readonly item: JsonValue;
  /** Children that still want a share, this one included. */
  readonly left: number;
  /** Children that would be left out if this were the last one shown. */
  readonly more: number;
  /** Bytes of its name and punctuation. */
  readonly name: number;
}

export function mayCollapse(walk: Walk, spot: Spot): boolean {
  return walk.mode === 'sharing' && spot.room < markRoom + smallest.value;
}

/**
 * The least that a value takes once shown, as far as its sizes tell: exact enough to spare a projection that fits from
 * being cut again, and cheap enough to spare a large document a first walk in vain.
 */
export function leastBytes(walk: Walk, value: JsonValue, level: number, limit: number): number {
  if (typeof value === 'string') return Math.min(value.length, displayBounds.string_bytes) + 2;
  if (value === null || typeof value !== 'object' || level > displayBounds.levels) return 1;
  const keys = Array.isArray(value) ? undefined : keysOf(walk, value as JsonObject);
  const count = Math.min(keys?.length ?? (value as readonly JsonValue[]).length, displayBounds.members - 1);
  let bytes = 2;
  for (let index = 0; index < count && bytes <= limit; index += 1) {
    const key = keys?.[index];
    const item = key === undefined ? (value as readonly JsonValue[])[index] : (value as JsonObject)[key];
    bytes += (key === undefined ? 0 : Math.min(key.length, displayBounds.name_bytes) + 3) + leastBytes(walk, item ?? null, level + 1, limit - bytes) + (index === 0 ? 0 : 1);
  }
  return bytes;
}

/** The room of the next child, or undefined if the collection has to end before it. */
export function roomFor(walk: Walk, spot: Spot, start: number, next: NextChild): number | undefined {
  if (walk.mode === 'whole') return walk.spent > displayBounds.bytes ? undefined : displayBounds.bytes;
  const free = spot.room - (walk.spent - start) - (next.more > 0 ? markRoom : 0);
  const fixed = next.name + 1;
  if (free - fixed < smallest.value) return undefined;
  const least = next.item !== null && typeof next.item === 'object' ? smallest.container : smallest.value;
  return Math.min(free - fixed, Math.max(least, Math.floor(free / next.left) - fixed));
}
