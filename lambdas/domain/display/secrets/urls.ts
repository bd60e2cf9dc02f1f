/**
 * Passwords in the user-info part of URLs and data source names (RFC 3986 section 3.2.1), also when they hold an unescaped `@` or `/`.
 * Scheme, user and host stay readable; a user that is itself a token does not.
 */
import { eachMatch } from './each-match.ts';
import { looksLikeCredential } from './names.ts';
import type { Span } from './spans.ts';

const authorityEnd = /[\s"'`<>⟨]/;
const dataSource = /(?<=[\w.-]{1,64}:)[^\s:@"'⟨]+(?=@(?:tcp|unix)\()|(?<=:thin:[\w.-]{1,64}\/)[^\s@"'⟨]+(?=@)/g;

export function urlSecrets(text: string, found: Span[]): void {
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) userInfo(text, at + 3, found);
  if (!text.includes('@tcp(') && !text.includes('@unix(') && !text.includes(':thin:')) return;
  eachMatch(dataSource, text, (match) => found.push({ start: match.index, end: match.index + match[0].length }));
}

function userInfo(text: string, start: number, found: Span[]): void {
  const next = text.indexOf('://', start);
  const rest = text.slice(start, next === -1 ? text.length : next);
  const stop = rest.search(authorityEnd);
  const end = stop === -1 ? start + rest.length : start + stop;
  const at = lastAt(text, start, end);
  if (at === -1) return;
  const info = text.slice(start, at);
  const colon = info.indexOf(':');
  const user = colon === -1 ? info : info.slice(0, colon);
  const password = colon === -1 ? '' : info.slice(colon + 1);
  if (password !== '') found.push({ start: start + colon + 1, end: at });
  const userIsToken = user.length >= 20 || ((password === '' || password === 'x-oauth-basic') && user.length >= 12 && looksLikeCredential(user));
  if (userIsToken && /^https?$/i.test(text.slice(Math.max(0, start - 8), start - 3).replace(/^.*[^a-z]/i, ''))) found.push({ start, end: start + user.length });
}

/** The last `@` of the authority. One behind a slash counts only if what follows the first colon is no port. */
function lastAt(text: string, start: number, end: number): number {
  const whole = text.slice(start, end);
  const slash = whole.search(/[/?#]/);
  const authority = slash === -1 ? whole : whole.slice(0, slash);
  const inside = authority.lastIndexOf('@');
  if (inside !== -1) return start + inside;
  const port = /:([^/?#]*)$/.exec(authority)?.[1];
  const behind = whole.lastIndexOf('@');
  return port === undefined || /^\d{0,5}$/.test(port) || behind === -1 ? -1 : start + behind;
}
