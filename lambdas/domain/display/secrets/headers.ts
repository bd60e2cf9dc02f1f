/**
 * Values of the HTTP headers whose grammar is more than one word: Authorization and Cookie (RFC 9110 section 11, RFC 6265).
 * The scheme word stays readable; everything that it introduces does not.
 */
import type { Span } from './spans.ts';

const schemeWord = /[ \t]*["'`]?(?:(bearer|basic|token|apikey|api-key|negotiate|ntlm|jwt|key|sharedkey)|(digest|hawk|oauth|aws4-hmac-sha256|signature|gnap|dpop|mutual))[ \t]+/iy;
const blank = /[ \t]*/y;
const word = /[^\s"'`⟨]*/y;
const line = /[^\n\r"`⟨]*/y;
const quoted = /\\*["'`]/y;

/** Undefined if the name is of no such header; an empty span if there is nothing to hide. */
export function headerValue(text: string, from: number, name: string, outerQuote: string | undefined): Span | undefined {
  if (/authorization$/i.test(name)) return authorization(text, from, outerQuote);
  if (/(?:^|[\s-])(?:set-)?cookies?$/i.test(name) && !/^\s*["'[{]/.test(text.slice(from, from + 4))) return rest(text, skip(blank, text, from), outerQuote);
  return undefined;
}

function authorization(text: string, from: number, outerQuote: string | undefined): Span | undefined {
  schemeWord.lastIndex = from;
  const scheme = schemeWord.exec(text);
  if (scheme === null) {
    const start = skip(blank, text, from);
    quoted.lastIndex = start;
    if (quoted.test(text)) return undefined;
    return outerQuote === undefined ? { start, end: skip(word, text, start) } : rest(text, start, outerQuote);
  }
  const start = from + scheme[0].length;
  if (scheme[2] !== undefined || outerQuote !== undefined) return rest(text, start, outerQuote);
  return { start, end: skip(word, text, start) };
}

/** To the quote that the header stands in, or else to the end of its line. */
function rest(text: string, start: number, outerQuote: string | undefined): Span {
  if (outerQuote === undefined) return { start, end: skip(line, text, start) };
  const close = text.indexOf(outerQuote, start);
  const newline = text.indexOf('\n', start);
  const end = close !== -1 ? close : newline !== -1 ? newline : text.length;
  return { start, end };
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The scheme word that an Authorization value starts with. */
export function schemeOf(value: string): string | undefined {
  return /^(?:bearer|basic|token|apikey|negotiate|ntlm|digest|hawk|oauth|aws4-hmac-sha256)(?=[ \t])/i.exec(value)?.[0];
}
