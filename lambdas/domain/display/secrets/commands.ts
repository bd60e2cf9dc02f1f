/**
 * Secrets by their position in a command: `--token abc`, `mysql -pSECRET`, `curl -u user:pass`, `aws configure set …_key x`.
 * One small state walks the words, the same for a command line and for an array of arguments.
 */
import { judgeName, looksLikeCredential } from './names.ts';
import type { Span } from './spans.ts';
import { isReference } from './values.ts';

type Expected = 'value' | 'credential' | 'after_colon' | 'after_percent' | 'cookie' | 'source';

/** Where a program's own flag takes its secret: in the next word, attached to the flag, or both. */
type FlagForm = readonly [expected: Expected, place: 'next' | 'attached' | 'both', sub?: string];

export interface CommandState {
  program: string;
  expected: Expected | undefined;
  last: string;
  beforeLast: string;
  readonly seen: Set<string>;
}

const user: FlagForm = ['after_colon', 'both'];
const curl = { u: user, U: user, user, E: user, cert: user, 'proxy-user': user, b: ['cookie', 'both'], cookie: ['cookie', 'both'] } as const;
const login = { p: ['value', 'both', 'login'] } as const;
const attachedP = { p: ['value', 'attached'] } as const;
const nextP = { p: ['value', 'both'] } as const;
const nextBigP = { P: ['value', 'both'] } as const;
const httpie = { a: ['after_colon', 'both'], auth: ['after_colon', 'both'] } as const;
const openssl = { pass: ['source', 'next'], passin: ['source', 'next'], passout: ['source', 'next'], k: ['value', 'next'], K: ['value', 'next'] } as const;
const programs: ReadonlyMap<string, Readonly<Record<string, FlagForm>>> = new Map(Object.entries<Readonly<Record<string, FlagForm>>>({
  curl, http: httpie, https: httpie, xh: httpie, openssl,
  mysql: attachedP, mysqldump: attachedP, mysqladmin: attachedP, mysqlimport: attachedP, mysqlsh: attachedP, mariadb: attachedP, 'mariadb-dump': attachedP, '7z': attachedP, '7za': attachedP,
  docker: login, podman: login, nerdctl: login, helm: login, oc: login, az: login, skopeo: login, buildah: login, crane: login,
  sshpass: nextP, mongo: nextP, mongosh: nextP, mongodump: nextP, mongorestore: nextP, cqlsh: nextP, useradd: nextP, usermod: nextP,
  zip: nextBigP, unzip: nextBigP, sqlcmd: nextBigP, bcp: nextBigP, osql: nextBigP, 'redis-cli': { a: ['value', 'both'] },
  ldapsearch: { w: ['value', 'both'] }, ldapadd: { w: ['value', 'both'] }, ldapmodify: { w: ['value', 'both'] }, ldappasswd: { w: ['value', 'both'], s: ['value', 'both'] },
  smbclient: { U: ['after_percent', 'both'] }, rpcclient: { U: ['after_percent', 'both'] }, plink: { pw: ['value', 'next'] }, pscp: { pw: ['value', 'next'] },
  'ssh-keygen': { N: ['value', 'next'], P: ['value', 'next'] }, snmpwalk: { c: ['value', 'both'], A: ['value', 'both'], X: ['value', 'both'] }, snmpget: { c: ['value', 'both'], A: ['value', 'both'], X: ['value', 'both'] },
  gh: { b: ['value', 'both', 'secret'], body: ['value', 'both', 'secret'] },
}));
const longestName = 512;
const longestProgram = 12;
/** Words that change what a later one means. */
const telling = new Set(['login', 'secret', 'put', 'write']);
const setters = new Set(['set', 'setx', 'config', 'config:set', 'setenv', 'put', 'add']);
/** Flags of these forms stand alone or name a place. */
const noValue = /^-+(?:no|without|skip|disable|ask|show|use|with)-/;
const prose = /^(?:to|for|and|or|is|are|in|with|flags?|options?|from|if|when|on|the|a|an|as|instead|arguments?|values?|may|must|can|will|does|was|of|by|at|that|then)[.,;:)]?$/;

export function startCommand(): CommandState {
  return { program: '', expected: undefined, last: '', beforeLast: '', seen: new Set() };
}

/** The part of this word that is a secret, as offsets in it. `inProse` forgives a flag that a sentence talks about. */
export function secretInWord(state: CommandState, word: string, inProse: boolean): Span | undefined {
  const { expected } = state;
  state.expected = undefined;
  const isFlag = /^--?[A-Za-z]/.test(word);
  const span = expected !== undefined && !isFlag ? expectedSpan(expected, word, inProse) : isFlag ? flagSpan(state, word) : plainSpan(state, word);
  if (telling.has(word)) state.seen.add(word);
  state.beforeLast = isFlag ? state.beforeLast : state.last;
  state.last = isFlag ? state.last : word;
  return span;
}

