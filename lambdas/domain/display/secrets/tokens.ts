/**
 * Secrets that are known by their own shape: key families, JSON Web Tokens, PEM blocks, Bearer and Basic credentials,
 * and long random runs. Every pattern is linear: a literal start, then one class without a way back.
 */
import { eachMatch } from './each-match.ts';
import { namesAnIdentifier } from './names.ts';
import type { Span } from './spans.ts';

/** Published prefixes of key families. All start with letters, which lets the engine skip ahead: twenty times as fast. */
const families = new RegExp([
  'A(?:KIA[0-9A-Z]{12,}|(?:SIA|ROA|IDA)(?=[A-Z]{0,15}\\d)[0-9A-Z]{16,}|Iza[\\w-]{20,}|GE-SECRET-KEY-1\\w{8,})',
  'g(?:h[pousr]_[A-Za-z0-9]{8,}|ithub_pat_\\w{8,}|l(?:(?:pat|dt|rt|ptt|ft|soat)-[\\w-]{8,}|sa_\\w{16,}))',
  'xox[abeoprs][.-][\\w.-]{8,}', 'xapp-[\\w-]{8,}', '[srp]k_(?:live|test)_\\w{6,}', 'whsec_\\w{8,}', 'ya29\\.[\\w-]{8,}', 'GOCSPX-[\\w-]{8,}',
  'sk-(?:ant|proj|svcacct|or|lm)-[\\w-]{4,}', 'npm_[A-Za-z0-9]{16,}', 'pypi-[\\w-]{16,}', 'do[opr]_v1_\\w{8,}', 'SG\\.[\\w-]{8,}(?:\\.[\\w-]*)?',
  'shp(?:at|ss|ca|pa|tka)_\\w{8,}', 'sq0[a-z]{3}-[\\w-]{8,}', 'hv[sbr]\\.[\\w-]{8,}', 'dckr_(?:pat|oat)_[\\w-]{8,}', 'lin_api_\\w{8,}', 'figd_[\\w-]{8,}',
  'rubygems_[0-9a-f]{16,}', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{8,}', 'sbp_[0-9a-f]{16,}', 'PMAK-[\\w-]{16,}', 'atlasv1\\.[\\w-]{16,}',
].join('|'), 'g');
/** Short prefixes count only where a word begins, or `risk-adjusted` would be hidden. */
const wordFamilies = /(?:sk-(?=[\w-]{0,40}[0-9A-Z])[\w-]{12,}|hf_[A-Za-z0-9]{16,}|ntn_[A-Za-z0-9]{24,}|secret_[A-Za-z0-9]{24,}|pul-[0-9a-f]{24,}|key-[0-9a-f]{24,})/g;
const botToken = /(?<!\d)\d{8,10}:AA[\w-]{30,}/g;
const webhook = /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/webhooks\/\d{1,24}\/|webhook\.office\.com\/webhookb2\/)[\w@/-]+/g;
const familyTail = /[\w.~+/=-]*/y;

