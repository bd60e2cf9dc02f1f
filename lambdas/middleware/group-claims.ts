// Groups in a token's claims, as API Gateway hands them over: an HTTP API writes a list as text, `[finance leads]`, so a
// name with a blank in it cannot be told from two. Only names that a group can have are taken.
import type { Instant } from '../domain/times.ts';

const NAME = /^[A-Za-z0-9._-]{1,128}$/;
const NAMES_AT_MOST = 500;

export function claimedNames(claim: unknown): readonly string[] {
  const names: readonly unknown[] = Array.isArray(claim) ? claim : typeof claim === 'string' ? namesIn(claim) : [];
  const usable = names.filter((name): name is string => typeof name === 'string' && NAME.test(name));
  return [...new Set(usable)].slice(0, NAMES_AT_MOST);
}

function namesIn(text: string): readonly unknown[] {
  const listed = /^\[(.*)\]$/s.exec(text.trim())?.[1];
  if (listed === undefined) return [text];
  return listed.trim().startsWith('"') ? quoted(text) : listed.split(/\s+/);
}

/** Some providers put JSON into a claim that holds text only. */
function quoted(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** The end of the token, or of what is believed of it, whichever comes first. Undefined: it says no end, or has ended. */
export function claimsHoldUntil(exp: unknown, now: number, max_age_seconds: number): Instant | undefined {
  const ends = typeof exp === 'number' || (typeof exp === 'string' && /^\d{1,12}$/.test(exp)) ? Number(exp) * 1000 : Number.NaN;
  const until = Math.min(ends, now + max_age_seconds * 1000);
  return until > now ? new Date(until).toISOString() : undefined;
}