function expectedSpan(expected: Expected, word: string, inProse: boolean): Span | undefined {
  if (word === '' || isReference(word) || (inProse && prose.test(word))) return undefined;
  const whole = { start: 0, end: word.length };
  switch (expected) {
    case 'value': return whole;
    case 'credential': return looksLikeCredential(word) ? whole : undefined;
    case 'cookie': return word.includes('=') ? whole : undefined;
    case 'source': return word.startsWith('pass:') ? { start: 5, end: word.length } : undefined;
    case 'after_colon': return afterMark(word, ':');
    case 'after_percent': return word.includes('%') ? afterMark(word, '%') : undefined;
  }
}

/** `user:` without a password means that the user is the key. */
function afterMark(word: string, mark: string): Span | undefined {
  const at = word.indexOf(mark);
  if (at === -1) return undefined;
  return at === word.length - 1 ? { start: 0, end: at } : { start: at + 1, end: word.length };
}

function flagSpan(state: CommandState, word: string): Span | undefined {
  if (word.length > longestName && !/^-[A-Za-z]/.test(word)) return undefined;
  const literal = /^--from-literal=[^=]*=/.exec(word);
  if (literal !== null && state.seen.has('secret')) return { start: literal[0].length, end: word.length };
  const flags = programs.get(state.program);
  const name = word.replace(/^-+/, '');
  const own = flags === undefined ? undefined : ownFlag(state, flags, name, word.startsWith('--'));
  if (own !== undefined) return shifted(own, word.length - name.length, word.length);
  if (name.length < 3 || !/^[\w.:-]+$/.test(name) || noValue.test(word)) return undefined;
  const judgement = judgeName(name);
  if (judgement !== undefined) state.expected = judgement === 'secret' && !/session$/i.test(name) ? 'value' : 'credential';
  return undefined;
}

function shifted(span: Span, by: number, limit: number): Span | undefined {
  return span.end > span.start ? { start: span.start + by, end: Math.min(span.end + by, limit) } : undefined;
}

/** An empty span says that the flag was known and that its secret, if any, is the next word. */
function ownFlag(state: CommandState, flags: Readonly<Record<string, FlagForm>>, name: string, long: boolean): Span | undefined {
  const assigned = long ? name.indexOf('=') : -1;
  if (assigned > 0) return assignedFlag(flags, name, assigned);
  const exact = Object.hasOwn(flags, name) ? name : undefined;
  const cluster = /^[A-Za-z#0-9]{0,8}?([uUbE])(.*)$/.exec(name);
  const letter = exact ?? (long ? undefined : state.program === 'curl' ? cluster?.[1] : name[0]);
  const form = letter !== undefined && Object.hasOwn(flags, letter) ? flags[letter] : undefined;
  if (letter === undefined || form === undefined || (form[2] !== undefined && !state.seen.has(form[2]))) return undefined;
  const attached = exact !== undefined ? '' : state.program === 'curl' ? (cluster?.[2] ?? '') : name.slice(1);
  if (attached === '') {
    if (form[1] !== 'attached') state.expected = form[0];
    return { start: 0, end: 0 };
  }
  if (form[1] === 'next') return undefined;
  const inner = expectedSpan(form[0], attached, false);
  const offset = name.length - attached.length;
  return inner === undefined ? { start: 0, end: 0 } : { start: inner.start + offset, end: inner.end + offset };
}

/** `--user=ana:abc`. */
function assignedFlag(flags: Readonly<Record<string, FlagForm>>, name: string, assigned: number): Span | undefined {
  const form = Object.hasOwn(flags, name.slice(0, assigned)) ? flags[name.slice(0, assigned)] : undefined;
  const inner = form === undefined ? undefined : expectedSpan(form[0], name.slice(assigned + 1), false);
  return inner === undefined ? undefined : { start: inner.start + assigned + 1, end: inner.end + assigned + 1 };
}

function plainSpan(state: CommandState, word: string): Span | undefined {
  if (word.length > longestName) return undefined;
  const file = word.includes('/') ? word.slice(word.lastIndexOf('/') + 1) : word;
  const program = file.endsWith('.exe') ? file.slice(0, -4) : file;
  if (program.length <= longestProgram && programs.has(program)) state.program = program;
  if (word === 'vault' || word === 'htpasswd') state.program = word;
  const assigned = word.indexOf('=');
  if (assigned > 0 && ((state.last === 'export' && /^(?:\w*_)?k(?:ey)?$/i.test(word.slice(0, assigned))) || (state.program === 'vault' && (state.seen.has('put') || state.seen.has('write'))))) {
    return isReference(word.slice(assigned + 1)) ? undefined : { start: assigned + 1, end: word.length };
  }
  const named = setters.has(state.last) || (word === 'password' && state.beforeLast === 'login');
  if (state.program === 'vault' && state.last === 'login' && looksLikeCredential(word)) return { start: 0, end: word.length };
  if (named && judgeName(word) === 'secret') state.expected = 'value';
  return undefined;
}
