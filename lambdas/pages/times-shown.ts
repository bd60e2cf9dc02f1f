// Times as people read them. The server renders them in UTC and says so: it does not know the reader's zone, and a
// deadline read in the wrong one is worse than a deadline converted.
import type { Instant } from '../domain/times.ts';
import { html, type Markup } from './html.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `14:05 UTC`, with the date unless it is the day of `now`. */
export function utcText(instant: Instant, now: Instant): string {
  const time = `${instant.slice(11, 16)} UTC`;
  if (instant.slice(0, 10) === now.slice(0, 10)) return time;
  return `${Number(instant.slice(8, 10))} ${MONTHS[Number(instant.slice(5, 7)) - 1] ?? '?'} ${instant.slice(0, 4)}, ${time}`;
}

export function timeElement(instant: Instant, now: Instant): Markup {
  return html`<time datetime="${instant}">${utcText(instant, now)}</time>`;
}

/** `57 min left`. Rounded down: nobody is promised time that they do not have. */
export function leftText(deadline: Instant, now: Instant): string {
  const seconds = Math.floor((Date.parse(deadline) - Date.parse(now)) / 1000);
  if (seconds <= 0) return 'no time left';
  if (seconds < 60) return `${seconds} s left`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min left`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h left` : `${hours} h ${minutes % 60} min left`;
  return `${Math.floor(hours / 24)} days left`;
}

/** `4 h`, in the largest unit that says it exactly. */
export function durationText(seconds: number): string {
  if (seconds % 86_400 === 0) return seconds === 86_400 ? '1 day' : `${seconds / 86_400} days`;
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

export function timeLeft(deadline: Instant, now: Instant): Markup {
  return html`${leftText(deadline, now)}, until ${timeElement(deadline, now)}`;
}
