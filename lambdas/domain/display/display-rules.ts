/** What a tool's definition says about its display. Paths are JSON Pointers (RFC 6901); a path covers everything below it. */
export interface DisplayRules {
  /** Shown first; if one does not fit, approving needs the full redacted view. */
  readonly critical?: readonly string[];
  readonly always_hidden?: readonly string[];
  /** When present, everything outside these paths is hidden. */
  readonly allow_only?: readonly string[];
  /** For tools of high risk: any cut, not only of a critical field, asks for the full redacted view. */
  readonly full_view_when_cut?: boolean;
}

export function memberPointer(parent: string, key: string): string {
  return `${parent}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export function isUnder(pointers: readonly string[] | undefined, pointer: string): boolean {
  return pointers?.some((each) => pointer === each || pointer.startsWith(`${each}/`)) ?? false;
}

/** True for the ancestors of a path too: they must be walked to reach it. */
export function leadsTo(pointers: readonly string[] | undefined, pointer: string): boolean {
  return pointers?.some((each) => each === pointer || each.startsWith(`${pointer}/`)) ?? false;
}
