// RFC 8785 once more, in the plainest way and for plain JSON only: the second opinion that the fast one is held against.

import type { JsonValue } from '../../lambdas/domain/json/json-value.ts';

export function naiveCanonicalJson(value: JsonValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return String(value === 0 ? 0 : value);
  if (typeof value === 'string') return naiveString(value);
  if (Array.isArray(value)) return `[${value.map(naiveCanonicalJson).join(',')}]`;
  const members = Object.entries(value).sort(([one], [other]) => compareUnits(one, other));
  return `{${members.map(([key, member]) => `${naiveString(key)}:${naiveCanonicalJson(member)}`).join(',')}}`;
}

/** Section 3.2.3: by UTF-16 code units, the shorter first when one is the beginning of the other. */
function compareUnits(one: string, other: string): number {
  for (let at = 0; at < Math.min(one.length, other.length); at += 1) {
    const difference = one.charCodeAt(at) - other.charCodeAt(at);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '"': '\\"', '\\': '\\\\' };

/** Section 3.2.2.2: two-character escapes where JSON has them, `\u00xx` for other controls, all else as it is. */
function naiveString(value: string): string {
  let out = '';
  for (let at = 0; at < value.length; at += 1) {
    const unit = value.charAt(at);
    const code = value.charCodeAt(at);
    out += SHORT_ESCAPES[unit] ?? (code < 0x20 ? `\\u${code.toString(16).padStart(4, '0')}` : unit);
  }
  return `"${out}"`;
}
