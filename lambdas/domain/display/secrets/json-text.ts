/**
 * Reads JSON that stands in a string, also when it is cut, and hides inside it as the projection hides in arguments.
 * It replaces spans of the text as it is: nothing is parsed and written again, so a duplicate member stays in sight.
 */
import { secretInWord, startCommand } from './commands.ts';
import type { CommandState } from './commands.ts';
import { hidesUnderName } from './names.ts';
import { isValueSlot, namesSecret } from './positions.ts';
import type { Replaced, Span } from './spans.ts';
import { hiddenMark } from '../marks.ts';

interface Frame {
  readonly is_array: boolean;
  readonly command: CommandState;
  /** Everything below is hidden: a sensitive name, the data of a Kubernetes Secret. */
  readonly hides: boolean;
  key: string | undefined;
  names_a_secret: boolean;
}

export type InnerText = (text: string, name: string | undefined) => Replaced;

const start = /^\s*[[{]\s*(?:["[\]{}\d-]|true|false|null|$)/;
const token = /\s*(?:([[\]{}:,])|"([^"\\]*(?:\\[^][^"\\]*)*)(")?|([\w.+-]+))/gy;
const kubernetesSecret = /"kind"\s*:\s*"Secret(?:List)?"/;

export function looksLikeJson(text: string): boolean {
  return start.test(text);
}

/** Undefined if the text is not JSON. `cutAfter` allows it to end anywhere. */
export function jsonTextSecrets(text: string, cutAfter: boolean, inner: InnerText): readonly Span[] | undefined {
  const found: Span[] = [];
  const frames: Frame[] = [];
  const isSecret = kubernetesSecret.test(text) || (cutAfter && /"apiVersion"\s*:\s*"v1"/.test(text) && !/"kind"\s*:/.test(text));
  let at = 0;
  for (let match = tokenAt(text, at); match !== null; match = tokenAt(text, at)) {
    at += match[0].length;
    const end = at;
    const [, mark, string, closed, word] = match;
    if (string !== undefined && closed === undefined && !cutAfter) return undefined;
    if (mark !== undefined) punctuate(frames, mark, isSecret);
    else if (string !== undefined) found.push(...stringSpans(text, frames, end - string.length - (closed === undefined ? 0 : 1), string, inner));
    else if (word !== undefined && hidesValue(frames, literal(word))) found.push({ start: end - word.length, end, replacement: `"${hiddenMark}"`, hides: 1 });
    if (frames.length === 0 && mark === undefined) return undefined;
  }
  const rest = text.slice(at).trim();
  return rest === '' || (cutAfter && rest === '\\') ? found : undefined;
}

/** The position is the caller's: reading an inner string uses the same pattern in between. */
function tokenAt(text: string, at: number): RegExpExecArray | null {
  token.lastIndex = at;
  return token.exec(text);
}

function punctuate(frames: Frame[], mark: string, isSecret: boolean): void {
  const top = frames.at(-1);
  if (mark === '{' || mark === '[') {
    const key = top?.is_array === false ? top.key : undefined;
    const secretData = isSecret && (key === 'data' || key === 'stringData');
    frames.push({ is_array: mark === '[', command: startCommand(), hides: (top?.hides ?? false) || secretData || hidesValue(frames, {}), key: undefined, names_a_secret: false });
  } else if (mark === '}' || mark === ']') frames.pop();
  else if (mark === ',' && top !== undefined) top.key = undefined;
}

function stringSpans(text: string, frames: readonly Frame[], at: number, raw: string, inner: InnerText): readonly Span[] {
  const top = frames.at(-1);
  if (top === undefined) return [];
  const value = decoded(raw);
  const isKey = !top.is_array && top.key === undefined;
  if (isKey) top.key = value;
  const whole = { start: at, end: at + raw.length };
  if (!isKey && raw !== '' && hidesValue(frames, value)) return [whole];
  if (!isKey && !top.is_array && namesSecret(top.key ?? '', value)) top.names_a_secret = true;
  const word = top.is_array ? secretInWord(top.command, value, false) : undefined;
  if (word !== undefined) return [{ ...whole, replacement: quoted(`${value.slice(0, word.start)}${hiddenMark}${value.slice(word.end)}`), hides: 1 }];
  const shown = inner(value, isKey ? undefined : top.key);
  return shown.text === value ? [] : [{ ...whole, replacement: quoted(shown.text), hides: shown.hidden }];
}

function hidesValue(frames: readonly Frame[], value: unknown): boolean {
  const top = frames.at(-1);
  if (top === undefined) return false;
  if (top.hides) return typeof value !== 'object' || value === null;
  if (top.is_array || top.key === undefined) return false;
  return (top.names_a_secret && isValueSlot(top.key)) || judgedByName(top.key, value);
}

/** A container is not known to be empty yet, so it counts as full. */
function judgedByName(key: string, value: unknown): boolean {
  return typeof value === 'object' && value !== null ? hidesUnderName(key, { full: 1 }) : hidesUnderName(key, value);
}

function literal(word: string): number | null {
  return word === 'true' || word === 'false' || word === 'null' ? null : Number(word);
}

function decoded(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return raw;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
