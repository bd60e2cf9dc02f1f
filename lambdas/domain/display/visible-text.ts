/**
 * The one function that makes deceiving text visible, for pages, mail, Slack, events and the terminal.
 * Idempotent: it writes only printable characters, which it leaves alone.
 * Sources: Unicode Default_Ignorable_Code_Point and general categories, UAX #9 (bidi), UTS #46 (hosts).
 */
import { domainToASCII } from 'node:url';
import { cutText } from './cut-text.ts';
import { lineBreaksMark, spacesMark } from './marks.ts';

export interface VisibleTextOptions {
  /** For callers that render line breaks as such; more than three in a row are still counted. */
  readonly keep_newlines?: boolean;
}

const longestSpaceRun = 16;
const mostLineBreaks = 3;
const longestHost = 253;
/** Converting a host costs some ten microseconds; no text that a person reads names this many. */
const mostHosts = 256;
const hostNotValid = '⟨host not valid⟩';
const hostNotChecked = '⟨host not checked⟩';
// Letters of which none deceives: Latin, Cyrillic, kana, Han, Hangul, dashes and quotes, our own brackets. Only the rest is
// looked up in the classes of Unicode, which is eight times slower.
const plain = '\\x20-\\x7e\\xa1-\\xac\\xae-\\u024f\\u0400-\\u0482\\u2010-\\u2026\\u20ac\\u27e8\\u27e9\\u3041-\\u3096\\u30a1-\\u30fa\\u4e00-\\u9ffc\\uac00-\\ud7a3';
const notPlain = new RegExp(`[^${plain}]+`, 'g');
const notPlainInLine = new RegExp(`[^\\n${plain}]+`, 'g');
const needsWork = new RegExp(`[^${plain}]`);
const nonAscii = /[^\n\x20-\x7e]/;
const longSpace = ' '.repeat(longestSpaceRun + 1);
const whiteSpaceRun = /[\s\x85\u2800\u3164]{4,}/g;
const lineBreak = /[\n\v\f\r\x85\u2028\u2029]/g;
// U+2800 and U+FFFC are no format characters by category, yet look like a space and like nothing.
const deceiving = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\ufffc]|(?! )\p{Zs}|(?<=\p{M}{4})\p{M}/gu;
const host = /(?<=\/\/|@)[^\s/?#:@"'<>⟨⟩[\]]*[^\x00-\x7f⟨⟩\s][^\s/?#:@"'<>⟨⟩[\]]*(⟨host [^⟨⟩]{1,253}⟩)?/gu;
const hostName = /^[a-z0-9.-]+$/;
const escape = /\\u\{((?:10|[0-9a-f])?[0-9a-f]{1,4})\}/g;

/** Escapes each deceiving character as `\u{…}`, counts long white space, and puts punycode beside non-ASCII hosts. */
export function visibleText(text: string, options: VisibleTextOptions = {}): string {
  const keep = options.keep_newlines === true;
  const unchanged = !needsWork.test(text) && !text.includes(longSpace);
  if (unchanged && !nonAscii.test(text)) return text;
  const counted = unchanged ? text : text.replace(whiteSpaceRun, (run) => countedRun(run, keep));
  const shown = unchanged ? text : counted.replace(keep ? notPlainInLine : notPlain, (run) => run.replace(deceiving, escaped));
  return nonAscii.test(shown) && (shown.includes('//') || shown.includes('@')) ? withHosts(shown) : shown;
}

/** Visible, then at most `maxBytes` of UTF-8: head, the number of bytes between, tail. Never splits a grapheme. */
export function boundedText(text: string, maxBytes: number, options: VisibleTextOptions = {}): string {
  return cutText(visibleText(text, options), maxBytes).text;
}

/** Whether visible text had something escaped or counted, or names a host of other scripts: a reader should be warned. */
export function hadDeceivingText(visible: string): boolean {
  return /\\u\{[0-9a-f]{1,6}\}|⟨(?:\d+ (?:spaces|line breaks)|host )/.test(visible);
}

function countedRun(run: string, keep: boolean): string {
  const breaks = run.match(lineBreak)?.length ?? 0;
  if (breaks > mostLineBreaks) {
    const indent = /[^\n\v\f\r\x85\u2028\u2029]*$/.exec(run)?.[0] ?? '';
    return `${lineBreaksMark(breaks)}${keep ? '\n' : ' '}${countedRun(indent, keep)}`;
  }
  return run.length > longestSpaceRun ? spacesMark(run.length) : run;
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function withHosts(text: string): string {
  const known = new Map<string, string>();
  return text.replace(host, (match: string, after: string | undefined) => {
    const shown = after === undefined ? match : match.slice(0, -after.length);
    const mark = known.get(shown) ?? (known.size < mostHosts ? hostMark(shown) : hostNotChecked);
    if (mark !== hostNotChecked) known.set(shown, mark);
    return after === mark ? match : `${shown}${mark}${after ?? ''}`;
  });
}

/** The host is read through our own escapes, so that a second pass computes the same mark. */
function hostMark(shown: string): string {
  const ascii = domainToASCII(shown.replace(escape, (_all, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))));
  return ascii.length > longestHost || !hostName.test(ascii) ? hostNotValid : `⟨host ${ascii}⟩`;
}
