/** One row of the full view: where a value stands, its kind, and what of it is shown. */

export interface Placed {
  /** How deep it stands: 0 for the arguments themselves. */
  readonly level: number;
  /** The member's name, redacted and visible. */
  readonly name?: string;
  /** The place in its list, from 1. */
  readonly item?: number;
}

/** A text may be parted over pages. */
interface Parted {
  readonly text: string;
  readonly continued?: boolean;
  readonly goes_on?: boolean;
}

/** `name`: a name too long to stand beside its value, which is the next row. */
export type FullRow = Placed &
  (
    | (Parted & { readonly kind: 'text' })
    | (Parted & { readonly kind: 'name' })
    | { readonly kind: 'number'; readonly text: string }
    | { readonly kind: 'boolean'; readonly text: string }
    | { readonly kind: 'null' }
    | { readonly kind: 'hidden' }
    | { readonly kind: 'list'; readonly size: number }
    | { readonly kind: 'object'; readonly size: number }
  );
