// An operation as its events tell it. Each status holds only what exists then; `evolve` is the only maker.
import type { Tail } from './chain.ts';
import type { BreakGlass, Channel, EventOf, GlassBreaker, OperationEvent, Requester, Requirement, Scope, Vote } from './events.ts';
import type { Instant } from './times.ts';

type Opening = EventOf<'approval.requested'>['data'] | EventOf<'approval.auto_granted'>['data'] | EventOf<'approval.refused'>['data'];

/** What event 1 said once and for all. */
export type OpeningFacts = Pick<
  Opening,
  'operation' | 'risk' | 'redaction' | 'details' | 'requester' | 'call_id' | 'lease_seconds' | 'reason_claimed' | 'display_hash' | 'tool_digest' | 'policy' | 'run'
> & {
  readonly scope: Scope;
  readonly requested_at: Instant;
  /** Every approver reference of the requirements, and the first deadline; neither where nobody was asked. */
  readonly asked: readonly string[];
  readonly decide_by?: Instant;
  /** Who may break the glass, where policy lets anybody. */
  readonly break_glass?: BreakGlass;
};

interface Told {
  readonly operation_id: string;
  readonly opening: OpeningFacts;
  readonly tail: Tail;
  readonly changed_at: Instant;
  readonly last_event_id: string;
  /** Who was shown the exact arguments, and when; absent where nobody was. */
  readonly reveals?: readonly Reveal[];
  /** Who said no when the time was over; absent where nobody did. A note, and no vote. */
  readonly denied_late?: readonly LateDenial[];
  /** That two people had it granted over the heads of the approvers; absent where nobody did. */
  readonly broken_glass?: BrokenGlass;
}

export interface BrokenGlass {
  readonly by: readonly GlassBreaker[];
  /** The group that looks at it afterwards; its item stays until somebody of it has closed it. */
  readonly review_by: string;
  readonly reviewed?: { readonly by: string; readonly comment: string; readonly reviewed_at: Instant };
}

export interface Reveal {
  readonly subject: string;
  readonly channel: Channel;
  readonly revealed_at: Instant;
}

export interface LateDenial {
  readonly subject: string;
  readonly channel: Channel;
  readonly comment?: string;
  readonly noted_at: Instant;
}

/** Who settled it and how, where anybody did. */
export interface DecisionRecord {
  readonly by: string;
  readonly decided_at: Instant;
  readonly reason?: string;
  readonly comment?: string;
  readonly votes: readonly Vote[];
  /** Of a refusal: the approvers that stand for nobody, and why. */
  readonly nobody?: EventOf<'approval.refused'>['data']['nobody'];
}

export interface Run {
  readonly claim_id: string;
  readonly started_at: Instant;
  readonly run_deadline: Instant;
  readonly cancel_requested: boolean;
}

export interface Observation {
  readonly observed: 'completed' | 'failed';
  readonly result_hash: string;
}

export type Pending = Told & {
  readonly status: 'pending';
  readonly requirements: readonly Requirement[];
  readonly expires_at: Instant;
  readonly votes: readonly Vote[];
  /** Those still to come. */
  readonly reminders: readonly Instant[];
  readonly extendable_until?: Instant;
  readonly extensions: number;
  /** One of two has asked to break the glass; the second may follow until then. */
  readonly glass?: { readonly by: GlassBreaker; readonly second_person_until: Instant };
};
export type Granted = Told & { readonly status: 'granted'; readonly use_by: Instant; readonly decision: DecisionRecord };
export type Running = Told & { readonly status: 'running'; readonly decision: DecisionRecord; readonly run: Run };
export type Ended = Told & { readonly status: 'completed' | 'failed'; readonly decision: DecisionRecord; readonly run: Run; readonly result_hash: string; readonly error?: string; readonly review_requested: boolean };
export type Unknown = Told & { readonly status: 'unknown'; readonly decision: DecisionRecord; readonly run: Run; readonly reason: string; readonly observations: readonly Observation[] };
export type NotRun = Told & { readonly status: 'refused' | 'answered' | 'denied' | 'expired' | 'cancelled' | 'voided'; readonly decision: DecisionRecord };

export type Operation = Pending | Granted | Running | Ended | Unknown | NotRun;
export type Status = Operation['status'];
export type Open = Pending | Granted | Running;
export type Closed = Ended | Unknown | NotRun;

const OPEN: ReadonlySet<Status> = new Set<Status>(['pending', 'granted', 'running']);

export function isClosed(operation: Operation): operation is Closed {
  return !OPEN.has(operation.status);
}

/** By a person who saw it; a decision on another hash says nothing about this call. */
export function wasDenied(operation: Operation | undefined): boolean {
  return operation?.status === 'denied' && operation.decision.reason === 'denied_by_approver';
}

/** The requester, the person it acts for and the agent's owner: never approvers of their own operation. */
export function requesterSet(requester: Requester): ReadonlySet<string> {
  return new Set([requester.subject, requester.on_behalf_of, requester.owner].filter((subject) => subject !== undefined));
}

export function tailOf(event: OperationEvent): Tail {
  return { sequence: event.data.sequence, hash: event.data.hash };
}
