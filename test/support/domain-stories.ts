// Story tables: given what happened, when something is done, then an event is appended, or a refusal says no, or
// nothing changes. Each row is one test, and its `tells` is the sentence that is read when it fails.
import { expect, test } from 'vitest';
import type { Ruling } from '../../lambdas/domain/decide/ruling.ts';
import type { EventType } from '../../lambdas/domain/events.ts';
import type { Status } from '../../lambdas/domain/operation.ts';
import { REFUSAL_STATUS, type RefusalCode } from '../../lambdas/domain/refusals.ts';
import { appended, tell, instant, type Step } from './operation-builder.ts';

export interface Appends {
  readonly appends: EventType;
  /** Members that the event's data must hold; others are not looked at. */
  readonly with?: object;
  /** The status that follows. */
  readonly then: Status;
  /** Recorded, and the one who asked is told no. */
  readonly refuses?: RefusalCode;
}

export type Then = Appends | { readonly refuses: RefusalCode; readonly saying?: object } | 'nothing changes';

export interface StoryRow {
  readonly tells: string;
  readonly given?: readonly Step[];
  readonly when: Step;
  readonly then: Then;
}

export function tellStories(rows: readonly StoryRow[]): void {
  for (const row of rows) test(row.tells, () => checkStory(row));
}

async function checkStory({ given = [], when, then }: StoryRow): Promise<void> {
  const before = given.length === 0 ? undefined : await tell(given);
  const ruling = await when.command(before?.operation, instant(when.second));
  expect(told(ruling)).toEqual(expected(then));
  if (then === 'nothing changes') return;
  if (!('appends' in then)) {
    if (then.saying !== undefined) expect(ruling).toHaveProperty('refusal', expect.objectContaining(then.saying));
    return;
  }
  if (ruling.kind !== 'append') throw new Error('unreachable: the ruling was compared above');
  const after = appended(before, ruling, instant(when.second));
  expect(after.sealed.at(-1)?.event.data).toMatchObject(then.with ?? {});
  expect(after.operation.status).toBe(then.then);
  expect(after.sealed).toHaveLength((before?.sealed.length ?? 0) + 1);
}

function told(ruling: Ruling): object {
  if (ruling.kind === 'unchanged') return { unchanged: true };
  if (ruling.kind === 'append') return { appends: ruling.event.type, refuses: ruling.refusal?.code };
  expect(REFUSAL_STATUS).toHaveProperty(ruling.refusal.code);
  expect(ruling.refusal.detail).not.toBe('');
  return { refuses: ruling.refusal.code };
}

function expected(then: Then): object {
  if (then === 'nothing changes') return { unchanged: true };
  return 'appends' in then ? { appends: then.appends, refuses: then.refuses } : { refuses: then.refuses };
}
