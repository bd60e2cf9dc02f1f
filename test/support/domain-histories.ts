// One history for every place an operation can be in, and the states apart that rules tell apart: a run whose
// cancelling was asked for, and the ways into a status. Shared by the tables that go through all of them.
import type { Status } from '../../lambdas/domain/operation.ts';
import { ALLOWING, askingWith, BREAK_GLASS, breakGlass, UNMANAGED, DENYING, COMPLETED, extend, FAILED, LOST, abandon, approve, asking, at, cancel, claim, deny, OTHER_HASH, propose, report, reveal, REVEALING, review, reviewGlass, tell, wait, type Step, type Story } from './operation-builder.ts';

const PENDING: readonly Step[] = [at(0, propose())];
const GRANTED: readonly Step[] = [...PENDING, at(60, approve('user:ana'))];
const RUNNING: readonly Step[] = [...GRANTED, at(70, claim())];
const STOPPING: readonly Step[] = [...RUNNING, at(80, cancel('user:olga'))];
const HALF: readonly Step[] = [at(0, propose({ policy: asking(['group:finance'], 2) })), at(30, approve('user:ana'))];
const IN_TIME: readonly Step[] = [at(0, propose({ policy: askingWith({ reminders: [{ fraction: 0.5 }], escalation: [{ after_seconds: 2700, approvers: ['group:finance'] }], extendable_to_seconds: 7200 }) }))];
const IN_NEED: readonly Step[] = [at(0, propose({ policy: askingWith({}, { break_glass: BREAK_GLASS }) })), at(60, breakGlass('user:gil'))];
const BROKEN: readonly Step[] = [...IN_NEED, at(90, breakGlass('user:hal'))];

export interface History {
  readonly status: Status;
  readonly steps: readonly Step[];
}

export const HISTORIES = {
  pending: { status: 'pending', steps: PENDING },
  'pending with a vote': { status: 'pending', steps: HALF },
  'pending and revealed': { status: 'pending', steps: [at(0, propose({ tool: REVEALING })), at(30, reveal('user:ana'))] },
  'pending, and reminded': { status: 'pending', steps: [...IN_TIME, at(1800, wait())] },
  'pending, and escalated': { status: 'pending', steps: [...IN_TIME, at(1800, wait()), at(2700, wait())] },
  'pending, with more time': { status: 'pending', steps: [...IN_TIME, at(60, extend('user:ana', 7200))] },
  'pending, half the glass broken': { status: 'pending', steps: IN_NEED },
  granted: { status: 'granted', steps: GRANTED },
  'granted, the glass broken': { status: 'granted', steps: BROKEN },
  'granted, the broken glass reviewed': { status: 'granted', steps: [...BROKEN, at(120, reviewGlass('user:ian'))] },
  'granted by policy': { status: 'granted', steps: [at(0, propose({ policy: ALLOWING }))] },
  running: { status: 'running', steps: RUNNING },
  'running, to be cancelled': { status: 'running', steps: STOPPING },
  'granted after a reveal': { status: 'granted', steps: [at(0, propose({ tool: REVEALING })), at(30, reveal('user:ana')), at(60, approve('user:ana'))] },
  'completed, the glass broken': { status: 'completed', steps: [...BROKEN, at(100, claim()), at(105, report(COMPLETED))] },
  completed: { status: 'completed', steps: [...RUNNING, at(75, report(COMPLETED))] },
  'completed, to be reviewed': { status: 'completed', steps: [at(0, propose({ agent_mode: 'monitored' })), at(60, approve('user:ana')), at(70, claim()), at(75, report(COMPLETED)), at(80, review())] },
  failed: { status: 'failed', steps: [...RUNNING, at(75, report(FAILED))] },
  unknown: { status: 'unknown', steps: [...RUNNING, at(75, report(LOST))] },
  'unknown after a late result': { status: 'unknown', steps: [...STOPPING, at(90, report(COMPLETED))] },
  refused: { status: 'refused', steps: [at(0, propose({ policy: DENYING }))] },
  answered: { status: 'answered', steps: [at(0, propose({ tool: UNMANAGED })), at(60, approve('user:ana'))] },
  denied: { status: 'denied', steps: [...PENDING, at(60, deny('user:ana'))] },
  'denied for a wrong hash': { status: 'denied', steps: [...PENDING, at(60, approve('user:ana', { hash: OTHER_HASH }))] },
  expired: { status: 'expired', steps: [...PENDING, at(3600, wait())] },
  'expired, and denied late': { status: 'expired', steps: [...PENDING, at(3600, wait()), at(3601, deny('user:ben'))] },
  cancelled: { status: 'cancelled', steps: [...PENDING, at(60, cancel('user:olga'))] },
  'cancelled after the grant': { status: 'cancelled', steps: [...GRANTED, at(65, cancel('user:olga'))] },
  'cancelled with its execution': { status: 'cancelled', steps: [...PENDING, at(60, abandon('execution_stopped'))] },
  voided: { status: 'voided', steps: [...GRANTED, at(960, wait())] },
} as const satisfies Record<string, History>;

export type HistoryName = keyof typeof HISTORIES;
export const HISTORY_NAMES = Object.keys(HISTORIES) as readonly HistoryName[];

const OPEN: ReadonlySet<Status> = new Set<Status>(['pending', 'granted', 'running']);
export const CLOSED_HISTORIES = HISTORY_NAMES.filter((name) => !OPEN.has(HISTORIES[name].status));
export const OPEN_HISTORIES = HISTORY_NAMES.filter((name) => OPEN.has(HISTORIES[name].status));

export const history = (name: HistoryName): Promise<Story> => tell(HISTORIES[name].steps);
