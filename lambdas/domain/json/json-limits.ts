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
