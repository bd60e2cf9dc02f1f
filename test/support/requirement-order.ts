// What "at least as strict" means for requirements, said anew for the tests: whoever meets the ones after meets each of those before.
import { expect } from 'vitest';
import type { Requirement } from '../../lambdas/domain/events.ts';

export function expectCovers(after: readonly Requirement[], before: readonly Requirement[]): void {
  for (const each of before) expect(after.filter((other) => coversOne(other, each)), `what covers ${JSON.stringify(each)} in ${JSON.stringify(after)}`).toHaveLength(1);
}

function coversOne(after: Requirement, before: Requirement): boolean {
  const names = ({ approvers }: Requirement): string => [...new Set(approvers)].sort().join();
  const levels = (of: Requirement['escalation']): string[] => (of ?? []).map(({ after_seconds, approvers, quorum }) => JSON.stringify([after_seconds, [...approvers].sort(), quorum]));
  return (
    names(after) === names(before) &&
    after.quorum >= before.quorum &&
    (after.min_per_group ?? 0) >= (before.min_per_group ?? 0) &&
    (after.veto ?? 1) <= (before.veto ?? 1) &&
    (after.share_votes !== true || before.share_votes === true) &&
    (after.separation_of_duties !== false || before.separation_of_duties === false) &&
    levels(after.escalation).every((level) => levels(before.escalation).includes(level))
  );
}
