// Policy documents as they are now, and the one way to change them.
import type { ScopedPolicy } from '../domain/policy/evaluate-policy.ts';
import type { PolicyChange, PolicyEvent } from '../domain/policy/policy-log.ts';
import type { PolicyScope } from '../domain/policy/policy-document.ts';

export interface Policies {
  /** What each scope says, in the order asked; revision 0 and no rules where nothing was ever written. Read consistently. */
  current(scopes: readonly PolicyScope[]): Promise<readonly ScopedPolicy[]>;
}

export interface PolicyEditor {
  /** The newest change of one scope; undefined where nothing was ever written. */
  newest(scope: PolicyScope): Promise<PolicyEvent | undefined>;
  /** Appends the change as the revision after `revision`; `conflict` where another came first. */
  change(change: PolicyChange, revision: number, causation_id: string): Promise<PolicyEvent | 'conflict'>;
}
