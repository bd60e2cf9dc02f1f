// The per-operation hash chain: each event carries the digest of the one before and of itself, so that a changed,
// removed or reordered event shows (invariant I-13). The stored text is the canonical form, and the only form.
import type * as z from 'zod';
import { EVENT_SOURCE, eventSchema, type EventDraft, type OperationEvent, type Scope } from './events.ts';
import { canonicalJson } from './json/canonical-json.ts';
import { sha256Digest } from './json/digest.ts';
import type { JsonObject } from './json/json-value.ts';
import { parseJson } from './json/parse-json.ts';
import type { Instant } from './times.ts';

/** The last event of a log, as far as the next one must know it. Before event 1: sequence 0 and no hash. */
export interface Tail {
  readonly sequence: number;
  readonly hash: string;
}

/** Has a digest's form, so that a draft can be read before it has its hash. */
const UNSEALED = `sha256:${'0'.repeat(64)}`;

export const BEFORE_FIRST: Tail = { sequence: 0, hash: '' };

export interface Circumstance {
  readonly operation_id: string;
  readonly scope: Scope;
  readonly time: Instant;
  /** The event or command that led to this one. */
  readonly causation_id: string;
}

export interface SealedEvent<E = OperationEvent> {
  readonly event: E;
  /** Canonical JSON of the event, `hash` included: what is stored and published, byte for byte. */
  readonly text: string;
}

/** Gives an operation's draft its place after `tail`. */
export function seal(draft: EventDraft, tail: Tail, { operation_id, scope, time, causation_id }: Circumstance): SealedEvent {
  return sealEvent(eventSchema, { type: draft.type, data: { ...draft.data, scope } }, tail, { subject: operation_id, time, causation_id });
}

interface Place {
  readonly subject: string;
  readonly time: Instant;
  readonly causation_id: string;
}

export function sealEvent<S extends z.ZodType>(schema: S, draft: { readonly type: string; readonly data: object }, tail: Tail, { subject, time, causation_id }: Place): SealedEvent<z.output<S>> {
  const sequence = tail.sequence + 1;
  const unsealed = withoutAbsent({
    specversion: '1.0',
    id: `${subject}/${sequence}`,
    source: EVENT_SOURCE,
    type: draft.type,
    subject,
    time,
    datacontenttype: 'application/json',
    dataschema: `urn:countersign:event:${draft.type}:1`,
    data: { ...draft.data, sequence, causation_id, previous_hash: tail.hash },
  });
  // Through the schema first: what the catalogue does not know is neither hashed nor stored.
  const known = withoutAbsent(schema.parse({ ...unsealed, data: { ...(unsealed['data'] as JsonObject), hash: UNSEALED } }) as object) as JsonObject & { readonly data: JsonObject };
  const data = Object.fromEntries(Object.entries(known.data).filter(([member]) => member !== 'hash'));
  const sealed = { ...known, data: { ...data, hash: sha256Digest(canonicalJson({ ...known, data })) } };
  return { event: schema.parse(sealed), text: canonicalJson(sealed) };
}

/** Checks one stored text against its own hash and the tail before it. Answers what is wrong, or undefined. */
export function chainFault(text: string, tail: Tail): string | undefined {
  const stored = eventIn(text);
  if (stored === undefined) return `what follows event ${tail.sequence} is no event`;
  const { hash, ...data } = stored.data;
  if (data['sequence'] !== tail.sequence + 1) return `event ${JSON.stringify(data['sequence'])} follows event ${tail.sequence}`;
  if (data['previous_hash'] !== tail.hash) return `event ${tail.sequence + 1} does not name the hash of the event before it`;
  if (sha256Digest(canonicalJson({ ...stored, data })) !== hash) return `event ${tail.sequence + 1} does not have the hash that it carries`;
  if (canonicalJson(stored) !== text) return `event ${tail.sequence + 1} is not stored in its canonical form`;
  return undefined;
}

function eventIn(text: string): (JsonObject & { readonly data: JsonObject }) | undefined {
  try {
    const value = parseJson(text);
    const data: unknown = typeof value === 'object' && value !== null && 'data' in value ? value.data : undefined;
    return typeof data === 'object' && data !== null && !Array.isArray(data) ? (value as JsonObject & { readonly data: JsonObject }) : undefined;
  } catch {
    return undefined;
  }
}

function withoutAbsent(value: object): JsonObject {
  return parseJson(JSON.stringify(value)) as JsonObject;
}
