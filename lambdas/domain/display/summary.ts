/**
 * One bounded line that says what a call would do, computed by us and never taken from the agent.
 * Mail subjects, Slack fallbacks and inbox rows use it, so it is short and holds no line break.
 */
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { segmentsOf } from './display-rules.ts';
import { projectDisplay } from './project-display.ts';
import type { DisplayRules } from './project-display.ts';
import { boundedText } from './visible-text.ts';

const summaryBytes = 200;
const partBytes = 64;
const longestTemplate = 1000;
const blank = /\{([^{}]{1,128})\}/g;
/** What can be read as more than one value stands in quotes, so that no value can pass for a second field. */
const oneField = /^(?!.*(?:, |: ))[^\s"](?:[^"\n]*[^\s"])?$/;
const oneWord = /^[^\s"]+$/;

/** `refund_payment customer_id: c1, amount: 120, currency: EUR`, at most 200 bytes. */
export function summarise(tool: string, display: JsonValue): string {
  const parts = isObject(display)
    ? Object.entries(display).map(([name, value]) => `${boundedText(name, partBytes)}: ${shortValue(value, oneField)}`)
    : [shortValue(display, oneField)];
  return boundedText(`${boundedText(tool, partBytes)} ${parts.join(', ')}`.trimEnd(), summaryBytes);
}

/**
 * `Refund {amount} {currency} to {customer_id}` filled from the arguments, at most 200 bytes. A blank names a top-level
 * member or holds a JSON Pointer; one that the arguments do not fill says so.
 */
export function summariseWith(template: string, canonicalArguments: JsonValue, rules: DisplayRules = {}): string {
  const known = template.slice(0, longestTemplate);
  const paths = [...known.matchAll(blank)].map((found) => found[1] ?? '');
  const { display } = projectDisplay(canonicalArguments, { ...rules, critical: [...(rules.critical ?? []), ...paths] });
  const filled = known.replace(blank, (_all, path: string) => {
    const value = valueAt(display, path);
    return value === undefined ? '⟨not given⟩' : shortValue(value, oneWord);
  });
  return boundedText(filled, summaryBytes);
}

function valueAt(display: JsonValue, path: string): JsonValue | undefined {
  let found: JsonValue | undefined = display;
  for (const key of segmentsOf(path)) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, key)) return undefined;
    found = (found as JsonObject)[key];
  }
  return found;
}

function shortValue(value: JsonValue, bare: RegExp): string {
  return boundedText(typeof value === 'string' && bare.test(value) ? value : JSON.stringify(value), partBytes);
}

function isObject(value: JsonValue): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
