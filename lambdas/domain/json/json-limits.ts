/** The bounds of one JSON text, checked before any work that they bound. All are inclusive. */
export interface JsonLimits {
  /** Bytes of UTF-8, white space included. */
  readonly max_bytes: number;
  /** Nested arrays and objects; a bare scalar has depth 0. */
  readonly max_depth: number;
  /** Object members and array elements of the whole text together. */
  readonly max_members: number;
}

export const JSON_LIMITS: JsonLimits = {
  max_bytes: 1_048_576,
  max_depth: 64,
  max_members: 250_000,
};

/** A limit that a caller leaves out, or sets to undefined, stays at its default: forgetting one never opens the door. */
export function withDefaults(limits: Partial<JsonLimits> | undefined): JsonLimits {
  if (limits === undefined) return JSON_LIMITS;
  const { max_bytes = JSON_LIMITS.max_bytes, max_depth = JSON_LIMITS.max_depth, max_members = JSON_LIMITS.max_members } = limits;
  return { max_bytes, max_depth, max_members };
}
