/**
 * The redacted, bounded projection of the arguments that people see (DESIGN 8).
 * Pure and idempotent: redaction comes before cutting, and everything hidden or cut is marked where it stood and counted.
 * Give it the value read from the canonical arguments: members are shown in the order in which the value holds them.
 */
import type { JsonValue } from '../json/json-value.ts';
import { startOfRules } from './display-rules.ts';
import type { DisplayRules } from './display-rules.ts';
import { projectNode } from './display-walk.ts';
import { displayBounds } from './display-bounds.ts';
import { unshowableMark } from './marks.ts';
import { startWalk } from './walk-state.ts';
import type { Walk } from './walk-state.ts';

export type { DisplayRules } from './display-rules.ts';
export { displayBounds } from './display-bounds.ts';

export interface Redaction {
  readonly redacted: boolean;
  readonly truncated: boolean;
  /** Values hidden in what was read: an omitted member is counted as omitted and not looked into. */
  readonly hidden_values: number;
  /** Members and items left out, also those of a collection shown as `⟨object of 3⟩`. */
  readonly hidden_members: number;
  /** UTF-8 bytes cut from strings; beyond 64 Ki characters of one string the least that it can be. */
  readonly cut_bytes: number;
  /** A critical field was cut, or a value could not be shown: approving needs the full redacted view. */
  readonly full_view_required: boolean;
}

export interface DisplayProjection {
  readonly display: JsonValue;
  readonly redaction: Redaction;
}

/**
 * First as if everything fitted; only if it does not, a second walk shares the room out.
 * What fits is therefore never cut, which makes the projection of a projection the projection.
 */
export function projectDisplay(value: JsonValue, rules: DisplayRules = {}): DisplayProjection {
  const place = startOfRules(rules);
  const whole = startWalk('whole');
  const display = projectNode(whole, value, { place, level: 1, room: displayBounds.bytes });
  if (whole.spent <= displayBounds.bytes) return projection(whole, display, rules);
  const shared = startWalk('sharing', whole);
  const bounded = projectNode(shared, value, { place, level: 1, room: displayBounds.bytes });
  return shared.spent <= displayBounds.bytes ? projection(shared, bounded, rules) : cannotBeShown;
}

const cannotBeShown: DisplayProjection = {
  display: unshowableMark,
  redaction: { redacted: true, truncated: true, hidden_values: 1, hidden_members: 0, cut_bytes: 0, full_view_required: true },
};

function projection(walk: Walk, display: JsonValue, rules: DisplayRules): DisplayProjection {
  const { hidden_values, hidden_members, cut_bytes } = walk;
  const truncated = hidden_members > 0 || cut_bytes > 0 || walk.unshowable;
  const full_view_required = walk.critical_cut || walk.unshowable || (truncated && rules.full_view_when_cut === true);
  return { display, redaction: { redacted: hidden_values > 0, truncated, hidden_values, hidden_members, cut_bytes, full_view_required } };
}
