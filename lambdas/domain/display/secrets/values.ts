/**
 * Where the value after a label ends: at its closing quote, at the next pair, at white space, at the end of a line.
 * An unquoted value ends at a shell operator, so that no mask can hide a command behind a password.
 */
import { eachMatch } from './each-match.ts';
import type { Span } from './spans.ts';

export interface ValuePlace {
  /** A query string ends values at `&`, a line such as `password: two words` at its end, all else at white space. */
  readonly ends: 'query' | 'line' | 'word';
  /** The quote that the label stands in, as in `'Cookie: a=b'`. */
  readonly outer_quote: string | undefined;
  readonly cut_after: boolean;
}

const beforeValue = /[ \t]{0,8}(?:[=>~]{1,2}|\*{2})?[ \t]{0,8}/y;
const opening = /(\\*)(["'`])|[“‘]/y;
const unquoted = { query: /[^&#\s"'`<>⟨]*/y, line: /[^\n\r;|&<>`⟨]*/y, word: /[^\s"'`;|&<>(),⟨]*/y } as const;
const nextPair = /,(?:\s{0,8}["']?[\w.-]{1,40}["']?\s{0,8}[=:]|\s|$)/y;
const blockScalar = /[ \t]{0,8}(?:!{1,2}[\w:/-]{1,64}[ \t]{1,8})?[|>][+-]?\d?[ \t]*\r?\n/y;

export function valueStart(text: string, from: number): number {
  beforeValue.lastIndex = from;
  return beforeValue.test(text) ? beforeValue.lastIndex : from;
}

export function valueAfter(text: string, from: number, place: ValuePlace): Span | undefined {
  // Before the start is looked for: the `>` of a folded block reads like one of an arrow.
  const block = blockAfter(text, from);
  if (block !== undefined) return block;
  const start = valueStart(text, from);
  return quotedValue(text, start, place.cut_after) ?? plainValue(text, start, place);
}

/** The inside of a quoted value, whatever the number of backslashes before its quotes. */
export function quotedValue(text: string, start: number, cutAfter: boolean): Span | undefined {
  opening.lastIndex = start;
  const open = opening.exec(text);
  if (open === null) return undefined;
  const inside = opening.lastIndex;
  const end = closingQuote(text, inside, open[2] ?? (open[0] === '“' ? '”' : '’'), open[1]?.length ?? 0);
  if (end !== -1) return { start: inside, end };
  const line = text.indexOf('\n', inside);
  return { start: inside, end: cutAfter || line === -1 ? text.length : line };
}

function closingQuote(text: string, from: number, quote: string, level: number): number {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (at - slashes > from && text[at - slashes - 1] === '\\') slashes += 1;
    if (level === 0 ? slashes % 2 === 0 : slashes <= level) return at - (level === 0 ? 0 : slashes);
  }
  return -1;
}

function plainValue(text: string, start: number, place: ValuePlace): Span | undefined {
  let value = text.slice(start, plainEnd(text, start, place.ends));
  if (place.outer_quote !== undefined && value.includes(place.outer_quote)) value = value.slice(0, value.indexOf(place.outer_quote));
  const substitution = value.indexOf('$(');
  if (substitution !== -1) value = value.slice(0, substitution);
  else if (value.endsWith('$') && text[start + value.length] === '(') value = value.slice(0, -1);
  value = value.replace(/[[{]/.test(value) ? /[\s.,]{1,4}$/ : /[\s.,\]}]{1,4}$/, '');
  return value === '' ? undefined : { start, end: start + value.length };
}

/** A comma ends a word only where another pair follows it: each is looked at once, where it stands. */
function plainEnd(text: string, start: number, ends: ValuePlace['ends']): number {
  const pattern = unquoted[ends];
  for (let at = start; ; at += 1) {
    pattern.lastIndex = at;
    at += pattern.exec(text)?.[0].length ?? 0;
    nextPair.lastIndex = at;
    if (ends !== 'word' || text[at] !== ',' || nextPair.test(text)) return at;
  }
}

/** The more deeply indented lines of a YAML block scalar (`password: |`). */
function blockAfter(text: string, start: number): Span | undefined {
  blockScalar.lastIndex = start;
  if (!blockScalar.test(text)) return undefined;
  const from = blockScalar.lastIndex;
  const indent = indentAt(text, text.lastIndexOf('\n', start) + 1);
  let end = from;
  while (end < text.length) {
    const next = text.indexOf('\n', end);
    const line = text.slice(end, next === -1 ? text.length : next);
    if (line.trim() !== '' && indentAt(text, end) <= indent) break;
    end = next === -1 ? text.length : next + 1;
  }
  // The mark keeps the place of the first line, so that what is shown reads as a block again.
  return end === from ? undefined : { start: from + (/^\s*/.exec(text.slice(from, end))?.[0].length ?? 0), end: end - (text[end - 1] === '\n' ? 1 : 0) };
}

export function indentAt(text: string, lineStart: number): number {
  let at = lineStart;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at - lineStart;
}

const substitution = /\$\([^)]*\)?|`[^`]*\s[^`]*`?/g;

/** What of a value may be hidden where a shell might read it: a command that it would run stays in sight. */
export function outsideSubstitutions(text: string, span: Span): readonly Span[] {
  const value = text.slice(span.start, span.end);
  if (text.endsWith('=`', span.start) && /\s/.test(value)) return [];
  if (text[span.start - 1] === "'" || !/\$\(|`/.test(value)) return [span];
  const pieces: Span[] = [];
  let from = span.start;
  eachMatch(substitution, value, (match) => {
    pieces.push({ start: from, end: span.start + match.index });
    from = span.start + match.index + match[0].length;
  });
  return [...pieces, { start: from, end: span.end }].filter((piece) => text.slice(piece.start, piece.end).trim() !== '');
}

const longestReference = 80;
const reference = /^(?:\$\{?[A-Z_]{2,}\}?|\$\{\w{1,64}\}|\$\{\{.*|%[A-Z_]{2,}%|<[\w -]{1,40}>|\{\{?[\w .]{1,40}\}{0,2}|\*{1,40}|x{3,16}|\.{3}|…)$/;
const typeWord = /^(?:string|str|number|int|integer|float|boolean|bool|bytes|object|any|unknown|null|nil|none|undefined|true|false|required|optional|yes|no|new)\b[\s?|,;!\])}]*$/i;
const codeReference = /^(?:await |new )?(?:process\.env\b|os\.(?:environ|getenv)|env\.|ENV\[|secrets\.|vars?\.|config\.|settings\.|self\.|this\.|req\.|request\.|ctx\.|args\.|get\w*$|read\w*$|input$|require$)/;

/** References to a secret, type names and placeholders name no secret; the approver needs to read them. */
export function isReference(value: string): boolean {
  if (value.length > longestReference) return false;
  return reference.test(value) || typeWord.test(value) || codeReference.test(value);
}
