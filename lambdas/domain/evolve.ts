// Folds events into the operation. Pure; an event that cannot follow the state it meets is a corrupt record,
// since no writer of ours could have appended it.
import type { EventOf, OperationEvent, Requirement, Vote } from './events.ts';
import { Fault } from './faults.ts';
import { tailOf, type DecisionRecord, type OpeningFacts, type Operation, type Pending, type Running } from './operation.ts';

export function fold(events: readonly OperationEvent[]): Operation | undefined {
  return events.reduce<Operation | undefined>(evolve, undefined);
}

export function evolve(operation: Operation | undefined, event: OperationEvent): Operation {
  const told = { operation_id: event.subject, tail: tailOf(event), changed_at: event.time, last_event_id: event.id };
  switch (event.type) {
    case 'approval.requested': {
      const { requirements, expires_at, reminders = [], extendable_until } = event.data;
      return { ...told, status: 'pending', opening: openingOf(operation, event), requirements, expires_at, votes: [], reminders, extensions: 0, ...(extendable_until === undefined ? {} : { extendable_until }) };
    }
    case 'approval.auto_granted':
      return { ...told, status: 'granted', opening: openingOf(operation, event), use_by: event.data.use_by, decision: by(event, event.data.policy.policy_id, { reason: 'allowed_by_policy' }) };
    case 'approval.refused':
      return { ...told, status: 'refused', opening: openingOf(operation, event), decision: by(event, event.data.policy.policy_id, { reason: event.data.reason, ...(event.data.nobody === undefined ? {} : { nobody: event.data.nobody }) }) };
    default:
      return { ...next(operation, event), ...told };
  }
}

type Later = Exclude<OperationEvent, EventOf<'approval.requested' | 'approval.auto_granted' | 'approval.refused'>>;

function next(operation: Operation | undefined, event: Later): Operation {
  switch (event.type) {
    case 'approval.arguments_revealed': {
      const pending = must(operation, event, 'pending');
      const { actor, channel } = event.data;
      return { ...pending, reveals: [...(pending.reveals ?? []), { subject: actor.subject, channel, revealed_at: event.time }] };
    }
    case 'approval.denied_late': {
      const late = must(operation, event, 'pending', 'expired');
      const { actor, channel, comment } = event.data;
      return { ...late, denied_late: [...(late.denied_late ?? []), { subject: actor.subject, channel, ...(comment === undefined ? {} : { comment }), noted_at: event.time }] };
    }
    case 'approval.voted': {
      const pending = must(operation, event, 'pending');
      const { requirements, vote } = event.data;
      return { ...asking(pending, requirements), votes: [...pending.votes, vote] };
    }
    case 'approval.reminded': {
      const pending = must(operation, event, 'pending');
      return { ...pending, reminders: pending.reminders.filter((at) => !event.data.reminded.includes(at)) };
    }
    case 'approval.escalated':
      return asking(must(operation, event, 'pending'), event.data.requirements);
    case 'approval.extended': {
      const pending = must(operation, event, 'pending');
      return { ...pending, expires_at: event.data.expires_at, extensions: pending.extensions + 1 };
    }
    case 'approval.break_glass_asked': {
      const { by: first, second_person_until } = event.data;
      return { ...must(operation, event, 'pending'), glass: { by: first, second_person_until } };
    }
    case 'approval.break_glass': {
      const pending = must(operation, event, 'pending');
      const { actor, by: second, with: first, review_by, use_by } = event.data;
      const broken = { ...toldOf(pending), broken_glass: { by: [first, second], review_by } };
      const decision = by(event, actor.subject, { reason: 'break_glass', comment: second.reason, votes: pending.votes });
      return use_by === undefined ? { ...broken, status: 'answered', decision } : { ...broken, status: 'granted', use_by, decision };
    }
    case 'approval.break_glass_reviewed': {
      if (operation?.broken_glass === undefined || operation.broken_glass.reviewed !== undefined) throw cannotFollow(operation, event);
      const { actor, comment } = event.data;
      return { ...operation, broken_glass: { ...operation.broken_glass, reviewed: { by: actor.subject, comment, reviewed_at: event.time } } };
    }
    case 'approval.granted': {
      return { ...toldOf(must(operation, event, 'pending')), status: 'granted', use_by: event.data.use_by, decision: byVotes(event) };
    }
    case 'approval.answered':
      return notRun(must(operation, event, 'pending'), 'answered', byVotes(event));
    case 'approval.denied': {
      const { vote, reason } = event.data;
      const pending = must(operation, event, 'pending');
      return notRun(pending, 'denied', by(event, vote.subject, { reason, comment: vote.comment, votes: [...pending.votes, vote] }));
    }
    case 'approval.expired':
      return notRun(must(operation, event, 'pending'), 'expired', by(event, event.data.actor.subject, { reason: 'nobody_decided_in_time', votes: votesOf(operation) }));
    case 'approval.cancelled': {
      const { actor, reason, comment } = event.data;
      return notRun(must(operation, event, 'pending', 'granted'), 'cancelled', by(event, actor.subject, { reason, comment, votes: votesOf(operation) }));
    }
    case 'approval.voided':
      return notRun(must(operation, event, 'granted'), 'voided', by(event, event.data.actor.subject, { reason: event.data.reason, votes: votesOf(operation) }));
    case 'tool.started': {
      const granted = must(operation, event, 'granted');
      const { claim_id, run_deadline } = event.data;
      return { ...toldOf(granted), decision: granted.decision, status: 'running', run: { claim_id, run_deadline, started_at: event.time, cancel_requested: false } };
    }
    case 'tool.completed':
      return { ...uncancelled(operation, event), status: 'completed', result_hash: event.data.result_hash, review_requested: false };
    case 'tool.failed':
      return { ...uncancelled(operation, event), status: 'failed', result_hash: event.data.result_hash, error: event.data.error, review_requested: false };
    case 'tool.review_requested':
      return { ...must(operation, event, 'completed', 'failed'), review_requested: true };
    case 'tool.cancel_requested': {
      const running: Running = must(operation, event, 'running');
      return { ...running, run: { ...running.run, cancel_requested: true } };
    }
    case 'tool.outcome_unknown':
      return { ...must(operation, event, 'running'), status: 'unknown', reason: event.data.reason, observations: [] };
    case 'tool.outcome_observed': {
      const before = must(operation, event, 'running', 'unknown');
      if (before.status === 'running' && !before.run.cancel_requested) throw cannotFollow(operation, event);
      const { observed, result_hash } = event.data;
      const earlier = before.status === 'unknown' ? before.observations : [];
      return { ...before, status: 'unknown', reason: before.status === 'unknown' ? before.reason : 'cancel_requested', observations: [...earlier, { observed, result_hash }] };
    }
  }
}

