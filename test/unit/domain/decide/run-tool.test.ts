import { describe, expect, test } from 'vitest';
import { longestRunSeconds } from '../../../../lambdas/domain/decide/run-tool.ts';
import { HISTORIES, HISTORY_NAMES } from '../../../support/domain-histories.ts';
import { tellStories, type StoryRow } from '../../../support/domain-stories.ts';
import { approve, ARGUMENTS_HASH, at, cancel, claim, COMPLETED, FAILED, IDEMPOTENT, instant, LOST, OTHER_HASH, propose, REFUND, report, resultHash, review, tell, wait } from '../../../support/operation-builder.ts';

const GRANTED = HISTORIES.granted.steps;
const RUNNING = HISTORIES.running.steps;
const STOPPING = HISTORIES['running, to be cancelled'].steps;
const voided = (reason: 'grant_lapsed' | 'tool_changed' | 'policy_denies_now' | 'arguments_changed'): StoryRow['then'] => ({ appends: 'approval.voided', with: { reason }, then: 'voided' });

describe('a claim', () => {
  tellStories([
    {
      tells: 'of a grant starts the tool, naming the invocation and how long it may take',
      given: GRANTED,
      when: at(70, claim({ claim_id: 'claim-7' })),
      then: { appends: 'tool.started', with: { claim_id: 'claim-7', run_deadline: instant(70 + 60 + 15), operation: { arguments_hash: ARGUMENTS_HASH } }, then: 'running' },
    },
    { tells: 'of what policy granted starts the tool', given: HISTORIES['granted by policy'].steps, when: at(70, claim()), then: { appends: 'tool.started', then: 'running' } },
    { tells: 'is in time until the last millisecond', given: GRANTED, when: at(959.999, claim()), then: { appends: 'tool.started', then: 'running' } },
    { tells: 'lapses at the very instant of use_by', given: GRANTED, when: at(960, claim()), then: voided('grant_lapsed') },
    { tells: 'lapses after it', given: GRANTED, when: at(2000, claim()), then: voided('grant_lapsed') },
    { tells: 'runs no tool whose definition has changed since it was shown', given: GRANTED, when: at(70, claim({ tool: { ...REFUND, version: '2' } })), then: voided('tool_changed') },
    { tells: 'runs no tool that runs something else now', given: GRANTED, when: at(70, claim({ tool: { ...REFUND, executor: { function: 'other' } } })), then: voided('tool_changed') },
    { tells: 'runs no tool that is gone', given: GRANTED, when: at(70, claim({ tool: undefined })), then: voided('tool_changed') },
    { tells: 'runs nothing that policy denies now (I-9)', given: GRANTED, when: at(70, claim({ policy_denies: true })), then: voided('policy_denies_now') },
    { tells: 'runs no other bytes than those that were decided on', given: GRANTED, when: at(70, claim({ vault_hash: OTHER_HASH })), then: voided('arguments_changed') },
    { tells: 'runs nothing when the vault is empty', given: GRANTED, when: at(70, claim({ vault_hash: undefined })), then: voided('arguments_changed') },
    { tells: 'runs no other tool with the same arguments (139)', given: GRANTED, when: at(70, claim({ tool: { ...REFUND, name: 'refund_all' } })), then: voided('tool_changed') },
    { tells: 'of its own again goes on: the reply to it was lost', given: RUNNING, when: at(71, claim()), then: 'nothing changes' },
    { tells: 'by anyone else never starts the tool again', given: RUNNING, when: at(71, claim({ claim_id: 'claim-2' })), then: { refuses: 'grant_already_claimed' } },
    { tells: 'by anyone else never starts it again, late as it may be', given: RUNNING, when: at(100_000, claim({ claim_id: 'claim-2' })), then: { refuses: 'grant_already_claimed' } },
    { tells: 'by anyone else takes no run that is to be cancelled', given: STOPPING, when: at(81, claim({ claim_id: 'claim-2' })), then: { refuses: 'grant_already_claimed' } },
    { tells: 'cannot take what nobody has granted', given: HISTORIES.pending.steps, when: at(70, claim()), then: { refuses: 'already_decided' } },
    ...HISTORY_NAMES.filter((name) => !['pending', 'granted', 'running'].includes(HISTORIES[name].status)).map((name): StoryRow => ({
      tells: `takes nothing that is ${name}`,
      given: HISTORIES[name].steps,
      when: at(1000, claim()),
      then: { refuses: 'already_decided' },
    })),
  ]);
});

