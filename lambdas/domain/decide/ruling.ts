// What the domain answers a command with: the one event to append, nothing to change, or a refusal.
import type { EventDraft } from '../events.ts';
import type { Refusal } from '../refusals.ts';

export type Ruling =
  /** `refusal` beside an event: it is recorded, and the one who asked is told no. */
  | { readonly kind: 'append'; readonly event: EventDraft; readonly refusal?: Refusal }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refuse'; readonly refusal: Refusal };

export const UNCHANGED: Ruling = { kind: 'unchanged' };

export function append(event: EventDraft, refusal?: Refusal): Ruling {
  return refusal === undefined ? { kind: 'append', event } : { kind: 'append', event, refusal };
}

export function refuse(refusal: Refusal): Ruling {
  return { kind: 'refuse', refusal };
}

