// The check before a document is stored: what would loosen a wider scope is refused, naming both rules. Evaluation
// could not be loosened anyway; this is so that nobody believes that it was.
import type { PolicyDocument, PolicyScope, Rule } from './policy-document.ts';
import type { ScopedPolicy } from './evaluate-policy.ts';
import { targetsOverlap } from './target.ts';

export interface Loosening {
  readonly rule: string;
  readonly wider_rule: string;
  readonly why: string;
}

/** @param wider the documents of all scopes around this one. */
export function looseningsOf(scope: PolicyScope, document: PolicyDocument, wider: readonly ScopedPolicy[]): readonly Loosening[] {
  const allows = document.rules.filter(({ effect }) => effect === 'allow');
  return allows.flatMap((rule) => [...identityLoosenings(scope, rule), ...wider.flatMap((policy) => againstWider(scope, rule, policy))]);
}

function identityLoosenings(scope: PolicyScope, rule: Rule): Loosening[] {
  if (rule.target !== 'tool:request_approval') return [];
  return [{ rule: `${scope}/${rule.id}`, wider_rule: 'request_approval', why: 'request_approval always asks' }];
}

function againstWider(scope: PolicyScope, rule: Rule, wider: ScopedPolicy): Loosening[] {
  const loosening = (wider_rule: string, why: string): Loosening => ({ rule: `${scope}/${rule.id}`, wider_rule: `${wider.scope}/${wider_rule}`, why });
  // A stricter rule with a condition may speak of other calls of the same tool; then both may stand, and the fold decides.
  const stricter = wider.document.rules.filter((each) => each.effect !== 'allow' && each.when === undefined && targetsOverlap(each.target, rule.target));
  const servers = Object.entries(wider.document.mcp_servers).flatMap(([server, { approval_tools }]) => approval_tools.map((tool) => `mcp:${server}/${tool}`));
  return [
    ...stricter.map((each) => loosening(each.id, `it ${each.effect === 'deny' ? 'denies' : 'asks for'} ${each.target}, which ${rule.target} would allow`)),
    ...servers.filter((tool) => targetsOverlap(tool, rule.target)).map((tool) => loosening('mcp_servers', `it asks for ${tool}, which ${rule.target} would allow`)),
  ];
}
