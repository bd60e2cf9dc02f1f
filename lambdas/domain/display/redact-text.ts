/**
 * Hides the secrets that stand in text: credentials after a scheme word, in URLs, after a sensitive label.
 * Only the secret's span is replaced, so that two different calls stay different to the eye.
 */
import { isSensitiveName } from './sensitive-names.ts';

export const hidden = '⟨hidden⟩';

export interface RedactedText {
  readonly text: string;
  readonly hidden: number;
}

const schemeCredential = /\b(bearer|basic)(\s+)(?=[^\s"']*[\d=:_-]|[^\s"']{12})[^\s"'⟨⟩]{6,}/gi;
const urlUserInfo = /([a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@"'⟨⟩]*:)([^\s"'⟨⟩]+)(?=@)/gi;
const labelled = /([\w-]{1,64})(["']?\s{0,4}[=:]\s{0,4}|\s+)(?:"([^"⟨⟩]+)"?|'([^'⟨⟩]+)'?|([^\s"'&;,⟨⟩]+))/g;
const pem = /-----BEGIN [A-Z ]{1,40}-----[\s\S]*?(?:-----END [A-Z ]{1,40}-----|$)/g;
const families = /AKIA[0-9A-Z]{16}|gh[pousr]_\w{10,}|eyJ[\w-]{4,}\.[\w-]+(?:\.[\w-]*)?|xox[abprs]-[\w-]{8,}/g;

export function redactText(text: string): RedactedText {
  let count = 0;
  const hide = (): string => {
    count += 1;
    return hidden;
  };
  const shown = text
    .replace(pem, hide)
    .replace(schemeCredential, (_all, scheme: string, gap: string) => `${scheme}${gap}${hide()}`)
    .replace(urlUserInfo, (_all, before: string) => `${before}${hide()}`)
    .replace(families, hide)
    .replace(labelled, (all: string, label: string, gap: string) => {
      const flag = label.startsWith('--') || /[=:]/.test(gap);
      if (!flag || !isSensitiveName(label) || /^(?:bearer|basic)/i.test(all.slice(label.length + gap.length))) return all;
      return `${label}${gap}${hide()}`;
    });
  return { text: shown, hidden: count };
}
