import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../../../lambdas/domain/limits.ts';
import { CLOSED_HISTORIES, HISTORIES } from '../../../support/domain-histories.ts';
import { tellStories, type StoryRow } from '../../../support/domain-stories.ts';
import { actor, approve, asking, at, claim, DIRECTORY, instant, propose, REFUND, reveal, REVEALING, tell } from '../../../support/operation-builder.ts';

const ASKED = [at(0, propose({ tool: REVEALING }))];
const no = (code: 'not_an_approver' | 'own_operation' | 'already_decided' | 'operation_expired' | 'reveal_not_allowed'): StoryRow['then'] => ({ refuses: code });
const shown: StoryRow['then'] = { appends: 'approval.arguments_revealed', then: 'pending' };

describe('the exact arguments', () => {
  tellStories([
    { tells: 'are shown to an approver, which is recorded before', given: ASKED, when: at(30, reveal('user:ana', { channel: 'api' })), then: { ...shown, with: { actor: actor('user:ana'), channel: 'api' } } },
    { tells: 'are shown again, and recorded again', given: HISTORIES['pending and revealed'].steps, when: at(31, reveal('user:ana')), then: shown },
    { tells: 'are shown until the last millisecond', given: ASKED, when: at(3599.999, reveal('user:ana')), then: shown },
    { tells: 'are not shown at the deadline', given: ASKED, when: at(3600, reveal('user:ana')), then: no('operation_expired') },
    { tells: 'are not shown where the tool does not say so', given: [at(0, propose())], when: at(30, reveal('user:ana', { tool: REFUND })), then: no('reveal_not_allowed') },
    { tells: 'are not shown where the tool says so only since', given: [at(0, propose())], when: at(30, reveal('user:ana')), then: no('reveal_not_allowed') },
    { tells: 'are not shown where the tool says so no more', given: ASKED, when: at(30, reveal('user:ana', { tool: REFUND })), then: no('reveal_not_allowed') },
    { tells: 'are not shown of a tool that is gone', given: ASKED, when: at(30, reveal('user:ana', { gone: true })), then: no('reveal_not_allowed') },
    { tells: 'are not shown to a stranger', given: ASKED, when: at(30, reveal('user:mallory')), then: no('not_an_approver') },
    { tells: 'are not shown to an agent', given: ASKED, when: at(30, reveal('user:ana', { kind: 'agent' })), then: no('not_an_approver') },
    { tells: 'are not shown to the agent that asked', given: ASKED, when: at(30, reveal('agent:billing-bot')), then: no('own_operation') },
    { tells: 'are not shown to the agent\u2019s owner', given: [at(0, propose({ tool: REVEALING, policy: asking(['user:ana', 'user:olga']) }))], when: at(30, reveal('user:olga')), then: no('own_operation') },
    {
      tells: 'are not shown to whoever has left the group',
      given: [at(0, propose({ tool: REVEALING, policy: asking(['group:finance'], 1) }))],
      when: at(30, reveal('user:ana', { directory: { ...DIRECTORY, 'group:finance': ['user:ben'] } })),
      then: no('not_an_approver'),
    },
    { tells: 'are not shown once it is granted', given: HISTORIES['granted after a reveal'].steps, when: at(70, reveal('user:ana')), then: no('already_decided') },
    { tells: 'are not shown while it runs', given: [...HISTORIES['granted after a reveal'].steps, at(70, claim({ tool: REVEALING }))], when: at(71, reveal('user:ana')), then: no('already_decided') },
    ...CLOSED_HISTORIES.filter((name) => !(['refused'] as readonly string[]).includes(name)).map((name): StoryRow => ({ tells: `are not shown of what is ${name}`, given: HISTORIES[name].steps, when: at(90, reveal('user:ana')), then: no('already_decided') })),
  ]);

  test('are shown a bounded number of times', async () => {
    const often = Array.from({ length: LIMITS.reveals }, (_, index) => at(30 + index, reveal('user:ana')));
    const { operation } = await tell([...ASKED, ...often]);

    expect(operation.reveals).toHaveLength(LIMITS.reveals);
    expect(await reveal('user:ben')(operation, instant(200))).toMatchObject({ kind: 'refuse', refusal: { code: 'reveal_not_allowed' } });
    expect(await approve('user:ben')(operation, instant(200))).toMatchObject({ kind: 'append', event: { type: 'approval.granted' } });
  });
});
