// Who is asking, as the credential and the registry of callers prove it. A body never says who acts.
import type { Instant } from './times.ts';

export type SubjectKind = 'user' | 'agent' | 'service';

export interface Caller {
  /** `user:ana`, `agent:billing-bot`, `service:deployer`. */
  readonly subject: string;
  readonly kind: SubjectKind;
  /** Groups and relations that the directory, or a token, puts this subject in, through one another too. */
  readonly groups: readonly string[];
  readonly administrator: boolean;
  readonly proof: { readonly method: 'iam' | 'jwt'; readonly principal: string };
  /** Those of `groups` that the person's token named, and until when its word holds. Absent where it named none. */
  readonly claimed_groups?: readonly string[];
  readonly claims_hold_until?: Instant;
  /** For agents and services: what they may propose. Absent for people. */
  readonly agency?: Agency;
}

export interface Agency {
  readonly agent_ids: readonly string[];
  readonly workspaces: readonly string[];
  readonly may_act_for: readonly string[];
  /** Whose agent it is: never an approver of what it proposes. */
  readonly owner: string;
}

/** The person or program behind one event, and how it was proven. */
export interface Actor {
  readonly subject: string;
  readonly kind: SubjectKind | 'system';
  readonly proof: string;
}

export function actorOf(caller: Caller): Actor {
  return { subject: caller.subject, kind: caller.kind, proof: caller.proof.method };
}

export function systemActor(name: string): Actor {
  return { subject: `system:${name}`, kind: 'system', proof: 'internal' };
}
