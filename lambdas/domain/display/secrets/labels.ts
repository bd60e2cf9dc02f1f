/**
 * Secrets that a label announces in text: `password=…`, `"api_key": "…"`, `?token=…`, `Cookie: …`, `setenv('DB_PASSWORD', '…')`.
 * Anchored on the separator and read to the left for at most a name's length, so no pattern runs from every character.
 */
import { headerValue } from './headers.ts';
import { judgeName, looksLikeCredential } from './names.ts';
import type { NameJudgement } from './names.ts';
import type { Span } from './spans.ts';
import { isReference, outsideSubstitutions, valueAfter } from './values.ts';

interface Label {
  readonly name: string;
  readonly start: number;
  /** The quote right before the label. */
  readonly opened_by: string | undefined;
  readonly quoted: boolean;
}

const separator = /[=:：＝]|%3[ad]|[ \t](?=\\{0,8}["'`“])|,(?=[ \t]?\\{0,8}["'`])/gi;
const longestLabel = 64;
/** Beyond so many characters a label is taken to stand within its line. */
const deepestIndent = 64;
/** `arn:aws:secretsmanager:…:secret:name` names a secret and is none. */
const arnBefore = /\barn:[\w-]{1,24}:secretsmanager:[^\s"']*$/;
const queryName = /^(?:sig|signature|x-amz-signature|x-goog-signature|hmac|key|code)$/i;

/** `cutAfter` says that text follows what is given, so that an unclosed quote hides up to its end. */
export function labelledSecrets(text: string, cutAfter: boolean, found: Span[]): void {
  separator.lastIndex = 0;
  for (let match = separator.exec(text); match !== null; match = separator.exec(text)) {
    const { index } = match;
    const after = index + match[0].length;
    const span = secretAt(text, index, match[0], cutAfter);
    if (span !== undefined) found.push(...outsideSubstitutions(text, span));
    separator.lastIndex = Math.max(after, span?.end ?? 0);
  }
}

function secretAt(text: string, index: number, mark: string, cutAfter: boolean): Span | undefined {
  const label = labelBefore(text, index);
  if (label === undefined) return undefined;
  const before = text.slice(Math.max(0, label.start - 3), label.start);
  if (before.endsWith(':') && arnBefore.test(text.slice(Math.max(0, label.start - longestLabel), label.start))) return undefined;
  const inQuery = /[?&]$|%26$|%3F$/i.test(before);
  const judgement = judgeLabel(label, inQuery);
  if (judgement === undefined) return undefined;
  const loose = mark === ' ' || mark === '\t' || mark === ',';
  if (loose && (judgement !== 'secret' || (mark === ',') !== label.quoted)) return undefined;
  const outer_quote = label.quoted ? undefined : label.opened_by;
  const header = headerValue(text, index + mark.length, label.name, outer_quote);
  if (header !== undefined) return header.end > header.start ? header : undefined;
  const ends = inQuery || mark.startsWith('%') ? 'query' : isColon(mark) && (startsLine(text, label.start) || outer_quote !== undefined) ? 'line' : 'word';
  const span = valueAfter(text, index + mark.length, { ends, outer_quote, cut_after: cutAfter });
  if (span === undefined) return undefined;
  const value = text.slice(span.start, span.end);
  if (isReference(value) || isCode(text, span) || (judgement === 'weak' && isColon(mark) && !looksLikeCredential(value) && !/^\d{4,8}$/.test(value))) return undefined;
  return span;
}

/** `token = createToken(…)` and `password = user.password` are code that fetches a value, not the value. */
function isCode(text: string, span: Span): boolean {
  const value = text.slice(span.start, span.end);
  if (text[span.start - 1] !== ' ' || !/^[A-Za-z_$][\w.$]*$/.test(value)) return false;
  return text[span.end] === '(' || (value.includes('.') && judgeName(value) === 'secret');
}

function judgeLabel(label: Label, inQuery: boolean): NameJudgement {
  const judgement = judgeName(label.name);
  if (judgement === undefined) return inQuery && queryName.test(label.name) ? 'weak' : undefined;
  // As a word of prose `session` means a meeting more often than a cookie.
  return /session$/i.test(label.name) ? 'weak' : judgement;
}

function labelBefore(text: string, separatorAt: number): Label | undefined {
  let end = separatorAt;
  while (end > 0 && separatorAt - end < 4 && isBlank(text[end - 1])) end -= 1;
  let close = end;
  while (close > 0 && end - close < 8 && '"\'`])\\*”?!'.includes(text[close - 1] ?? ' ')) close -= 1;
  const quote = /["'`]/.exec(text.slice(close, end))?.[0];
  const first = quote === undefined ? unquotedStart(text, close) : quotedStart(text, close, quote);
  const start = text[first - 1] === '\\' && /[nrt]/.test(text.charAt(first)) ? first + 1 : first;
  if (start >= close) return undefined;
  const opener = text[start - 1];
  return { name: text.slice(start, close), start, opened_by: opener !== undefined && '"\'`'.includes(opener) ? opener : undefined, quoted: quote !== undefined };
}

/** The last word and up to two before it, so that `api key` and `private key` are read as names. */
function unquotedStart(text: string, close: number): number {
  let start = close;
  for (let word = 0; word < 3; word += 1) {
    const from = word === 0 ? start : start - 1;
    let next = from;
    while (next > 0 && close - next < longestLabel && isNameUnit(text.charCodeAt(next - 1))) next -= 1;
    if (next === from) break;
    start = next;
    if (text[start - 1] !== ' ') break;
  }
  return start;
}

function quotedStart(text: string, close: number, quote: string): number {
  const from = Math.max(0, close - longestLabel);
  const near = text.slice(from, close);
  const open = near.lastIndexOf(quote);
  return open === -1 || /[\n=:]/.test(near.slice(open)) ? unquotedStart(text, close) : from + open + 1;
}

function startsLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - deepestIndent), at);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return (at <= deepestIndent || line.length < before.length) && /^[\s\-"'*>#$]*$/.test(line);
}

function isNameUnit(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d || code === 0x2e || code === 0x24;
  return code > 0xa0 && code !== 0x3000 && code !== 0x27e8 && code !== 0x27e9 && !(code >= 0x2018 && code <= 0x201d) && code !== 0xff1a && code !== 0xff1d;
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

function isColon(mark: string): boolean {
  return mark === ':' || mark === '：';
}
