// Instants are ISO 8601 in UTC with milliseconds, so that text order is time order.

export type Instant = string;

export function plusSeconds(instant: Instant, seconds: number): Instant {
  return new Date(Date.parse(instant) + seconds * 1000).toISOString();
}

/** Whole seconds from one instant to another, rounded up, never below zero. */
export function secondsUntil(from: Instant, to: Instant): number {
  return Math.max(0, Math.ceil((Date.parse(to) - Date.parse(from)) / 1000));
}

export function epochSeconds(instant: Instant): number {
  return Math.floor(Date.parse(instant) / 1000);
}

/** A deadline has come at its very instant: "before" is the only time that counts as in time. */
export function hasCome(deadline: Instant, now: Instant): boolean {
  // Said as "not before", so that an instant which cannot be read has come.
  return !(Date.parse(now) < Date.parse(deadline));
}