/** Maximal runs, so each character is looked at once; whatever a family's pattern needs is in this class. */
const tokenRun = /(?<![\w+/=.:~@-])[\w+/=.:~@-]{10,}/g;
const candidates = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{32,}={0,2}/g;
const leadingPath = /^(?:[a-z]{1,20}\/)*/;
const repeats = /(.)\1{5,}/g;
const longRun = /(?<![\w+/=.-])[\w+/=.-]{32,}/g;
const scheme = /(?<![\w])(bearer|basic)[ \t]+/gi;
const credential = /[^\s"'`<>⟨]+/y;
/** What follows the scheme word in prose about it. */
const prose = /^(?:of|tokens?|auth\w*|schemes?|credentials?|headers?|format|bonds?|is|are|and|or|in|for|to|with|from|on|as|the|a)[.,;:!?)]*$/i;
/** What stands before a digest, an identifier or a piece of a path. */
const identified = /[/:@#]$|(?:md5|sha\d*|commit|id|digest|trace|ref|etag|rev|base64,)[ :=/-]{0,3}$/i;
const fileMagic = /^(?:iVBORw0KGgo|\/9j\/|R0lGOD|JVBERi0|UEsDB|H4sI|UklGR|AGFzbQ|f0VMR|PHN2Z|PD94bW|PCFET0|Qk[0-9A-Za-z])/;

export function tokenSecrets(text: string, name: string | undefined, found: Span[]): void {
  eachMatch(tokenRun, text, (run) => {
    familySecrets(run[0], run.index, found);
    if (run[0].length >= 20) runSecrets(text, run[0], run.index, name, found);
  });
  eachMatch(scheme, text, (word) => schemeCredential(text, word, found));
}

function familySecrets(run: string, start: number, found: Span[]): void {
  const take = (family: RegExpExecArray): void => {
    familyTail.lastIndex = family.index + family[0].length;
    found.push({ start: start + family.index, end: start + family.index + family[0].length + (familyTail.exec(run)?.[0].length ?? 0) });
  };
  eachMatch(families, run, take);
  eachMatch(wordFamilies, run, (family) => {
    if (!/[A-Za-z0-9]/.test(run.charAt(family.index - 1))) take(family);
  });
  if (run.includes(':AA')) eachMatch(botToken, run, take);
  if (run.includes('hook')) eachMatch(webhook, run, take);
}

function schemeCredential(text: string, word: RegExpExecArray, found: Span[]): void {
  const start = word.index + word[0].length;
  credential.lastIndex = start;
  const value = credential.exec(text)?.[0] ?? '';
  const wholeText = word.index === 0 && start + value.length === text.length;
  const afterLabel = /[:=]\s*["'`]?\s*$/.test(text.slice(Math.max(0, word.index - 8), word.index));
  if (value === '' || prose.test(value)) return;
  if (wholeText || afterLabel || credentialWord(value)) found.push({ start, end: start + value.length });
}

/** Digits, inner capitals, all capitals, padding or length tell a credential from a word of prose. */
function credentialWord(value: string): boolean {
  if (value.length >= 24) return true;
  if (value.length < 6) return false;
  return /\d|[a-z][A-Z]|[A-Z]{3}[a-z]|^[A-Z]{8,}|[=_|;@~]./.test(value) || value.endsWith('=');
}

function runSecrets(text: string, run: string, start: number, name: string | undefined, found: Span[]): void {
  const token = run.indexOf('eyJ');
  if (token !== -1 && run.includes('.', token + 8)) found.push({ start: start + token, end: start + (/[^\w.-]/.exec(run.slice(token))?.index ?? run.length - token) + token });
  else if (name === undefined || !namesAnIdentifier(name)) {
    eachMatch(longRun, run, (part) => randomSecrets(text, part[0], start + part.index, found));
  }
}

function randomSecrets(text: string, run: string, start: number, found: Span[]): void {
  if (identified.test(text.slice(Math.max(0, start - 10), start)) || fileMagic.test(run)) return;
  eachMatch(candidates, run, (candidate) => {
    const path = leadingPath.exec(candidate[0])?.[0].length ?? 0;
    const from = start + candidate.index + path;
    for (const part of withoutRepeats(candidate[0].slice(path))) {
      if (looksRandom(part.text)) found.push({ start: from + part.at, end: start + candidate.index + candidate[0].length });
    }
  });
}

/** Padding beside a token must not dilute it: a run of one character ends a candidate. */
function withoutRepeats(run: string): readonly { readonly text: string; readonly at: number }[] {
  const parts: { text: string; at: number }[] = [];
  let from = 0;
  eachMatch(repeats, run, (repeat) => {
    parts.push({ text: run.slice(from, repeat.index), at: from });
    from = repeat.index + repeat[0].length;
  });
  parts.push({ text: run.slice(from), at: from });
  return parts;
}

/** Hex of 32 digits or of no digest's length, or 32 and more of three classes mixed. Digests of 40, 64, 96 and 128 digits, UUIDs and paths are shown. */
function looksRandom(run: string): boolean {
  if (run.length < 32 || run.length > 512) return false;
  if (/^[0-9a-f]+$|^[0-9A-F]+$/.test(run)) return ![40, 56, 64, 96, 128].includes(run.length) && /\d/.test(run) && /[a-f]/i.test(run);
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(run) || run.split(/[/_-]/).length > run.length / 8) return false;
  const switches = run.match(/[a-z][A-Z0-9]|[A-Z][0-9]|\d[A-Za-z]/g)?.length ?? 0;
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run) && switches >= run.length / 6 && new Set(run).size >= run.length / 4;
}
