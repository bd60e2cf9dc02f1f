/**
 * Which names promise a secret, in any casing and joining: `clientSecret`, `X-Api-Key`, `dbURLPassword`.
 * Apart from the detectors because names are judged word by word: `max_tokens` and `secretary` stay readable.
 */
const secretEnding = /(?:^|_)(?:[a-z0-9]*(?:password|passwd|passphrase|passcode|pwd|secret|token|apikey|privatekey)|pass|pass_?word|pass_?phrase|authorization|credentials?|cookies?|session|session_?id|jwt|bearer|(?:api|private|secret|access|signing|encryption|master|account|shared|auth)_?key)s?\d*$/;

export function isSensitiveName(name: string): boolean {
  const words = nameWords(name);
  if (words === 'sessions') return false;
  return secretEnding.test(words);
}

/** `max_tokens: 4096` is a count: only text under a plural is a secret. */
export function hidesUnderName(name: string, value: unknown): boolean {
  if (value === null || typeof value === 'boolean' || value === '') return false;
  if (!isSensitiveName(name)) return false;
  return !(typeof value === 'number' && nameWords(name).endsWith('tokens'));
}

function nameWords(name: string): string {
  return name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '').slice(-128)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '');
}
