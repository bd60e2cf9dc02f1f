// Whether the votes are enough. Every approval that is needed is a seat; a vote takes one seat, a person and whoever
// stands in for that person take one together, and a requirement that shares votes is seated by itself.
import { authoritiesOf, type Eligible } from './approvers.ts';
import { kindOf } from './directory/entries.ts';
import type { Requirement, Vote } from './events.ts';

/** How far one requirement has come, and who is still waited for: approver references. */
export interface Tally {
  readonly approvals: number;
  readonly quorum: number;
  readonly waiting_for: readonly string[];
}

interface Seat {
  readonly requirement: number;
  /** Only for people of this group or relation. */
  readonly group?: string;
}

/** In the order of the requirements; `eligible` likewise. Votes of people who are no approvers any more count nowhere. */
export function tally(requirements: readonly Requirement[], eligible: readonly Eligible[], votes: readonly Vote[]): readonly Tally[] {
  const approving = new Set(votes.flatMap(({ subject, decision }) => (decision === 'approve' ? subject : [])));
  const empty = seatings(requirements).flatMap((seats) => unfilled(seats, eligible, approving));
  return requirements.map((requirement, index) => {
    const { length } = seatsOf(requirement, index);
    const open = empty.filter((seat) => seat.requirement === index);
    return { approvals: length - open.length, quorum: length, waiting_for: [...new Set(open.flatMap(({ group }) => group ?? requirement.approvers))] };
  });
}

export function isMet(tallies: readonly Tally[]): boolean {
  return tallies.length > 0 && tallies.every(({ approvals, quorum }) => approvals >= quorum);
}

/** For people: "1 of 2, waiting for group:finance; 0 of 1, waiting for user:ana". */
export function progressText(tallies: readonly Tally[]): string {
  return tallies.map(({ approvals, quorum, waiting_for }) => `${approvals} of ${quorum}${waiting_for.length === 0 ? '' : `, waiting for ${waiting_for.join(' or ')}`}`).join('; ');
}

/** True where nobody is asked, or all that are asked together are not enough. Whom tokens may add, nobody can count. */
export function nobodyCanApprove(requirements: readonly Requirement[], eligible: readonly Eligible[]): boolean {
  const everybody = new Set(eligible.flatMap((people) => [...people.keys()]));
  const counted = (seats: readonly Seat[]): readonly Seat[] => seats.filter(({ requirement }) => eligible[requirement]?.from_claim !== true);
  return requirements.length === 0 || seatings(requirements).some((seats) => unfilled(counted(seats), eligible, everybody).length > 0);
}

/** Whether enough people have said no. */
export function isVetoed(requirements: readonly Requirement[], eligible: readonly Eligible[], votes: readonly Vote[]): boolean {
  return requirements.some(({ veto = 1 }, index) => {
    const people = eligible[index];
    if (people === undefined) return false;
    const noes = new Set(votes.flatMap(({ subject, decision }) => (decision === 'deny' && people.has(subject) ? [subject] : [])));
    const seats = Array.from({ length: veto }, () => ({ requirement: 0 }));
    return unfilled(seats, [people], noes).length === 0;
  });
}

/** Seats that compete for the same votes stand together. */
function seatings(requirements: readonly Requirement[]): readonly (readonly Seat[])[] {
  const seats = requirements.map((requirement, index) => ({ shared: requirement.share_votes === true, seats: seatsOf(requirement, index) }));
  return [seats.flatMap((each) => (each.shared ? [] : each.seats)), ...seats.flatMap((each) => (each.shared ? [each.seats] : []))];
}

function seatsOf({ approvers, quorum, min_per_group = 0 }: Requirement, requirement: number): readonly Seat[] {
  const groups = approvers.filter((reference) => kindOf(reference) !== 'user');
  const kept = groups.flatMap((group) => Array.from({ length: min_per_group }, () => ({ requirement, group })));
  return [...kept, ...Array.from({ length: Math.max(0, quorum - kept.length) }, () => ({ requirement }))];
}

/**
 * The seats that stay empty when as many as possible are taken: a maximum flow of seats over authorities to people,
 * each used once (Ford and Fulkerson; `residual` holds what may still flow, one unit an edge).
 */
function unfilled(seats: readonly Seat[], eligible: readonly Eligible[], acting: ReadonlySet<string>): readonly Seat[] {
  const residual = new Map<string, Set<string>>();
  const edge = (from: string, to: string): unknown => residual.get(from)?.add(to) ?? residual.set(from, new Set([to]));
  for (const people of eligible) {
    for (const subject of people.keys()) {
      if (!acting.has(subject)) continue;
      for (const authority of authoritiesOf(subject, people)) {
        edge(`in ${authority}`, `out ${authority}`);
        edge(`out ${authority}`, `person ${subject}`);
      }
      edge(`person ${subject}`, END);
    }
  }
  return seats.filter((seat, index) => {
    const people = eligible[seat.requirement];
    // A seat is for whoever is asked; who acts in that person's place is the next step of the way.
    for (const [subject, { references, stands_in_for }] of people ?? []) {
      if (stands_in_for === undefined && (seat.group === undefined || references.includes(seat.group))) edge(`seat ${index}`, `in ${subject}`);
    }
    return !augment(residual, `seat ${index}`);
  });
}

const END = 'end';

/** Sends one unit more from here to the end, if there is a way. Whoever was seated once stays seated. */
function augment(residual: Map<string, Set<string>>, from: string): boolean {
  const cameFrom = new Map<string, string>();
  const queue = [from];
  for (const at of queue) {
    for (const to of residual.get(at) ?? []) {
      if (cameFrom.has(to) || to === from) continue;
      cameFrom.set(to, at);
      if (to === END) return turn(residual, cameFrom, from);
      queue.push(to);
    }
  }
  return false;
}

function turn(residual: Map<string, Set<string>>, cameFrom: ReadonlyMap<string, string>, from: string): true {
  for (let to = END; to !== from; ) {
    const at = cameFrom.get(to) ?? from;
    residual.get(at)?.delete(to);
    const back = residual.get(to) ?? new Set();
    residual.set(to, back.add(at));
    to = at;
  }
  return true;
}
