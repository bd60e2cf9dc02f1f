/**
 * The words that stand where something was hidden or cut, and the grammar that recognises them.
 * A mark is left alone by every later step, which is what makes a projection of a projection the same text.
 * For that reason an agent can type a mark too: the counts in `redaction` say how many are ours.
 */
export const hiddenMark = '⟨hidden⟩';
export const unshowableMark = '⟨cannot be shown⟩';
export const cutMember = '⟨cut⟩';

const anyMark =
  /⟨(?:hidden|cut|cannot be shown|not given|\d{1,15}|\d{1,15} (?:spaces|line breaks)|(?:at least )?\d{1,15} bytes cut|\d{1,15} more (?:items|members)|(?:array|object) of \d{1,15}|host [a-z0-9.-]{1,253}|host not (?:valid|checked))⟩/g;
const onlyMark = new RegExp(`^${anyMark.source}$`);
export const longestMark = 264;

export function spacesMark(count: number): string {
  return `⟨${count} spaces⟩`;
}

export function lineBreaksMark(count: number): string {
  return `⟨${count} line breaks⟩`;
}

/** `exact` is false where counting every byte would cost more than showing the text. */
export function bytesCutMark(count: number, exact = true): string {
  return exact ? `⟨${count} bytes cut⟩` : `⟨at least ${count} bytes cut⟩`;
}

export function moreMark(count: number, kind: 'items' | 'members'): string {
  return `⟨${count} more ${kind}⟩`;
}

export function collectionMark(count: number, kind: 'array' | 'object'): string {
  return `⟨${kind} of ${count}⟩`;
}

export function isMark(text: string): boolean {
  return text.startsWith('⟨') && text.length <= longestMark && onlyMark.test(text);
}

/** Start and end of each mark in the text, in order. */
export function marksIn(text: string): readonly (readonly [number, number])[] {
  if (!text.includes('⟨')) return [];
  return [...text.matchAll(anyMark)].map((found) => [found.index, found.index + found[0].length] as const);
}
