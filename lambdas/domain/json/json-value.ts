/** What JSON text can say, and nothing else. Objects may own any key, `__proto__` included. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}
