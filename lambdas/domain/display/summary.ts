/**
 * One bounded line that says what a call would do, computed by us and never taken from the agent.
 * Mail subjects, Slack fallbacks and inbox rows use it, so it is short and holds no line break.
 */
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { projectDisplay } from './project-display.ts';
import type { DisplayRules } from './project-display.ts';
import { boundedText } from './visible-text.ts';

const summaryBytes = 200;
const partBytes = 64;

/** `refund_payment customer_id: c1, amount: 120, currency: EUR`, at most 200 bytes. */
export function summarise(tool: string, display: JsonValue): string {
  const parts = display !== null && typeof display === 'object' && !Array.isArray(display)
    ? Object.entries(display as JsonObject).map(([name, value]) => `${boundedText(name, partBytes)}: ${oneValue(value)}`)
    : [oneValue(display)];
  return boundedText(`${boundedText(tool, partBytes)} ${parts.join(', ')}`.trimEnd(), summaryBytes);
}

/** `Refund {amount} {currency} to {customer_id}` filled from the arguments, redacted and bounded; unknown names stay marked. */
export function summariseWith(template: string, canonicalArguments: JsonValue, rules: DisplayRules = {}): string {
  const { display } = projectDisplay(canonicalArguments, rules);
  const filled = template.slice(0, 1000).replace(/\{([^{}]{1,128})\}/g, (_all, path: string) => {
    const value = valueAt(display, path);
    return value === undefined ? '⟨not given⟩' : oneValue(value);
  });
  return boundedText(filled, summaryBytes);
}

function valueAt(display: JsonValue, path: string): JsonValue | undefined {
  const keys = path.startsWith('/') ? path.slice(1).split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')) : [path];
  let found: JsonValue | undefined = display;
  for (const key of keys) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, key)) return undefined;
    found = (found as JsonObject)[key];
  }
  return found;
}

function oneValue(value: JsonValue): string {
  return boundedText(typeof value === 'string' ? value : JSON.stringify(value), partBytes);
}
