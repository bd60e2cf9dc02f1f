/**
 * Reads text as a command line, far enough to know which word follows which: quotes, operators, line ends.
 * Commands inside a quoted word (`bash -c "…"`, `ssh host '…'`) are read in the same way, three deep.
 */
import { eachMatch } from './each-match.ts';
import { secretInWord, startCommand } from './commands.ts';
import type { Span } from './spans.ts';
import { outsideSubstitutions } from './values.ts';

/** A flag, or a word after which the next one may be a secret: superset of what `secretInWord` starts from. */
const worthALook = /(?:^|[\s"'(=`\\])--?[A-Za-z]|\bexport[ \t]+\w*[kK]|\b(?:set|setx|config|setenv|put|add)[ \t]+\S*[A-Za-z]{3}|\blogin[ \t]+\S+[ \t]+password\b|\bvault[ \t]|\|/;
const piped = '\\b(?:echo|printf)[ \\t]+(?:-\\w+[ \\t]+){0,3}(["\']?)([^\\s|;&"\']+)\\1[ \\t]*\\|[^|;&\\n]{0,160}?';
const stdinSecret = new RegExp(`${piped}(?:--password-stdin|--with-token|--stdin|\\bchpasswd\\b|\\bsudo -S)`, 'g');
const stdinSecretCut = new RegExp(`${piped}(?:--password-stdin|--with-token|--stdin|\\bchpasswd\\b|\\bsudo -S|$)`, 'g');
const deepest = 3;

/** `cutAfter` says that text follows, so that what a secret is piped into may stand beyond what is given. */
export function commandSecrets(text: string, cutAfter: boolean, found: Span[]): void {
  if (!worthALook.test(text)) return;
  scan(text, 0, text.length, 0, found);
  if (!cutAfter && !/stdin|chpasswd|sudo -S|--with-token/.test(text)) return;
  eachMatch(cutAfter ? stdinSecretCut : stdinSecret, text, (match) => {
    const start = match.index + match[0].indexOf(match[2] ?? '', 4);
    found.push({ start, end: start + (match[2]?.length ?? 0) });
  });
}

function scan(text: string, from: number, to: number, depth: number, found: Span[]): void {
  let state = startCommand();
  let at = from;
  while (at < to) {
    const character = text[at] ?? '';
    if (isOperator(character)) state = startCommand();
    if (isOperator(character) || isSpace(character)) {
      at += 1;
      continue;
    }
    const end = wordEnd(text, at, to);
    const [start, stop] = unquotedPart(text, at, end);
    if (depth < deepest && start > at && /\s/.test(text.slice(start, stop))) scan(text, start, stop, depth + 1, found);
    const span = secretInWord(state, text.slice(start, stop), true);
    if (span !== undefined) found.push(...outsideSubstitutions(text, { start: start + span.start, end: start + span.end }));
    at = end;
  }
}

/** A backslash before the line end continues the command; elsewhere a line end closes it. */
function isOperator(character: string): boolean {
  return character === '|' || character === ';' || character === '&' || character === '\n' || character === '(' || character === ')';
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\t' || character === '\r';
}

/** Parts in quotes and parts without make one word. A quote that is never closed is a character like others. */
function wordEnd(text: string, from: number, to: number): number {
  let at = from;
  while (at < to) {
    const character = text[at] ?? '';
    if (isSpace(character) || isOperator(character)) break;
    if (character === '\\') at += 1;
    else if ((character === '"' || character === "'") && (at === from || !/\w/.test(text[at - 1] ?? ' ') || isFlagSoFar(text, from, at))) at = quoteEnd(text, at, to, character);
    at += 1;
  }
  return Math.min(at, to);
}

function isFlagSoFar(text: string, from: number, at: number): boolean {
  return text[from] === '-' && at - from <= 3;
}

function quoteEnd(text: string, open: number, to: number, quote: string): number {
  let at = text.indexOf(quote, open + 1);
  while (quote === '"' && at !== -1 && text[at - 1] === '\\') at = text.indexOf(quote, at + 1);
  return at === -1 || at >= to ? open : at;
}

function unquotedPart(text: string, from: number, end: number): readonly [number, number] {
  const quote = text[from];
  const closed = (quote === '"' || quote === "'") && end - from >= 2 && text[end - 1] === quote && text.indexOf(quote, from + 1) === end - 1;
  return closed ? [from + 1, end - 1] : [from, end];
}
