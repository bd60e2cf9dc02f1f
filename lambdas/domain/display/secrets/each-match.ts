/**
 * All matches of a global pattern, without the copy of the pattern that `matchAll` makes on each call.
 * The place is kept here while a match is used, so a use may read inner text with the same pattern.
 */
export function eachMatch(pattern: RegExp, text: string, use: (match: RegExpExecArray) => void): void {
  let at = 0;
  for (;;) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return;
    at = Math.max(pattern.lastIndex, match.index + 1);
    use(match);
  }
}
