/**
 * The redacted, bounded projection of the arguments that people see (DESIGN 8).
 * Pure and idempotent: redaction comes before cutting, and everything hidden or cut is marked where it stood and counted.
 * Give it the value read from the canonical arguments: members are shown in the order in which the value holds them.
 */
import type { JsonValue } from '../json/json-value.ts';
import { startOfRules } from './display-rules.ts';
import type { DisplayRules, RulePlace } from './display-rules.ts';
import { projectNode } from './display-walk.ts';
import { displayBounds } from './display-bounds.ts';
import { unshowableMark } from './marks.ts';
import { leastBytes } from './room.ts';
import { startWalk } from './walk-state.ts';
import type { Walk } from './walk-state.ts';

export type { DisplayRules } from './display-rules.ts';
export { displayBounds } from './display-bounds.ts';

const mostPasses = 5;

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
 * The projection of a projection is the projection: where words are judged by others that are shown otherwise than they
 * are, it is projected again until nothing changes, and what does not settle is not shown.
 */
export function projectDisplay(value: JsonValue, rules: DisplayRules = {}): DisplayProjection {
  const place = startOfRules(rules);
  let shown = projectOnce(value, place, rules);
  for (let pass = 1; shown.unsettled; pass += 1) {
    if (pass === mostPasses) return cannotBeShown;
    const again = projectOnce(shown.display, place, rules);
    const settled = JSON.stringify(again.display) === JSON.stringify(shown.display);
    shown = { display: again.display, redaction: together(shown.redaction, again.redaction), unsettled: !settled };
  }
  return { display: shown.display, redaction: shown.redaction };
}

interface Projected extends DisplayProjection {
  readonly unsettled: boolean;
}

/** First as if everything fitted; only if it does not, a second walk shares the room out. What fits is never cut. */
function projectOnce(value: JsonValue, place: RulePlace, rules: DisplayRules): Projected {
  const whole = startWalk('whole');
  if (leastBytes(whole, value, 1, displayBounds.bytes) <= displayBounds.bytes) {
    const display = projectNode(whole, value, { place, level: 1, room: displayBounds.bytes });
    if (whole.spent <= displayBounds.bytes) return projected(whole, display, rules);
  }
  const shared = startWalk('sharing', whole);
  const bounded = projectNode(shared, value, { place, level: 1, room: displayBounds.bytes });
  return shared.spent <= displayBounds.bytes ? projected(shared, bounded, rules) : { ...cannotBeShown, unsettled: false };
}

const cannotBeShown: DisplayProjection = {
  display: unshowableMark,
  redaction: { redacted: true, truncated: true, hidden_values: 1, hidden_members: 0, cut_bytes: 0, full_view_required: true },
};

function projected(walk: Walk, display: JsonValue, rules: DisplayRules): Projected {
  const { hidden_values, hidden_members, cut_bytes } = walk;
  const truncated = hidden_members > 0 || cut_bytes > 0 || walk.unshowable;
  const full_view_required = walk.critical_cut || walk.unshowable || (truncated && rules.full_view_when_cut === true);
  return { display, redaction: { redacted: hidden_values > 0, truncated, hidden_values, hidden_members, cut_bytes, full_view_required }, unsettled: walk.unsettled };
}

function together(first: Redaction, second: Redaction): Redaction {
  return {
    redacted: first.redacted || second.redacted,
    truncated: first.truncated || second.truncated,
    hidden_values: first.hidden_values + second.hidden_values,
    hidden_members: first.hidden_members + second.hidden_members,
    cut_bytes: first.cut_bytes + second.cut_bytes,
    full_view_required: first.full_view_required || second.full_view_required,
  };
}
