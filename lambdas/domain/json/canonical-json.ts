// The canonical form of a value: RFC 8785 (JCS) exactly. The same value gives the same text on every machine.
// What is not plain JSON is refused with its path, never dropped, replaced or asked for its toJSON:
// a value that is hashed differently from how it is shown or run would void every approval.
// The native serialiser writes strings and numbers as the RFC wants; only the order of members is ours.

import type { JsonValue } from './json-value.ts';
import { nonJsonIn } from './plain-json.ts';
import { arrange, Written } from './sorted-copy.ts';

/** @throws TypeError naming the path (RFC 6901) of what is not plain JSON. */
export function canonicalJson(value: JsonValue): string {
  if ('toJSON' in Object.prototype || 'toJSON' in Array.prototype) throw new TypeError('A built-in prototype has been given a toJSON.');
  const arranged = arrange(value, 0);
  if (arranged === undefined) throw new TypeError(nonJsonIn(value));
  return arranged instanceof Written ? arranged.text : JSON.stringify(arranged);
}
