// Documents of every kind that the display has to do with, made from a number: the same number, the same document, on
// every machine and under every version of any library.
import type { JsonValue } from '../../lambdas/domain/json/json-value.ts';
import type { DisplayRules } from '../../lambdas/domain/display/project-display.ts';

const WORDS = ['deploy', 'the', 'customer', 'refund', 'of', 'invoice', 'please', 'north-3', 'v1.2.3', '2026-12-01', 'a/b/c.txt', '42', 'eu-west-1', 'ok,', 'and', 'then:', '(see', 'below)', 'über', '日本語', '🟡', '👩\u200d👧', 'e\u0301', '\u202e', '\u200b', '\t', '\n', '  ', '"quoted"', "it's", '\\', '⟨hidden⟩', '⟨3 spaces⟩', '//ex\u0430mple.com', '{', ']', ';', '|', '&&'];
const SECRET = ['Zq8', 'Zq8Wq9Er7Ty6', 'hunter2!', 's3cret/with/slash', 'two words', 'Zq8Wq9Er7Ty6Ui5Op4As3Df2Gh1Jk0Lz9Xc8Vb7Nm6', '12345678', 'pa$$w@rd', 'ÄÖÜäöü12', 'x'.repeat(300)];
const NAMES = ['name', 'value', 'key', 'id', 'note', 'password', 'api_key', 'clientSecret', 'token', 'max_tokens', 'auth', 'session', 'Authorization', 'Cookie', 'data', 'stringData', 'kind', 'url', 'env', 'command', 'args', 'description', '__proto__', 'a/b', '', 'ключ', 'x'.repeat(90), 'critical', 'items', 'path'];
const FRAMES: readonly ((secret: string, word: string) => string)[] = [
  (secret) => `password=${secret}`, (secret) => `--token ${secret}`, (secret) => `{"api_key":"${secret}"}`, (secret, word) => `https://u:${secret}@h/${word}`, (secret) => `Authorization: Bearer ${secret}`, (secret) => `Cookie: a=${secret}; b=c`,
  (secret) => `curl -u ana:${secret} https://h`, (secret) => `mysql -p${secret} db`, (secret) => `password: |\n  ${secret}\nother: x`, (secret) => `<password>${secret}</password>`, (secret) => `?a=b&token=${secret}&c=d`, (secret) => `export API_KEY=${secret}`,
  (secret) => `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`, (secret) => `kind: Secret\ndata:\n  a: ${secret}\n`, (secret) => `"password": "${secret}"`, (secret) => `the password is ${secret}`, (secret) => `echo ${secret} | docker login --password-stdin`,
  (secret) => `setenv('DB_PASSWORD', '${secret}')`, (secret) => `aws configure set aws_secret_access_key ${secret}`, (secret) => `X-Api-Key: ${secret}`, (secret) => `gh secret set A -b ${secret}`, (secret) => `auth=('u', '${secret}')`, (secret) => `token%3D${secret}%26a`, (secret) => `bash -c "tool --secret ${secret}"`,
];

/** Numbers from 0 to 1, from a seed (mulberry32). */
function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function textOf(seed: number): string {
  const next = chance(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  const parts = Array.from({ length: 1 + Math.floor(next() * (next() < 0.04 ? 90 : 10)) }, () => {
    if (next() < 0.12) return pick(FRAMES)(pick(SECRET), pick(WORDS));
    return next() < 0.01 ? pick(WORDS).repeat(90) : pick(WORDS);
  });
  return parts.join(next() < 0.15 ? '\n' : ' ');
}

export function documentOf(seed: number): { readonly value: JsonValue; readonly rules: DisplayRules } {
  const next = chance(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  const leaf = (): JsonValue => pick<() => JsonValue>([() => textOf(Math.floor(next() * 1e9)), () => textOf(Math.floor(next() * 1e9)), () => pick(WORDS), () => pick(SECRET), () => Math.floor(next() * 1e6), () => next() * 1e-3, () => null, () => next() < 0.5])();
  const command = (): JsonValue => ['curl', '-u', `ana:${pick(SECRET)}`, '--token', pick(SECRET), pick(WORDS), '-p', pick(SECRET)].slice(0, 1 + Math.floor(next() * 8));
  let left = 70;
  const node = (depth: number): JsonValue => {
    const size = next() < 0.06 ? 30 + Math.floor(next() * 20) : Math.floor(next() * 6);
    const kind = depth > 7 || (left -= 1) < 0 ? 0 : next();
    if (kind < 0.35) return leaf();
    if (kind < 0.42) return command();
    if (kind < 0.47) return [{ name: 'DB_PASSWORD', value: pick(SECRET) }, { name: 'COLOR', value: pick(WORDS) }];
    if (kind < 0.5) return [pick(NAMES), pick(SECRET)];
    if (kind < 0.55) return JSON.stringify({ [pick(NAMES)]: pick(SECRET), inner: JSON.stringify({ password: pick(SECRET) }) }).slice(0, next() < 0.3 ? 30 : undefined);
    if (kind < 0.58) return { kind: 'Secret', metadata: { name: pick(WORDS) }, data: { a: pick(SECRET) } };
    if (kind < 0.75) return Array.from({ length: size }, () => node(depth + 1));
    return Object.fromEntries(Array.from({ length: size }, (_, index) => [next() < 0.8 ? pick(NAMES) : `${pick(NAMES)}_${index}`, node(depth + 1)]));
  };
  const value: JsonValue = next() < 0.9 ? { critical: next() < 0.5 ? leaf() : { path: leaf() }, body: node(1), more: node(1) } : node(0);
  const rules = pick<DisplayRules>([{}, {}, {}, { critical: ['/critical'] }, { critical: ['/critical/path', '/body/*'] }, { always_hidden: ['/more', '/body/*'] }, { allow_only: ['/body', '/critical'] }, { full_view_when_cut: true }]);
  return { value, rules };
}
