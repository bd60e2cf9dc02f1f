// Every effect of every story, cut off before and after, by a process that ends and by a call that fails: K1 to K18.
import { describe, expect, test } from 'vitest';
import { crashPoints, type CrashPoint } from '../../support/crash-points.ts';
import { cancelling, play, vote, type Ending, type Patience, type Story } from '../../support/crash-stories.ts';

const STORIES: readonly Story[] = [
  { title: 'approved and run', tool: 'refund_payment', then: async ({ ask }, operation) => ask(vote(operation, 'user:ana')), ends: 'completed' },
  { title: 'denied', tool: 'refund_payment', then: async ({ ask }, operation) => ask(vote(operation, 'user:ben', 'deny')), ends: 'denied' },
  { title: 'decided on another hash', tool: 'refund_payment', then: async ({ ask }, operation) => ask(vote(operation, 'user:ana', 'approve', `sha256:${'0'.repeat(64)}`)), ends: 'denied' },
  { title: 'cancelled while people are asked', tool: 'refund_payment', then: async ({ ask }, operation) => ask(cancelling(operation)), ends: 'cancelled' },
  { title: 'left alone', tool: 'refund_payment', then: async () => undefined, ends: 'expired' },
  { title: 'allowed by policy', tool: 'read_customer', then: async () => undefined, ends: 'completed' },
  { title: 'denied by policy', tool: 'drop_table', then: async () => undefined, ends: 'refused' },
  { title: 'asked for its own sake', tool: 'ask_human', then: async ({ ask }, operation) => ask(vote(operation, 'user:ana')), ends: 'answered' },
  {
    title: 'approved by two',
    tool: 'wire_transfer',
    then: async ({ ask, corridor }, operation) => {
      await ask(vote(operation, 'user:ana'));
      await corridor.quiet();
      await ask(vote(operation, 'user:zoe'));
    },
    ends: 'completed',
  },
  {
    title: 'cancelled while it runs',
    tool: 'refund_payment',
    before: ({ corridor: { ports }, ask }) => {
      ports.invoker.behaving('refund_payment', async ({ operation_id }) => {
        await ask({ route: 'POST /agent/operations/{id}/cancel', as: 'agent:billing-bot', id: operation_id, body: {} });
        return { kind: 'completed', output: 'paid' };
      });
    },
    then: async ({ ask }, operation) => ask(vote(operation, 'user:ana')),
    ends: 'unknown',
  },
  {
    title: 'run by a tool that fails',
    tool: 'refund_payment',
    before: ({ corridor: { ports } }) => ports.invoker.behaving('refund_payment', () => ({ kind: 'failed', error: 'CardExpired', message: 'the card has expired' })),
    then: async ({ ask }, operation) => ask(vote(operation, 'user:ana')),
    ends: 'failed',
  },
  { title: 'approved and run, in a run and with a lease', tool: 'refund_payment', more: { run_id: 'run-1', lease_seconds: 3600 }, then: async ({ ask }, operation) => ask(vote(operation, 'user:ana')), ends: 'completed' },
  {
    title: 'cancelled with its run',
    tool: 'refund_payment',
    more: { run_id: 'run-1', lease_seconds: 3600 },
    then: async ({ ask }) => ask({ route: 'POST /agent/runs/{run_id}/cancel', as: 'agent:billing-bot', path: { run_id: 'run-1' }, body: {} }),
    ends: 'cancelled',
  },
  {
    title: 'left by an agent that is gone',
    tool: 'refund_payment',
    more: { lease_seconds: 60 },
    then: async ({ corridor }) => {
      await corridor.ports.clock.advance(61_000);
      for (let sweeps = 0; sweeps < 2; sweeps += 1) await corridor.quiet();
    },
    ends: 'cancelled',
  },
];

const name = ({ effect, moment, kind }: CrashPoint, effects: readonly string[]): string => `${kind} ${moment} effect ${String(effect)} (${effects[effect - 1] ?? ''})`;

async function endings(story: Story, patience: Patience): Promise<readonly (Ending & { readonly point: CrashPoint })[]> {
  const whole = await play(story, undefined, patience);
  expect(whole.status).toBe(story.ends);
  const all: (Ending & { point: CrashPoint })[] = [];
  for (const point of crashPoints(whole.effects.length)) {
    try {
      all.push({ ...(await play(story, point, patience)), point });
    } catch (thrown) {
      throw new Error(`${story.title}: ${name(point, whole.effects)}: ${thrown instanceof Error ? thrown.message : ''}`, { cause: thrown });
    }
  }
  return all;
}

describe.each(STORIES)('an operation that is $title', (story) => {
  test('keeps every promise wherever it is cut off, when those who got no answer come back', async () => {
    const all = await endings(story, 'comes back');
    expect(all.length).toBeGreaterThan(20);
    // Nothing but a run of which nothing is known may end otherwise than it would have.
    const otherwise = all.filter(({ status }) => status !== story.ends);
    expect(otherwise.filter(({ status, events }) => !(status === 'unknown' && events.includes('tool.started')))).toEqual([]);
  });

  test('keeps every promise wherever it is cut off, when nobody comes back', async () => {
    const all = await endings(story, 'gives up');
    for (const { status, runs, events } of all) if (runs > 0) expect(events.includes('approval.granted') || events.includes('approval.auto_granted'), status).toBe(true);
  });
});

test('is unknown only where the cut fell between the start and the stored outcome', async () => {
  const all = await endings(STORIES[0]!, 'comes back');
  const unknown = all.filter(({ status }) => status === 'unknown').map(({ point, struck }) => `${point.kind} ${point.moment} ${struck ?? ''}`);
  expect([...new Set(unknown)].toSorted()).toEqual([
    'crash after eventLog.append',
    'crash after invoker.invoke',
    'crash after results.putResult',
    'crash before eventLog.append',
    'crash before invoker.invoke',
    'crash before results.putResult',
    'fault after eventLog.append',
    'fault after invoker.invoke',
    'fault after results.putResult',
    'fault before eventLog.append',
    'fault before invoker.invoke',
    'fault before results.putResult',
  ]);
  // One append each: what follows the start, and what precedes the outcome.
  expect(unknown).toHaveLength(12);
});

test('an idempotent tool is run again and ends completed wherever the cut fell', async () => {
  const story: Story = { title: 'idempotent', tool: 'sync_ledger', then: async ({ ask }, operation) => ask(vote(operation, 'user:ana')), ends: 'completed' };
  const all = await endings(story, 'comes back');
  expect(all.filter(({ status }) => status !== 'completed')).toEqual([]);
  expect(Math.max(...all.map(({ runs }) => runs))).toBe(2);
});
