import { describe } from 'vitest';
import { HISTORIES, HISTORY_NAMES, type HistoryName } from '../../../support/domain-histories.ts';
import { tellStories, type StoryRow } from '../../../support/domain-stories.ts';
import { actor, at, cancel } from '../../../support/operation-builder.ts';

/** What a cancel by somebody who may comes to, in each place that an operation can be in. */
function comesTo(name: HistoryName): StoryRow['then'] {
  const { status } = HISTORIES[name];
  if (name === 'running, to be cancelled') return 'nothing changes';
  if (status === 'running') return { appends: 'tool.cancel_requested', then: 'running' };
  if (status === 'pending' || status === 'granted') return { appends: 'approval.cancelled', with: { reason: 'cancelled_on_request' }, then: 'cancelled' };
  return status === 'cancelled' ? 'nothing changes' : { refuses: 'already_decided', saying: { more: { operation_status: status } } };
}

const MAY: readonly [string, string, boolean][] = [
  ['the agent that asked', 'agent:billing-bot', false],
  ['the person that it acts for', 'user:zoe', false],
  ['the agent\u2019s owner', 'user:olga', false],
  ['an administrator', 'user:root', true],
];
const MAY_NOT: readonly [string, string][] = [
  ['an approver', 'user:ana'],
  ['a stranger', 'user:mallory'],
  ['another agent', 'agent:other-bot'],
  ['somebody without a name', ''],
];

describe.each(MAY)('%s cancels', (_, subject, administrator) => {
  tellStories(HISTORY_NAMES.map((name) => ({ tells: `an operation that is ${name}`, given: HISTORIES[name].steps, when: at(1000, cancel(subject, { administrator })), then: comesTo(name) })));
});

describe.each(MAY_NOT)('%s cannot cancel', (_, subject) => {
  tellStories(HISTORY_NAMES.map((name) => ({ tells: `an operation that is ${name}`, given: HISTORIES[name].steps, when: at(1000, cancel(subject)), then: { refuses: 'not_an_administrator' } })));
});

describe('the words of whoever cancels', () => {
  tellStories([
    {
      tells: 'are kept with the cancel',
      given: HISTORIES.granted.steps,
      when: at(65, cancel('user:olga', { comment: 'not today' })),
      then: { appends: 'approval.cancelled', with: { actor: actor('user:olga'), comment: 'not today' }, then: 'cancelled' },
    },
    {
      tells: 'are kept with the wish to stop a run',
      given: HISTORIES.running.steps,
      when: at(75, cancel('user:olga', { comment: 'stop it' })),
      then: { appends: 'tool.cancel_requested', with: { actor: actor('user:olga'), comment: 'stop it' }, then: 'running' },
    },
  ]);
});
