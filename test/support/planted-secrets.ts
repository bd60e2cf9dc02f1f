/**
 * Secrets in every shape that the display must recognise, written in letters that the text around them never uses,
 * so that four of them in a row can only come from the secret.
 */
export const secretLetters = 'QXZJWVKY';
export const fourOfASecret = new RegExp(`[${secretLetters}]{4}`);

export interface Shape {
  readonly name: string;
  readonly write: (secret: string) => string;
  /** Needs white space or a line start before it. */
  readonly standsAlone?: boolean;
  /** The shortest secret that is recognised without a label. */
  readonly least?: number;
}

export const shapes: readonly Shape[] = [
  { name: 'Bearer credential', write: (s) => `Bearer ${s}`, standsAlone: true, least: 8 },
  { name: 'Authorization header', write: (s) => `Authorization: Bearer ${s}`, standsAlone: true },
  { name: 'Basic credential', write: (s) => `'authorization: basic ${s}='`, standsAlone: true },
  { name: 'password assignment', write: (s) => `password=${s}` },
  { name: 'environment assignment', write: (s) => `export DB_PASSWORD='${s}'`, standsAlone: true },
  { name: 'long flag', write: (s) => `--token ${s}`, standsAlone: true },
  { name: 'long flag with equals', write: (s) => `--client-secret="${s}"`, standsAlone: true },
  { name: 'JSON member', write: (s) => `"api_key": "${s}"` },
  { name: 'escaped JSON member', write: (s) => `{\\"secret\\":\\"${s}\\"}` },
  { name: 'URL password', write: (s) => `https://user:${s}@host/path` },
  { name: 'URL password with @', write: (s) => `postgres://user:${s}@${s}@host/db` },
  { name: 'query parameter', write: (s) => `https://host/x?access_token=${s}&page=2` },
  { name: 'web token', write: (s) => `eyJ${s}aa.eyJ${s}.${s}`, least: 8 },
  { name: 'GitHub token', write: (s) => `ghp_${s}${s}`, least: 8 },
  { name: 'AWS access key', write: (s) => `AKIA${s}${s}`, least: 8 },
  { name: 'key in PEM', write: (s) => `-----BEGIN PRIVATE KEY-----\n${s}\n${s}\n-----END PRIVATE KEY-----` },
  { name: 'key in open PEM', write: (s) => `-----BEGIN EC PRIVATE KEY-----\n${s}\n${s}` },
  { name: 'attached flag', write: (s) => `mysql -u root -p${s} db`, standsAlone: true },
  { name: 'curl user', write: (s) => `curl -u user:${s} host`, standsAlone: true },
  { name: 'Cookie header', write: (s) => `-H 'Cookie: sid=${s}; other=${s}'`, standsAlone: true },
  { name: 'connection string', write: (s) => `Server=db;Password=${s};Database=d` },
  { name: 'XML element', write: (s) => `<password>${s}</password>` },
  { name: 'YAML line', write: (s) => `\n  password: ${s}\n`, standsAlone: true },
  { name: 'setter call', write: (s) => `setenv("DB_PASSWORD", "${s}")`, standsAlone: true },
  { name: 'percent-encoded parameter', write: (s) => `url=https%3A%2F%2Fh%3Ftoken%3D${s}%26a%3D1` },
];

export interface Surrounding {
  readonly name: string;
  /** At least `length` UTF-16 units, without any letter of a secret. */
  readonly write: (length: number) => string;
  /** Ends and starts with white space, so that words beside it stand alone. */
  readonly spaced: boolean;
}

const prose = 'the refund for the order was asked for by the owner of the account and it is due ';
const code = 'for item in items:\n    if item.count > 3:\n        print(item.name)\n';
const repeated = (unit: string) => (length: number): string => unit.repeat(Math.ceil(length / unit.length) + 1);

export const surroundings: readonly Surrounding[] = [
  { name: 'prose', write: repeated(prose), spaced: true },
  { name: 'code', write: repeated(code), spaced: true },
  { name: 'one unbroken run', write: repeated('a'), spaced: false },
  { name: 'mixed unbroken run', write: repeated('abcdefgh0123'), spaced: false },
  { name: 'Japanese', write: repeated('返金は注文の所有者によって要求されました。'), spaced: false },
];

/** A secret of this length in its own letters, without a repeating pattern. */
export function secretOf(length: number, seed = 7): string {
  let state = seed;
  let secret = '';
  while (secret.length < length) {
    state = (state * 1103515245 + 12345) % 2147483648;
    secret += secretLetters[Math.floor(state / 65536) % secretLetters.length] ?? 'Q';
  }
  return secret;
}

/** The secret's shape at this offset of a text of about `length` units. */
export function planted(shape: Shape, surrounding: Surrounding, place: { readonly at: number; readonly length: number; readonly secret: string }): string {
  const text = surrounding.write(place.length);
  const space = shape.standsAlone === true && !surrounding.spaced ? ' ' : '';
  const gap = surrounding.spaced ? ' ' : space;
  return `${text.slice(0, place.at)}${gap}${shape.write(place.secret)}${gap}${text.slice(place.at, place.length)}`;
}
