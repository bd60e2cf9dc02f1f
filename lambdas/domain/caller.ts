// Who is asking, as the credential and the registry of callers prove it. A body never says who acts.

export type SubjectKind = 'user' | 'agent' | 'service';

export interface Caller {
  /** `user:ana`, `agent:billing-bot`, `service:deployer`. */
  readonly subject: string;
  readonly kind: SubjectKind;
  /** `group:<id>` references that the registry puts this subject in. */
  readonly groups: readonly string[];
  readonly administrator: boolean;
  readonly proof: { readonly method: 'iam' | 'jwt'; readonly principal: string };
  /** For agents and services: what they may propose. Absent for people. */
  readonly agency?: Agency;
}

export interface Agency {
  readonly agent_ids: readonly string[];
  readonly workspaces: readonly string[];
  readonly may_act_for: readonly string[];
  readonly owner?: string;
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
