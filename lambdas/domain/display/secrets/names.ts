/**
 * Which names promise a secret, in any casing and joining: `clientSecret`, `X-Api-Key`, `dbURLPassword`.
 * A name is judged by its last words: `max_tokens`, `token_type` and `secretary` are read as what they are.
 * `weak` names (`auth`, `pass`, `session_name`-like) hide a value only if it looks like a credential.
 */
export type NameJudgement = 'secret' | 'weak' | undefined;

/** Superset of everything below: a name without these letters needs no closer look. */
const worthALook = /pass|pwd|pswd|pw$|secret|tok|auth|cred|cook|key|sess|jwt|bearer|pin|otp|cv[vc2]|code|mnemonic|phrase|wort|contrase|sessid|dockerc|[^\x00-\x7f]/i;
const longestName = 128;

const secretWord = words(
  'password passwd passphrase passcode passkey pwd pswd pw secret secrets token authorization credential credentials cred creds cookie cookies',
  'session sessionid phpsessid jsessionid jwt bearer totp otp cvv cvc cvv2 mnemonic dockerconfigjson dockercfg passwort kennwort motdepasse contrasena',
);
const secretEnding = /(?:password|passwd|passphrase|passcode|pwd|secret|token|cookie|(?:api|private|secret|access|signing|encryption|master|auth|ssh|account|shared)key)s?$/;
const weakWord = words('auth pass pin');
/** Words after which `key`, `code`, `phrase`, `word` or `id` name a secret. */
const before: Readonly<Record<string, ReadonlySet<string>>> = {
  key: words('api private secret access signing encryption master account shared auth ssh subscription license webhook deploy hmac aes rsa gpg pgp session bearer admin'),
  code: words('auth authorization verification security otp mfa totp sms backup recovery'),
  phrase: words('seed recovery secret pass backup'),
  word: words('pass'),
  id: words('session secret'),
  string: words('secret'),
  binary: words('secret'),
  text: words('secret password'),
};
const countedBefore = words('max min num n total input output prompt completion cached reasoning used remaining avg average eos bos pad unk sep mask stop special start end');
const joinedCount = /^(?:max|min|num|total|input|output|prompt|completion)tokens$/;
/** Says how the secret is written or which one it is, not what else the name means. */
const afterthought = words('value plain plaintext raw base64 b64 encoded confirm confirmation confirmed again new old current repeat str base hash header json');

export function judgeName(name: string): NameJudgement {
  if (!worthALook.test(name)) return undefined;
  const parts = nameWords(name);
  while (parts.length > 1 && afterthought.has(parts.at(-1) ?? '')) parts.pop();
  const last = parts.at(-1) ?? '';
  const previous = parts.at(-2) ?? '';
  if (last === 'sessions' || joinedCount.test(last)) return undefined;
  if ((last === 'token' || last === 'tokens') && countedBefore.has(previous)) return undefined;
  if (secretWord.has(last) || secretEnding.test(last)) return 'secret';
  const pair = before[last.replace(/s$/, '')]?.has(previous) ?? false;
  if (pair) return last === 'id' && previous === 'secret' ? 'weak' : 'secret';
  return weakWord.has(last) ? 'weak' : undefined;
}

/** Whether a member of this name hides its value. */
export function hidesUnderName(name: string, value: unknown): boolean {
  return hidesUnder(name, value, judgeName(name));
}

/** Numbers under plural `tokens` are counts; nothing is learnt from null or a boolean. */
export function hidesUnder(name: string, value: unknown, judgement: NameJudgement): boolean {
  if (judgement === undefined || value === null || typeof value === 'boolean' || value === '') return false;
  if (typeof value === 'number') return judgement === 'secret' ? !/tokens$/i.test(name) : value >= 1000;
  if (judgement === 'secret') return typeof value !== 'object' || Object.keys(value).length > 0;
  return typeof value === 'string' && (!/id$/i.test(name) || looksLikeCredential(value));
}

/** Names under which a long random-looking value is what the approver must be able to read. */
export function namesAnIdentifier(name: string): boolean {
  return /(?:id|ids|uuid|guid|hash|digest|checksum|sha\d*|md5|etag|commit|revision|version|trace|span|ref|arn|url|uri|cursor|fingerprint|data|image|blob)$/i.test(name);
}

/** No white space, no resource name of AWS, and either long or mixed as words are not. */
export function looksLikeCredential(text: string): boolean {
  if (text.length < 6 || /\s/.test(text) || text.startsWith('arn:aws')) return false;
  return text.length >= 20 || /\d/.test(text) || /[a-z][A-Z]/.test(text) || /[^\w.,:;!?)'"/-]/.test(text);
}

function nameWords(name: string): string[] {
  const known = name.slice(-longestName);
  const plain = /[^\x00-\x7f]/.test(known) ? folded(known) : known;
  const split = /[A-Z]/.test(plain) ? plain.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2').toLowerCase() : plain;
  const parts = split.split(/[^a-z0-9]+/).filter((word) => word !== '');
  return /\d/.test(split) ? parts.map((word) => word.replace(/(?<=[a-z])\d{1,3}$/, '')).filter((word) => !/^\d+$/.test(word)) : parts;
}

/** Full-width letters, accents and characters of no width do not make another name. */
function folded(name: string): string {
  return name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFD').replace(/\p{M}/gu, '');
}

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '));
}
