// What the pages show to one person. Looking changes nothing; whether this person may decide is worked out from the
// log and the directory as they are now, and decided again when the form comes back.
import { claimsAt, type ApproverSource, type Eligible } from '../../domain/approvers.ts';
import type { Caller } from '../../domain/caller.ts';
import { maySee } from '../../domain/describe-operation.ts';
import type { Pending } from '../../domain/operation.ts';
import { approversOf, isAmong, mayBreakGlass, mayOnlyDeny, mayReviewGlass, progressOf, whyNotDecide } from '../../domain/standing.ts';
import { hasCome, type Instant } from '../../domain/times.ts';
import type { Standing } from '../../pages/decision-card.ts';
import { mintFormToken, type FormUse } from '../../pages/form-token.ts';
import type { InboxView } from '../../pages/inbox-page.ts';
import type { Review } from '../../pages/review-page.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Directory } from '../../ports/registry.ts';
import type { FormKeys } from '../../ports/system.ts';
import type { InboxQuery } from '../../ports/views.ts';
import { inboxOf, type InboxPorts } from '../../record/inbox-of.ts';
import { loadOperation } from '../../record/load-operation.ts';

export interface ShowPorts extends InboxPorts {
  readonly eventLog: EventLog;
  readonly directory: Directory;
  readonly formKeys: FormKeys;
}

/** Undefined where there is no such operation or it is not the caller's to see: the page is the same. */
export async function showReview(ports: ShowPorts, caller: Caller, operation_id: string): Promise<Review | undefined> {
  const operation = await loadOperation(ports.eventLog, operation_id);
  if (operation === undefined) return undefined;
  const now = ports.clock.now();
  const waiting = operation.status === 'pending';
  const source: ApproverSource = { entryOf: (reference) => ports.directory.approverEntry(reference), now, claimed: claimsAt(now, waiting ? operation.votes : [], caller) };
  const eligible = waiting ? await approversOf(operation, source) : [];
  if (!maySee(operation, caller) && !isAmong(caller.subject, eligible)) return undefined;
  const seen = { operation, subject: caller.subject, now };
  const key = await ports.formKeys.formKey();
  const tokenFor = (use: FormUse): string => mintFormToken(key, { use, subject: caller.subject, operation_id, arguments_hash: operation.opening.operation.arguments_hash }, now);
  if (operation.status !== 'pending') return { ...seen, ...(mayReviewGlass(operation, caller) ? { review_token: tokenFor('review_glass') } : {}) };
  const standing = standingOf(caller, operation, eligible, now, tokenFor);
  const extend = isAmong(caller.subject, eligible) && !hasCome(operation.expires_at, now) ? { extend_token: tokenFor('extend') } : {};
  const glass = mayBreakGlass(operation, caller, now) ? { glass_token: tokenFor('break_glass') } : {};
  return { ...seen, waiting: { standing, progress: progressOf(operation, eligible), ...extend, ...glass } };
}

export async function showInbox(ports: InboxPorts, caller: Caller, query: InboxQuery): Promise<Omit<InboxView, 'still' | 'from' | 'filter'>> {
  const { items, cursor } = await inboxOf(ports, caller, query);
  return { entries: items, subject: caller.subject, now: ports.clock.now(), ...(cursor === undefined ? {} : { cursor }) };
}

function standingOf(caller: Caller, operation: Pending, eligible: readonly Eligible[], now: Instant, tokenFor: (use: FormUse) => string): Standing {
  const because = whyNotDecide(operation, caller, eligible, now);
  if (because === undefined) return { may: 'decide', form_token: tokenFor('decide_short') };
  return mayOnlyDeny(operation, caller, eligible, now) ? { may: 'deny', form_token: tokenFor('decide_short') } : { may: 'only_look', because };
}
