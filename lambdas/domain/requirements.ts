// Requirements as a join: of the same approvers the stricter one stands, others add up, and who wrote them first does
// not show. Escalation is the one thing that widens a requirement, and only by a level that was agreed beforehand.
import type { Level, Requirement } from './events.ts';

/** Commutative, associative, idempotent; whoever meets the result meets each of them. */
export function joinRequirements(requirements: readonly Requirement[]): readonly Requirement[] {
  const byApprovers = new Map<string, Requirement>();
  for (const each of requirements) {
    const requirement = canonical(each);
    const key = requirement.approvers.join('\n');
    const same = byApprovers.get(key);
    byApprovers.set(key, same === undefined ? requirement : stricter(same, requirement));
  }
  return [...byApprovers.values()].sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
}

/** What policy asks now on top of what an operation asks already; escalated levels that policy still has stay agreed. */
export function withPolicyNow(own: readonly Requirement[], now: readonly Requirement[]): readonly Requirement[] {
  const agreed = own.flatMap(({ escalated }) => escalated ?? []).map(textOf);
  const widened = now.map((requirement) => escalate(requirement, (requirement.escalation ?? []).filter((level) => agreed.includes(textOf(level)))));
  const known = new Set(joinRequirements(own).map(textOf));
  const joined = joinRequirements([...own, ...widened]);
  return joined.every((each) => known.has(textOf(each))) ? own : joined;
}

/** The levels that have come join in: their people may approve too, and a quorum only grows. */
export function escalate(requirement: Requirement, come: readonly Level[]): Requirement {
  if (come.length === 0) return requirement;
  const { escalation = [], escalated = [], ...rest } = requirement;
  const left = escalation.filter((level) => !come.includes(level));
  return canonical({
    ...rest,
    approvers: [...rest.approvers, ...come.flatMap(({ approvers }) => approvers)],
    quorum: Math.max(rest.quorum, ...come.map(({ quorum }) => quorum)),
    ...(left.length === 0 ? {} : { escalation: left }),
    escalated: [...escalated, ...come],
  });
}

function stricter(one: Requirement, other: Requirement): Requirement {
  const min_per_group = Math.max(one.min_per_group ?? 0, other.min_per_group ?? 0);
  const veto = Math.min(one.veto ?? 1, other.veto ?? 1);
  return canonical({
    approvers: one.approvers,
    quorum: Math.max(one.quorum, other.quorum),
    ...(min_per_group === 0 ? {} : { min_per_group }),
    ...(veto === 1 ? {} : { veto }),
    ...(one.share_votes === true && other.share_votes === true ? { share_votes: true } : {}),
    ...(one.separation_of_duties === false && other.separation_of_duties === false ? { separation_of_duties: false } : {}),
    ...levels('escalation', common(one.escalation, other.escalation)),
    ...levels('escalated', common(one.escalated, other.escalated)),
  });
}

/** Only what both agree to may widen. */
function common(one: readonly Level[] = [], other: readonly Level[] = []): Level[] {
  const texts = new Set(other.map(textOf));
  return one.filter((level) => texts.has(textOf(level)));
}

function canonical({ approvers, quorum, escalation, escalated, ...rest }: Requirement): Requirement {
  return {
    approvers: [...new Set(approvers)].sort(),
    quorum,
    ...Object.fromEntries(Object.entries(rest).sort(([one], [other]) => (one < other ? -1 : 1))),
    ...levels('escalation', escalation),
    ...levels('escalated', escalated),
  };
}

function levels(name: 'escalation' | 'escalated', of: readonly Level[] | undefined): Pick<Requirement, 'escalation' | 'escalated'> {
  if (of === undefined || of.length === 0) return {};
  const written = of.map(({ after_seconds, approvers, quorum }) => ({ after_seconds, approvers: [...new Set(approvers)].sort(), quorum }));
  const once = [...new Map(written.map((level) => [textOf(level), level])).values()];
  return { [name]: once.sort((one, other) => one.after_seconds - other.after_seconds || (textOf(one) < textOf(other) ? -1 : 1)) };
}

function textOf(value: Requirement | Level): string {
  return JSON.stringify(value);
}
