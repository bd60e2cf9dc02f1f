// Reads a page as a strict reader would: text as people see it, form fields, and anything that could run a script.

/** What a person reads: no tags, no style, entities resolved. */
export function textOf(page: string): string {
  return unescaped(page.replace(/<head>[\s\S]*?<\/head>/, '').replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ').trim();
}

/** The text of the element with this id's section, up to its end. */
export function sectionOf(page: string, labelledBy: string): string {
  const start = page.indexOf(`aria-labelledby="${labelledBy}"`);
  return start === -1 ? '' : textOf(page.slice(page.indexOf('>', start) + 1, page.indexOf('</section>', start)));
}

export function fieldOf(page: string, name: string): string | undefined {
  const found = new RegExp(`<input type="hidden" name="${name}" value="([^"]*)">`).exec(page)?.[1];
  return found === undefined ? undefined : unescaped(found);
}

/** Every element and attribute name of the page, as `img` and `img@onerror`. */
export function namesIn(page: string): readonly string[] {
  return [...page.matchAll(/<([a-z][a-z0-9]*)((?:\s+[^\s=>"']+(?:="[^"]*")?)*)\s*>/gi)].flatMap(([, element = '', attributes = '']) => [
    element.toLowerCase(),
    ...[...attributes.matchAll(/\s+([^\s=>"']+)(?:="[^"]*")?/g)].map(([, attribute = '']) => `${element}@${attribute}`.toLowerCase()),
  ]);
}

/** `<` that opens something other than a whole tag of ours: none, if everything is escaped. */
export function strayBrackets(page: string): readonly string[] {
  const body = page.replace(/<style>[\s\S]*?<\/style>/, '');
  return body.replace(/<!doctype html>|<\/?[a-z][a-z0-9]*(?:\s+[a-z-]+(?:="[^"<>]*")?)*\s*>/gi, '').match(/[<>]/g) ?? [];
}

function unescaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_all, name: string) => entities[name] ?? '');
}
