// The first event: what policy says of the call becomes a request, a grant or a refusal.
import { whoIsNobody, type Eligible } from '../approvers.ts';
import type { DraftOf, Risk } from '../events.ts';
import type { OpeningFacts, Operation } from '../operation.ts';
import type { PolicyVerdict } from '../policy/evaluate-policy.ts';
import { nobodyCanApprove } from '../quorum.ts';
import { plusSeconds, type Instant } from '../times.ts';
import { remindersAt } from './remind-and-escalate.ts';
import { append, UNCHANGED, type Ruling } from './ruling.ts';

export interface OpenOperation {
  readonly facts: Omit<OpeningFacts, 'scope' | 'requested_at' | 'asked' | 'decide_by' | 'risk' | 'policy'>;
  readonly verdict: PolicyVerdict;
  readonly eligible: readonly Eligible[];
}

/** An operation that exists already is left as it is: the same call proposed again. */
export function decideOpen(operation: Operation | undefined, { facts, verdict, eligible }: OpenOperation, now: Instant): Ruling {
  if (operation !== undefined) return UNCHANGED;
  const { risk, policy_id, policy_revision, agent_mode } = verdict;
  const opening = { ...facts, risk, redaction: redactionAt(facts.redaction, risk), policy: { policy_id, policy_revision, matched_rules: [...verdict.matched_rules], agent_mode } };
  switch (verdict.verdict) {
    case 'deny':
      return append({ type: 'approval.refused', data: { ...opening, reason: 'policy_denied' } });
    case 'allow':
      return append({ type: 'approval.auto_granted', data: { ...opening, use_by: plusSeconds(now, facts.run.use_within_seconds) } });
    case 'ask': {
      const requirements = [...verdict.requirements];
      const nobody = whoIsNobody(eligible);
      if (nobodyCanApprove(requirements, eligible)) return append({ type: 'approval.refused', data: { ...opening, reason: 'nobody_can_approve', ...(nobody.length === 0 ? {} : { nobody }) } });
      return append({ type: 'approval.requested', data: { ...opening, requirements, expires_at: plusSeconds(now, verdict.timeout_seconds), ...inTime(verdict, now) } });
    }
  }
}

function inTime({ timeout_seconds, extendable_to_seconds = 0, reminders, break_glass }: PolicyVerdict, now: Instant): Pick<DraftOf<'approval.requested'>['data'], 'reminders' | 'extendable_until' | 'break_glass'> {
  const moments = remindersAt(reminders, timeout_seconds, now);
  return {
    ...(moments.length === 0 ? {} : { reminders: moments }),
    ...(extendable_to_seconds > timeout_seconds ? { extendable_until: plusSeconds(now, extendable_to_seconds) } : {}),
    ...(break_glass === undefined ? {} : { break_glass }),
  };
}

/** At high risk no cut is harmless: the risk that policy recorded decides, which may be above the tool's own. */
function redactionAt(redaction: OpeningFacts['redaction'], { level }: Risk): OpeningFacts['redaction'] {
  const risky = level === 'high' || level === 'critical';
  return risky && redaction.truncated ? { ...redaction, full_view_required: true } : redaction;
}
