// The regular expressions of JSONata conditions on RE2's algorithm: linear in the text, so that no argument that an
// agent sends can hold up the gate. Back-references and look-around do not exist here; such a rule is refused.
import { RE2JS } from 're2js';

/** As much of RegExp as JSONata uses: `lastIndex`, and `exec` from there. */
export class LinearRegExp {
  lastIndex = 0;
  readonly source: string;
  readonly #compiled: RE2JS;

  constructor(pattern: RegExp | string) {
    this.source = typeof pattern === 'string' ? pattern : pattern.source;
    const given = typeof pattern === 'string' ? '' : pattern.flags;
    const flags = (given.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) | (given.includes('m') ? RE2JS.MULTILINE : 0);
    this.#compiled = RE2JS.compile(this.source, flags);
  }

  exec(text: string): RegExpExecArray | null {
    const matcher = this.#compiled.matcher(text);
    if (!matcher.find(this.lastIndex)) {
      this.lastIndex = 0;
      return null;
    }
    const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, index) => matcher.group(index) ?? '');
    this.lastIndex = matcher.end();
    return Object.assign(groups, { index: matcher.start(), input: text }) as unknown as RegExpExecArray;
  }
}
