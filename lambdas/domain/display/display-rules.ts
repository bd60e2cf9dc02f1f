/**
 * What a tool's definition says about its display. Paths are JSON Pointers (RFC 6901) and cover everything below them;
 * a segment `*` stands for any member or item. They become a tree, so that a walk asks for its next step and no path is built.
 */
export interface DisplayRules {
  /** Shown first; if one does not fit, approving needs the full redacted view. */
  readonly critical?: readonly string[];
  readonly always_hidden?: readonly string[];
  /** When present, everything outside these paths is hidden. */
  readonly allow_only?: readonly string[];
  /** For tools of high risk: any cut, not only of a critical field, asks for the full redacted view. */
  readonly full_view_when_cut?: boolean;
}

type RuleKind = 'critical' | 'always_hidden' | 'allow_only';

interface RuleNode {
  readonly ends: Set<RuleKind>;
  readonly passes: Set<RuleKind>;
  readonly next: Map<string, RuleNode>;
}

/** Where a walk stands: the rules that end here or above, and those that lead further down. */
export interface RulePlace {
  readonly nodes: readonly RuleNode[];
  readonly critical: boolean;
  readonly hidden: boolean;
  readonly allowed: boolean;
}

const nowhere: readonly RuleNode[] = [];

export function startOfRules(rules: DisplayRules): RulePlace {
  const root = emptyNode();
  for (const kind of ['critical', 'always_hidden', 'allow_only'] as const) {
    for (const pointer of rules[kind] ?? []) addPath(root, kind, segmentsOf(pointer));
  }
  const nodes = root.next.size === 0 && root.ends.size === 0 ? nowhere : [root];
  return placeAt(nodes, { nodes: nowhere, critical: false, hidden: false, allowed: rules.allow_only === undefined });
}

export function stepInto(place: RulePlace, key: string): RulePlace {
  if (place.nodes.length === 0) return place;
  const nodes = place.nodes.flatMap((node) => [node.next.get(key), key === '*' ? undefined : node.next.get('*')].filter((next) => next !== undefined));
  return placeAt(nodes, place);
}

/** Critical itself, below something critical, or on the way to it. */
export function touchesCritical(place: RulePlace): boolean {
  return place.critical || place.nodes.some((node) => node.passes.has('critical'));
}

/** Hidden by `always_hidden`, or outside `allow_only`; a container on the way to something allowed is walked. */
export function isHiddenByRule(place: RulePlace, isContainer: boolean): boolean {
  return place.hidden || (!place.allowed && !(isContainer && place.nodes.some((node) => node.passes.has('allow_only'))));
}

/** Whether an array cut after `shown` items leaves out one that is critical. */
export function cutsCriticalItem(place: RulePlace, shown: number): boolean {
  if (place.critical) return true;
  const beyond = (key: string): boolean => key === '*' || Number(key) >= shown;
  return place.nodes.some((node) => [...node.next].some(([key, next]) => beyond(key) && (next.ends.has('critical') || next.passes.has('critical'))));
}

/** The members that a pointer names, one after the other. */
export function segmentsOf(pointer: string): readonly string[] {
  if (pointer === '') return [];
  // A name without a slash is read as a top-level member: to ignore it would show what was meant to be hidden.
  const path = pointer.startsWith('/') ? pointer.slice(1) : pointer;
  return path.split('/').map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function addPath(root: RuleNode, kind: RuleKind, segments: readonly string[]): void {
  let node = root;
  for (const segment of segments) {
    node.passes.add(kind);
    const next = node.next.get(segment) ?? emptyNode();
    node.next.set(segment, next);
    node = next;
  }
  node.ends.add(kind);
}

function placeAt(nodes: readonly RuleNode[], above: RulePlace): RulePlace {
  const ends = (kind: RuleKind): boolean => nodes.some((node) => node.ends.has(kind));
  return { nodes, critical: above.critical || ends('critical'), hidden: above.hidden || ends('always_hidden'), allowed: above.allowed || ends('allow_only') };
}

function emptyNode(): RuleNode {
  return { ends: new Set(), passes: new Set(), next: new Map() };
}