describe('a claim of a tool that may be repeated', () => {
  const opened = [at(0, propose({ tool: IDEMPOTENT })), at(60, approve('user:ana'))];
  const started = [...opened, at(70, claim({ tool: IDEMPOTENT }))];
  const again = (more: Parameters<typeof claim>[0] = {}) => claim({ claim_id: 'claim-2', tool: IDEMPOTENT, ...more });
  const no: StoryRow['then'] = { refuses: 'grant_already_claimed' };
  tellStories([
    { tells: 'by a second invocation goes on under the first start', given: started, when: at(100, again()), then: 'nothing changes' },
    { tells: 'may report the outcome under its own claim', given: started, when: at(110, report(COMPLETED, 'claim-2')), then: { appends: 'tool.completed', with: { claim_id: 'claim-2' }, then: 'completed' } },
    { tells: 'ends with the run\u2019s deadline', given: started, when: at(70 + 75, again()), then: no },
    { tells: 'ends when cancelling is asked for', given: [...started, at(80, cancel('user:olga'))], when: at(100, again()), then: no },
    { tells: 'is refused when the tool is gone', given: started, when: at(100, again({ tool: undefined })), then: no },
    { tells: 'is refused when the tool may no longer be repeated', given: started, when: at(100, again({ tool: { ...IDEMPOTENT, idempotent: false } })), then: no },
    { tells: 'is refused when the vault holds other bytes (I-1)', given: started, when: at(100, again({ vault_hash: OTHER_HASH })), then: no },
    { tells: 'is refused when the tool is defined otherwise', given: started, when: at(100, again({ tool: { ...IDEMPOTENT, version: '2' } })), then: no },
    { tells: 'is refused when policy denies it now (I-9)', given: started, when: at(100, again({ policy_denies: true })), then: no },
    {
      tells: 'is refused when the tool declares itself so only since it was started (I-2)',
      given: RUNNING,
      when: at(100, claim({ claim_id: 'claim-2', tool: { ...REFUND, idempotent: true } })),
      then: no,
    },
  ]);
});

