/** The bounds of DESIGN 8. Bytes are those of JSON text in UTF-8, after redaction and escaping. */
export const displayBounds = {
  bytes: 4096,
  string_bytes: 256,
  name_bytes: 96,
  members: 32,
  levels: 6,
  /** Characters that one projection reads; what is beyond is said to be not shown. */
  work: 49_152,
} as const;
