/**
 * Secrets by their place in YAML and XML text: blocks under a sensitive name, the data of a Kubernetes Secret, `<password>` elements.
 * Line by line, and only as much of either language as tells which value belongs to which name.
 */
import { eachMatch } from './each-match.ts';
import { judgeName } from './names.ts';
import type { Span } from './spans.ts';
import { indentAt, isReference } from './values.ts';

const secretKind = /^[ \t]*kind:[ \t]*["']?Secret(?:List)?["']?[ \t]*$/m;
const blockOpener = /^[ \t]*(?:- )?["']?([\w.-]{1,64})["']?:[ \t]*(?:#.*)?\r?$/;
const pairLine = /^[\s-]*(?:["']?[^:\n"']{1,128}["']?:(?:[ \t]+|$))?/;
const element = /<([A-Za-z][\w:.-]{0,63})(?:\s[^<>]{0,200})?>([^<>]+)<\//g;
const elementCut = /<([A-Za-z][\w:.-]{0,63})(?:\s[^<>]{0,200})?>([^<>]+)(?:<\/|<?$)/g;
const namedAttribute = /\b(?:key|name)=["']([^"'\n]{1,64})["']\s{1,8}value=["']([^"'\n]+)/gi;

/** `cutAfter` says that text follows, so that an element may be closed beyond what is given; `cut` that a kind may be named there. */
export function markupSecrets(text: string, cut: boolean, cutAfter: boolean, found: Span[]): void {
  if (text.includes('\n') && text.includes(':')) yamlSecrets(text, cut, found);
  if (!text.includes('<')) return;
  eachMatch(cutAfter ? elementCut : element, text, (match) => hideIfNamed(match, '>', found));
  eachMatch(namedAttribute, text, (match) => hideIfNamed(match, '', found));
}

function hideIfNamed(match: RegExpExecArray, after: string, found: Span[]): void {
  const [whole, name = '', value = ''] = match;
  if (judgeName(name) !== 'secret' || isReference(value)) return;
  const start = match.index + whole.lastIndexOf(`${after}${value}`) + after.length;
  found.push({ start, end: start + value.length });
}

function yamlSecrets(text: string, cut: boolean, found: Span[]): void {
  const isSecret = secretKind.test(text) || (cut && /^apiVersion:[ \t]*v1[ \t]*$/m.test(text) && !/^kind:/m.test(text));
  let hidesBelow = -1;
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next;
    const line = text.slice(at, end);
    const indent = indentAt(text, at);
    if (line.trim() !== '' && indent <= hidesBelow) hidesBelow = -1;
    if (hidesBelow !== -1) hideValueOf(line, at, found);
    else if (opensSecret(line, isSecret)) hidesBelow = indent;
    at = end + 1;
  }
}

function opensSecret(line: string, isSecret: boolean): boolean {
  const name = blockOpener.exec(line)?.[1];
  if (name === undefined) return false;
  return (isSecret && (name === 'data' || name === 'stringData')) || (judgeName(name) === 'secret' && !/session$/i.test(name));
}

function hideValueOf(line: string, at: number, found: Span[]): void {
  const from = pairLine.exec(line)?.[0].length ?? 0;
  const value = line.slice(from).trimEnd();
  if (value !== '' && !/^[|>][+-]?\d?$/.test(value) && !isReference(value)) found.push({ start: at + from, end: at + from + value.length });
}
