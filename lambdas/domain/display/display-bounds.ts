/** The bounds of DESIGN 8. Bytes are those of JSON text in UTF-8, after redaction and escaping. */
export const displayBounds = {
  bytes: 4096,
  string_bytes: 256,
  name_bytes: 96,
  members: 32,
  levels: 6,
  /** Units of reading (text-work.ts), about two milliseconds at worst; what is beyond is said to be not shown. */
  work: 32_768,
} as const;
