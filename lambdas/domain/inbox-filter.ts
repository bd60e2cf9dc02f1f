// Which entries of an inbox somebody wants to see. It narrows what is listed, never what may be decided.
import type { Risk } from './events.ts';
import type { InboxEntry } from './operation-views.ts';

export const RISK_LEVELS = ['low', 'medium', 'high', 'critical'] as const satisfies readonly Risk['level'][];

export interface InboxFilter {
  readonly workspace?: string;
  readonly tool?: string;
  readonly risk?: Risk['level'];
}

export function isNarrowed(filter: InboxFilter): boolean {
  return Object.keys(filter).length > 0;
}

export function passes({ workspace_id, tool, risk }: InboxEntry, filter: InboxFilter): boolean {
  return (filter.workspace ?? workspace_id) === workspace_id && (filter.tool ?? tool) === tool && (filter.risk ?? risk.level) === risk.level;
}
