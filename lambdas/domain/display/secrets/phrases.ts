/**
 * Secrets in fixed phrases: `password is X`, `IDENTIFIED BY 'X'`, `auth=('user', 'X')`, `user:X@proxy:8080`, a password field of a form.
 * Each phrase begins with its own words and holds the secret in its last group.
 */
import { eachMatch } from './each-match.ts';
import type { Span } from './spans.ts';
import { isReference } from './values.ts';

/** In prose only what no word looks like: letters and digits mixed, or the digits of a one-time code. */
const spoken = /\b(?:pass(?:word|phrase|code)|passwd|pwd|token|secret|credential|api[ _-]?key)s?[ \t]+(?:(?:is|was|to|of)[ \t]+)?([^\s"'`<>⟨/]{8,})/gi;
const code = /\b(?:otp|pin|passcode|(?:verification|security|one-time) code)[ \t]*(?:is|:|=)?[ \t]*(\d{4,8})\b/gi;
const mixed = /^(?=.*\d)(?=.*[A-Za-z])(?:(?=.*[a-z])(?=.*[A-Z])|.{16,})/;
const quoted: readonly RegExp[] = [
  /\bidentified\s{1,8}by\s{1,8}["']([^"'\n]+)/gi,
  /\bConvertTo-SecureString\s{1,8}(?:-String\s{1,8})?["']([^"'\n]+)/gi,
  /(?:\b(?:basic_?)?auth\s{0,4}=\s{0,4}|\b(?:login|authenticate|basic_?auth)\s{0,4})[([]\s{0,4}["'][^"'\n]{0,128}["']\s{0,4},\s{0,4}["']([^"'\n]+)/gi,
  /\btype=["']password["'][^<>\n]{0,200}?\bvalue=["']([^"'\n]+)/gi,
  /(?:\b(?:set|with)_?|[\s.(])(?:password|passwd|passphrase|secret|token|api_?key)\(\s{0,4}["']([^"'\n]+)/gi,
];
/** A user and a password before a host without a scheme; an image with its digest and an address with its kind are none. */
const bare = /(?<![\w./:@-])(?!(?:mailto|sips?|xmpp|acct|bcc|cc|to|from|e?mail|image):)[\w.-]{1,64}:([^\s:@/"'`⟨]{4,128})(?=@(?!sha\d)[\w-]+(?:\.[\w-]+|:\d))/gi;

export function phrasedSecrets(text: string, found: Span[]): void {
  if (/pass|pwd|token|secret|cred|key/i.test(text)) eachMatch(spoken, text, (match) => takeLast(match, mixed, found));
  if (/otp|pin|code/i.test(text)) eachMatch(code, text, (match) => takeLast(match, /./, found));
  if (text.includes('@')) eachMatch(bare, text, (match) => takeLast(match, /./, found));
  if (!text.includes('"') && !text.includes("'")) return;
  for (const phrase of quoted) eachMatch(phrase, text, (match) => takeLast(match, /./, found));
}

function takeLast(match: RegExpExecArray, looks: RegExp, found: Span[]): void {
  const secret = (match[1] ?? '').replace(/[.,;:!?)\]}]{1,3}$/, '');
  if (!looks.test(secret) || isReference(secret)) return;
  const start = match.index + match[0].lastIndexOf(match[1] ?? '');
  found.push({ start, end: start + secret.length });
}
