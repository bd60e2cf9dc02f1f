// What the pages show to one person. Looking changes nothing; whether this person may decide is worked out from the
// log and the directory as they are now, and decided again when the form comes back.
import { resolveApprovers, type Eligible } from '../../domain/approvers.ts';
import type { Caller } from '../../domain/caller.ts';
import { maySee } from '../../domain/describe-operation.ts';
import { requesterSet, type Pending } from '../../domain/operation.ts';
import { hasCome, type Instant } from '../../domain/times.ts';
import type { Progress, Standing } from '../../pages/decision-card.ts';
import { mintFormToken } from '../../pages/form-token.ts';
import type { InboxView } from '../../pages/inbox-page.ts';
import type { Review } from '../../pages/review-page.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Directory } from '../../ports/registry.ts';
import type { Clock, FormKeys } from '../../ports/system.ts';
import type { Inbox } from '../../ports/views.ts';
import { loadOperation } from '../../record/load-operation.ts';

export interface ShowPorts {
  readonly eventLog: EventLog;
  readonly inbox: Inbox;
  readonly directory: Directory;
  readonly formKeys: FormKeys;
  readonly clock: Clock;
}

/** Undefined where there is no such operation or it is not the caller's to see: the page is the same. */
export async function showReview(ports: ShowPorts, caller: Caller, operation_id: string): Promise<Review | undefined> {
  const operation = await loadOperation(ports.eventLog, operation_id);
  if (operation === undefined || !maySee(operation, caller)) return undefined;
  const now = ports.clock.now();
  const seen = { operation, subject: caller.subject, now };
  if (operation.status !== 'pending') return seen;
  const { opening, requirements } = operation;
  const eligible = await resolveApprovers(requirements, opening.requester, (group) => ports.directory.membersOf(group));
  return { ...seen, waiting: { standing: await standingOf(ports, caller, operation, eligible, now), progress: progressOf(operation, eligible) } };
}

export async function showInbox({ inbox, clock }: ShowPorts, caller: Caller, query: { readonly limit: number; readonly cursor?: string }): Promise<Omit<InboxView, 'still' | 'from'>> {
  const { entries, cursor } = await inbox.list([caller.subject, ...caller.groups], query);
  // Approvers are named before anybody asks: their own operations stand in their inboxes too, and are not theirs to decide.
  const decidable = entries.filter(({ requester }) => !requesterSet(requester).has(caller.subject));
  return { entries: decidable, subject: caller.subject, now: clock.now(), ...(cursor === undefined ? {} : { cursor }) };
}

async function standingOf(ports: ShowPorts, caller: Caller, operation: Pending, eligible: readonly Eligible[], now: Instant): Promise<Standing> {
  const { subject } = caller;
  const { operation_id, opening } = operation;
  if (hasCome(operation.expires_at, now)) return { may: 'only_look', because: 'time_over' };
  if (requesterSet(opening.requester).has(subject)) return { may: 'only_look', because: 'own_operation' };
  if (operation.votes.some((vote) => vote.subject === subject)) return { may: 'only_look', because: 'voted_already' };
  if (caller.kind !== 'user' || !eligible.some((people) => people.has(subject))) return { may: 'only_look', because: 'not_an_approver' };
  const { arguments_hash } = opening.operation;
  return { may: 'decide', form_token: mintFormToken(await ports.formKeys.formKey(), { subject, operation_id, arguments_hash }, now) };
}

/** Counted as the decider counts: a vote whose person is no approver any more is none. */
function progressOf(operation: Pending, eligible: readonly Eligible[]): readonly Progress[] {
  return operation.requirements.map(({ approvers, quorum }, index) => ({
    approvers,
    quorum,
    approvals: operation.votes.filter((vote) => eligible[index]?.has(vote.subject)).length,
  }));
}

