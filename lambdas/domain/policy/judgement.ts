// What policy comes to, as a join: every finding can only make it stricter, in whatever order and however often it is
// added. Deny beats ask beats allow; an ask keeps every requirement; the shortest wait and the highest risk win.
import type { Requirement, Risk } from '../events.ts';
import { canonicalJson } from '../json/canonical-json.ts';

export type Verdict = 'allow' | 'ask' | 'deny';

/** One thing that speaks of the call: a rule, a mode, a list, the default. */
export interface Finding {
  /** `<scope>/<rule id>`, or the name of a level such as `approval_mode`. */
  readonly source: string;
  readonly effect: Verdict;
  readonly policy_id: string;
  readonly requirement?: Requirement;
  readonly timeout_seconds?: number;
  readonly risk?: Risk;
}

export interface Judgement {
  readonly verdict: Verdict;
  readonly requirements: readonly Requirement[];
  readonly timeout_seconds?: number;
  readonly risk: Risk;
  readonly policy_id: string;
  readonly matched_rules: readonly string[];
}

const STRICTNESS: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 };
const LEVELS: readonly Risk['level'][] = ['low', 'medium', 'high', 'critical'];

export function judgementOf({ source, effect, policy_id, requirement, timeout_seconds, risk }: Finding): Judgement {
  return {
    verdict: effect,
    requirements: requirement === undefined ? [] : [requirement],
    ...(timeout_seconds === undefined ? {} : { timeout_seconds }),
    risk: risk ?? { level: 'low', reasons: [] },
    policy_id,
    matched_rules: [source],
  };
}

/** Commutative, associative, idempotent, and never looser than either side. */
export function join(one: Judgement, other: Judgement): Judgement {
  const verdict = STRICTNESS[one.verdict] >= STRICTNESS[other.verdict] ? one.verdict : other.verdict;
  const timeouts = [one.timeout_seconds, other.timeout_seconds].filter((seconds) => seconds !== undefined);
  return {
    verdict,
    requirements: distinct([...one.requirements, ...other.requirements], canonicalRequirement),
    ...(timeouts.length === 0 ? {} : { timeout_seconds: Math.min(...timeouts) }),
    risk: joinRisks(one.risk, other.risk),
    policy_id: deciding(one, other, verdict),
    matched_rules: [...new Set([...one.matched_rules, ...other.matched_rules])].sort(),
  };
}

/** The strictest side names the policy; between equals the first name does, so that order does not matter. */
function deciding(one: Judgement, other: Judgement, verdict: Verdict): string {
  const names = [one, other].filter((side) => side.verdict === verdict).map(({ policy_id }) => policy_id);
  return names.sort()[0] ?? one.policy_id;
}

export function joinRisks(one: Risk, other: Risk): Risk {
  const level = LEVELS[Math.max(LEVELS.indexOf(one.level), LEVELS.indexOf(other.level))] ?? 'critical';
  return { level, reasons: [...new Set([...one.reasons, ...other.reasons])].sort() };
}

function canonicalRequirement({ approvers, quorum }: Requirement): Requirement {
  return { approvers: [...new Set(approvers)].sort(), quorum };
}

function distinct(requirements: readonly Requirement[], canonical: (requirement: Requirement) => Requirement): readonly Requirement[] {
  const byText = new Map(requirements.map((requirement) => [canonicalJson(canonical(requirement)), canonical(requirement)]));
  return [...byText.keys()].sort().flatMap((text) => byText.get(text) ?? []);
}