describe('an outcome', () => {
  const observed = (kind: 'completed' | 'failed', result_hash: string): StoryRow['then'] => ({ appends: 'tool.outcome_observed', with: { observed: kind, result_hash, claim_id: 'claim-1' }, then: 'unknown' });
  const other = { ...COMPLETED, result_hash: resultHash('"another"') } as const;
  const lost = [...RUNNING, at(75, report(LOST))];
  const evidence = [...lost, at(90, report(COMPLETED))];
  tellStories([
    { tells: 'that is good completes the run, with the digest of the result', given: RUNNING, when: at(75, report(COMPLETED)), then: { appends: 'tool.completed', with: { claim_id: 'claim-1', result_hash: COMPLETED.result_hash }, then: 'completed' } },
    { tells: 'that is bad fails the run, with its error', given: RUNNING, when: at(75, report(FAILED)), then: { appends: 'tool.failed', with: { error: 'CardExpired', result_hash: FAILED.result_hash }, then: 'failed' } },
    { tells: 'that nobody knows is unknown, with the reason', given: RUNNING, when: at(75, report(LOST)), then: { appends: 'tool.outcome_unknown', with: { reason: 'invoke_timed_out' }, then: 'unknown' } },
    { tells: 'that is good is evidence only, once cancelling was asked for (I-4)', given: STOPPING, when: at(90, report(COMPLETED)), then: observed('completed', COMPLETED.result_hash) },
    { tells: 'that is bad is evidence only, once cancelling was asked for', given: STOPPING, when: at(90, report(FAILED)), then: observed('failed', FAILED.result_hash) },
    { tells: 'that nobody knows is unknown, once cancelling was asked for', given: STOPPING, when: at(90, report(LOST)), then: { appends: 'tool.outcome_unknown', then: 'unknown' } },
    { tells: 'that comes after all is kept as evidence', given: lost, when: at(90, report(COMPLETED)), then: observed('completed', COMPLETED.result_hash) },
    { tells: 'that comes after the deadline was noticed is evidence only', given: [...RUNNING, at(145, wait())], when: at(146, report(COMPLETED)), then: observed('completed', COMPLETED.result_hash) },
    { tells: 'that contradicts earlier evidence is kept beside it', given: evidence, when: at(91, report(other)), then: observed('completed', other.result_hash) },
    { tells: 'that repeats earlier evidence adds nothing', given: evidence, when: at(91, report(COMPLETED)), then: 'nothing changes' },
    { tells: 'that is unknown adds nothing to what is unknown', given: lost, when: at(91, report(LOST)), then: 'nothing changes' },
    ...(['completed', 'failed'] as const).flatMap((name) =>
      [COMPLETED, FAILED, LOST].map((outcome): StoryRow => ({ tells: `that is ${outcome.kind} changes nothing once it is ${name}`, given: HISTORIES[name].steps, when: at(90, report(outcome)), then: 'nothing changes' })),
    ),
    ...(['pending', 'granted', 'denied', 'expired', 'cancelled', 'voided', 'refused', 'answered'] as const).map((name): StoryRow => ({
      tells: `changes nothing where nothing was started: ${name}`,
      given: HISTORIES[name].steps,
      when: at(90, report(COMPLETED)),
      then: 'nothing changes',
    })),
    {
      tells: 'of an invocation that did not start the tool does not complete the run',
      given: RUNNING,
      when: at(75, report(COMPLETED, 'claim-2')),
      then: { refuses: 'grant_already_claimed' },
    },
  ]);

  test('that contradicts earlier evidence leaves both to the person who reconciles', async () => {
    const { operation } = await tell([...evidence, at(91, report(FAILED))]);

    expect(operation).toMatchObject({
      status: 'unknown',
      reason: 'invoke_timed_out',
      observations: [
        { observed: 'completed', result_hash: COMPLETED.result_hash },
        { observed: 'failed', result_hash: FAILED.result_hash },
      ],
    });
  });
});

describe('a run of a monitored agent', () => {
  const monitored = [at(0, propose({ agent_mode: 'monitored' })), at(60, approve('user:ana')), at(70, claim())];
  const asks = (then: 'completed' | 'failed'): StoryRow['then'] => ({ appends: 'tool.review_requested', with: { mode: 'monitored' }, then });
  tellStories([
    { tells: 'asks to be looked at when it completed', given: [...monitored, at(75, report(COMPLETED))], when: at(80, review()), then: asks('completed') },
    { tells: 'asks to be looked at when it failed', given: [...monitored, at(75, report(FAILED))], when: at(80, review()), then: asks('failed') },
    { tells: 'asks once', given: HISTORIES['completed, to be reviewed'].steps, when: at(90, review()), then: 'nothing changes' },
    { tells: 'does not ask while it runs', given: monitored, when: at(75, review()), then: 'nothing changes' },
    { tells: 'does not ask where a person has to look anyway', given: [...monitored, at(75, report(LOST))], when: at(80, review()), then: 'nothing changes' },
    ...HISTORY_NAMES.map((name): StoryRow => ({ tells: `does not ask where the agent is not monitored, or was asked: ${name}`, given: HISTORIES[name].steps, when: at(5000, review()), then: 'nothing changes' })),
  ]);
});

test('the longest run leaves room for the whole grant, the tool and the runner', async () => {
  const { operation } = await tell(GRANTED);
  const last = await tell([...GRANTED, at(959.999, claim())]);

  expect(longestRunSeconds(operation.opening.run)).toBe(900 + 60 + 15);
  expect(last.operation).toMatchObject({ run: { run_deadline: instant(959.999 + 75) } });
});

