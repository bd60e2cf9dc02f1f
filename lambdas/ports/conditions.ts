// The language of policy conditions.
import type { Condition } from '../domain/policy/evaluate-policy.ts';

export interface ConditionLanguage {
  readonly holds: Condition;
  /** Why this text cannot be a condition, for the one who wrote it; undefined when it can. */
  faultOf(expression: string): string | undefined;
}
