// What policy comes to, as a join: every finding can only make it stricter, in whatever order and however often it is
// added. Deny beats ask beats allow; an ask keeps every requirement; the shortest wait and the highest risk win.
import type { Requirement, Risk } from '../events.ts';
import { joinRequirements } from '../requirements.ts';
import type { Reminder } from './asking.ts';

export type Verdict = 'allow' | 'ask' | 'deny';

/** One thing that speaks of the call: a rule, a mode, a list, the default. */
export interface Finding {
  /** `<scope>/<rule id>`, or the name of a level such as `approval_mode`. */
  readonly source: string;
  readonly effect: Verdict;
  readonly policy_id: string;
  readonly requirement?: Requirement;
  readonly timeout_seconds?: number;
  readonly extendable_to_seconds?: number;
  readonly reminders?: readonly Reminder[];
  readonly risk?: Risk;
}

export interface Judgement {
  readonly verdict: Verdict;
  readonly requirements: readonly Requirement[];
  readonly timeout_seconds?: number;
  /** The shortest that any ask allows. */
  readonly extendable_to_seconds?: number;
  readonly reminders: readonly Reminder[];
  readonly risk: Risk;
  readonly policy_id: string;
  readonly matched_rules: readonly string[];
}

const STRICTNESS: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 };
const NO_RISK: Risk = { level: 'low', reasons: [] };
const LEVELS: readonly Risk['level'][] = ['low', 'medium', 'high', 'critical'];

export function judgementOf({ source, effect, policy_id, requirement, timeout_seconds, extendable_to_seconds, reminders = [], risk }: Finding): Judgement {
  return {
    verdict: effect,
    requirements: requirement === undefined ? [] : joinRequirements([requirement]),
    ...(timeout_seconds === undefined ? {} : { timeout_seconds }),
    ...(extendable_to_seconds === undefined ? {} : { extendable_to_seconds }),
    reminders: distinct(reminders),
    risk: joinRisks(risk ?? NO_RISK),
    policy_id,
    matched_rules: [source],
  };
}

/** Commutative, associative, idempotent, and never looser than either side. */
export function join(one: Judgement, other: Judgement): Judgement {
  return joinAll([one, other]);
}

/** The join of one or more, in one go. */
export function joinAll(judgements: readonly Judgement[]): Judgement {
  const verdict = strictest(judgements);
  return {
    verdict,
    requirements: joinRequirements(judgements.flatMap(({ requirements }) => requirements)),
    ...shortest('timeout_seconds', judgements),
    ...shortest('extendable_to_seconds', judgements),
    reminders: distinct(judgements.flatMap(({ reminders }) => reminders)),
    risk: joinRisks(...judgements.map(({ risk }) => risk)),
    // The strictest name the policy; between equals the first name does, so that order does not matter.
    policy_id: judgements.flatMap((each) => (each.verdict === verdict ? each.policy_id : [])).sort()[0] ?? '',
    matched_rules: [...new Set(judgements.flatMap(({ matched_rules }) => matched_rules))].sort(),
  };
}

function strictest(judgements: readonly Judgement[]): Verdict {
  return judgements.reduce<Verdict>((strict, { verdict }) => (STRICTNESS[verdict] > STRICTNESS[strict] ? verdict : strict), 'allow');
}

export function joinRisks(...risks: readonly Risk[]): Risk {
  const level = LEVELS[Math.max(0, ...risks.map((risk) => LEVELS.indexOf(risk.level)))] ?? 'critical';
  return { level, reasons: [...new Set(risks.flatMap(({ reasons }) => reasons))].sort() };
}

function shortest(field: 'timeout_seconds' | 'extendable_to_seconds', judgements: readonly Judgement[]): Partial<Judgement> {
  const all = judgements.flatMap((each) => each[field] ?? []);
  return all.length === 0 ? {} : { [field]: Math.min(...all) };
}

/** Each once, in an order of their own: who wrote them first does not show. */
function distinct(reminders: readonly Reminder[]): readonly Reminder[] {
  const byText = new Map(reminders.map((reminder) => [JSON.stringify(reminder), reminder]));
  return [...byText.keys()].sort().flatMap((text) => byText.get(text) ?? []);
}
