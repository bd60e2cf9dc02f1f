// Which calls a rule speaks of: `*`, `tool:<glob>` or `mcp:<server>/<tool glob>`, judged on the name exactly as the
// model calls it. `*` stands for any run of characters and `?` for one; everything else is itself.

/** An MCP tool is called `<server>/<tool>`, whatever type the caller says its call has. */
export function isMcpName(name: string): boolean {
  return name.includes('/');
}

export function targetMatches(target: string, name: string): boolean {
  return globMatches(patternOf(target), name) && (!target.startsWith('mcp:') || isMcpName(name));
}

/** True if some name could be meant by both: then a looser rule could contradict a stricter one. */
export function targetsOverlap(one: string, other: string): boolean {
  return globsOverlap(patternOf(one), patternOf(other));
}

function patternOf(target: string): string {
  return target.replace(/^(tool|mcp):/, '');
}

/** Two pointers and one point to come back to: linear but for the last `*`, and never recursive. */
export function globMatches(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let index = 0; index < name.length; ) {
    if (pattern[at] === '*') {
      star = at;
      at += 1;
      resume = index;
    } else if (pattern[at] === '?' || (at < pattern.length && pattern[at] === name[index])) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      index = resume;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}

/** Walks both patterns at once over all pairs of positions; targets are short, so the square is small. */
function globsOverlap(one: string, other: string): boolean {
  const seen = new Set<number>();
  const width = other.length + 1;
  const open: [number, number][] = [[0, 0]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [i, j] = pair;
    if (i === one.length && j === other.length) return true;
    if (seen.has(i * width + j)) continue;
    seen.add(i * width + j);
    const a = one[i];
    const b = other[j];
    if (a === '*') open.push([i + 1, j]);
    if (b === '*') open.push([i, j + 1]);
    if (a === undefined || b === undefined) continue;
    if (a === '*' && b !== '*') open.push([i, j + 1]);
    if (b === '*' && a !== '*') open.push([i + 1, j]);
    if (a !== '*' && b !== '*' && (a === b || a === '?' || b === '?')) open.push([i + 1, j + 1]);
  }
  return false;
}
