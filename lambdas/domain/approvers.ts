// Who may decide, as the registry resolves the approver references at this moment. Empty means nobody.
import type { Requester, Requirement } from './events.ts';
import { requesterSet } from './operation.ts';

/** One requirement's people: subject → what put it there (its own name, or a group). */
export type Eligible = ReadonlyMap<string, string>;

export type MembersOf = (group: string) => Promise<readonly string[]>;

/** Resolves each requirement to people. The requester set never counts. */
export async function resolveApprovers(requirements: readonly Requirement[], requester: Requester, membersOf: MembersOf): Promise<readonly Eligible[]> {
  const excluded = requesterSet(requester);
  return Promise.all(
    requirements.map(async ({ approvers }) => {
      const people = new Map<string, string>();
      for (const reference of approvers) {
        for (const subject of await peopleOf(reference, membersOf)) if (!excluded.has(subject) && !people.has(subject)) people.set(subject, reference);
      }
      return people;
    }),
  );
}

/** True where nobody is asked, or fewer people than the quorum could ever answer. */
export function nobodyCanApprove(requirements: readonly Requirement[], eligible: readonly Eligible[]): boolean {
  return requirements.length === 0 || requirements.some(({ quorum }, index) => (eligible[index]?.size ?? 0) < quorum);
}

async function peopleOf(reference: string, membersOf: MembersOf): Promise<readonly string[]> {
  if (reference.startsWith('user:')) return [reference];
  if (reference.startsWith('group:')) return membersOf(reference);
  return [];
}
