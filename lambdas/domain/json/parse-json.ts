// Reads JSON text of our own: stored events, rows and canonical arguments. JSON.parse of Node 24 may take one object key
// for another once the process has met a key with a backslash (nodejs/node#63785); one caller's call must not be able to
// change how the next one's is read.
import type { JsonValue } from './json-value.ts';
import { readJsonText } from './strict-reader.ts';

const UNBOUNDED = { max_bytes: Number.MAX_SAFE_INTEGER, max_members: Number.MAX_SAFE_INTEGER };

/** @throws SyntaxError when the text is not JSON as the strict reader takes it; the message holds no values. */
export function parseJson(text: string): JsonValue {
  const reading = readJsonText(text, UNBOUNDED);
  if (reading.ok) return reading.value;
  throw new SyntaxError(`not JSON of ours: ${reading.refusal.reason}`);
}

/** Reads what a tool returned: numbers that our own text never holds are read as JavaScript reads them. */
export function parseForeignJson(text: string): unknown {
  const reading = readJsonText(text, UNBOUNDED);
  return reading.ok ? reading.value : JSON.parse(text);
}
