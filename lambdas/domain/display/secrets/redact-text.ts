/**
 * Hides the secrets in one text: the only place that knows all detectors.
 * Each detector is linear in the text, so the whole is; none sees what another replaced.
 */
import { commandSecrets } from './command-lines.ts';
import { jsonTextSecrets, looksLikeJson } from './json-text.ts';
import { labelledSecrets } from './labels.ts';
import { markupSecrets } from './markup.ts';
import { pemSecrets } from './pem.ts';
import { phrasedSecrets } from './phrases.ts';
import { replaceSpans } from './spans.ts';
import type { Replaced, Span } from './spans.ts';
import { tokenSecrets } from './tokens.ts';
import { urlSecrets } from './urls.ts';

export interface TextPlace {
  /** The name of the member that holds the text. */
  readonly name?: string | undefined;
  /** Text precedes or follows what is given. */
  readonly cut_before?: boolean;
  readonly cut_after?: boolean;
  /** How many strings of JSON are around this text. */
  readonly level?: number;
}

const jsonLevels = 2;
/** Supersets of what any detector starts from: a sign, a long run, or a word that announces the next one. */
const signs = /[|=:：＝@"'`\\<%]|-----|(?:^|[\s(])-|(?<![\w+/=.-])[\w+/=.-]{12}|sk-/;
const announcing = /\botp\b|\bpin\b|code|bearer|basic|pass|secret|token|key|cookie|config|\b(?:set|put|export|login|add|kind)/i;

export function redactText(text: string, place: TextPlace = {}): Replaced {
  if (text.length < 5 || !(signs.test(text) || (/\s/.test(text) && announcing.test(text)))) return { text, hidden: 0 };
  return replaceSpans(text, secretsIn(text, place));
}

/** All spans to hide, in no order. */
export function secretsIn(text: string, place: TextPlace): readonly Span[] {
  const { cut_before = false, cut_after = false, level = 0 } = place;
  if (looksLikeJson(text)) {
    if (level >= jsonLevels && text.includes('"')) return [{ start: 0, end: text.length }];
    const spans = jsonTextSecrets(text, cut_after, (inner, name) => redactText(inner, { name, level: level + 1, cut_after }));
    if (spans !== undefined) return spans;
  }
  const found: Span[] = [];
  pemSecrets(text, cut_before, found);
  tokenSecrets(text, place.name, found);
  urlSecrets(text, found);
  labelledSecrets(text, cut_after, found);
  phrasedSecrets(text, found);
  commandSecrets(text, cut_after, found);
  markupSecrets(text, cut_before || cut_after, cut_after, found);
  return found;
}