function must<S extends Operation['status']>(operation: Operation | undefined, event: OperationEvent, ...statuses: S[]): Extract<Operation, { status: S }> {
  if (operation === undefined || !(statuses as string[]).includes(operation.status)) throw cannotFollow(operation, event);
  return operation as Extract<Operation, { status: S }>;
}

/** A result that came after a cancel is evidence; it ends nothing (invariant I-4). */
function uncancelled(operation: Operation | undefined, event: OperationEvent): Running {
  const running: Running = must(operation, event, 'running');
  if (running.run.cancel_requested) throw cannotFollow(operation, event);
  return running;
}

function cannotFollow(operation: Operation | undefined, event: OperationEvent): Fault {
  return new Fault('CorruptRecord', `${event.id} ${event.type} cannot follow ${operation?.status ?? 'nothing'}`);
}

function votesOf(operation: Operation | undefined): readonly Vote[] {
  if (operation === undefined) return [];
  return operation.status === 'pending' ? operation.votes : operation.decision.votes;
}

function openingOf(operation: Operation | undefined, event: EventOf<'approval.requested' | 'approval.auto_granted' | 'approval.refused'>): OpeningFacts {
  if (operation !== undefined) throw new Fault('CorruptRecord', `${event.id} ${event.type} cannot follow ${operation.status}`);
  const { operation: shown, risk, redaction, details, requester, call_id, lease_seconds, reason_claimed, display_hash, tool_digest, policy, run, scope } = event.data;
  const opening = { operation: shown, risk, redaction, details, requester, call_id, lease_seconds, reason_claimed, display_hash, tool_digest, policy, run, scope, requested_at: event.time };
  if (event.type !== 'approval.requested') return { ...opening, asked: [] };
  const { requirements, expires_at, break_glass } = event.data;
  return { ...opening, asked: askedOf(requirements), decide_by: expires_at, ...(break_glass === undefined ? {} : { break_glass }) };
}

function asking(pending: Pending, requirements: readonly Requirement[]): Pending {
  return { ...pending, opening: { ...pending.opening, asked: askedOf(requirements) }, requirements };
}

function notRun(operation: Operation, status: 'answered' | 'denied' | 'expired' | 'cancelled' | 'voided', decision: DecisionRecord): Operation {
  return { ...toldOf(operation), status, decision };
}

function askedOf(requirements: readonly Requirement[]): string[] {
  return requirements.flatMap(({ approvers }) => approvers);
}

/** What every status holds; `evolve` puts the new event's place over it. */
function toldOf({ operation_id, opening, tail, changed_at, last_event_id, reveals, denied_late, broken_glass }: Operation) {
  return {
    operation_id,
    opening,
    tail,
    changed_at,
    last_event_id,
    ...(reveals === undefined ? {} : { reveals }),
    ...(denied_late === undefined ? {} : { denied_late }),
    ...(broken_glass === undefined ? {} : { broken_glass }),
  };
}

function by(event: OperationEvent, subject: string, more: Partial<DecisionRecord>): DecisionRecord {
  return { votes: [], ...more, by: subject, decided_at: event.time };
}

function byVotes(event: EventOf<'approval.granted' | 'approval.answered'>): DecisionRecord {
  const { actor, votes } = event.data;
  return by(event, actor.subject, { votes, comment: votes.find((vote) => vote.subject === actor.subject)?.comment });
}
