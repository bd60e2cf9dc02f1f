// What an operation came to, in one headline and one sentence for each status and reason. Apart from the markup, so
// that every status of the domain is answered here or does not compile.
import type { Operation, Pending } from '../domain/operation.ts';

export interface OutcomeWords {
  readonly headline: string;
  readonly sentence: string;
  readonly tone: 'yes' | 'no' | 'open';
}

const REASONS: Readonly<Record<string, string>> = {
  policy_denied: 'Policy denies this call. Nobody was asked.',
  nobody_can_approve: 'Nobody could have approved this call, so nobody was asked.',
  denied_by_approver: 'The tool was not run and will not be.',
  arguments_hash_mismatch: 'The hash that was decided on is not the hash of these arguments. The tool was not run and will not be.',
  nobody_decided_in_time: 'Nobody decided in time. The tool was not run and will not be.',
  cancelled_on_request: 'It was cancelled. The tool was not run and will not be.',
  requester_gone: 'The agent that asked is no longer there. The tool was not run and will not be.',
  execution_stopped: 'The workflow that waited for the decision was stopped. The tool was not run and will not be.',
  execution_lost: 'The workflow that waited for the decision was lost. The tool was not run and will not be.',
  grant_lapsed: 'The approval was not used in time. The tool was not run and will not be.',
  tool_changed: 'The tool\u2019s definition is not the one that was shown any more. The tool was not run and will not be.',
  policy_denies_now: 'Policy denies this call by now. The tool was not run and will not be.',
  arguments_changed: 'The stored arguments do not have the hash that was approved. The tool was not run and will not be.',
  run_deadline_passed: 'The time for the run ended without word of it.',
  cancel_requested: 'It was to be cancelled while the tool ran.',
};

export function outcomeWords(operation: Exclude<Operation, Pending>): OutcomeWords {
  // Nobody approved what policy let through.
  const { reason } = operation.decision;
  const yes = reason === 'allowed_by_policy' ? 'Allowed by policy' : reason === 'break_glass' ? 'Granted by breaking the glass' : 'Approved';
  switch (operation.status) {
    case 'granted':
      return { headline: yes, sentence: 'The tool has not started yet.', tone: 'yes' };
    case 'answered':
      return { headline: yes, sentence: 'There is nothing to run here: the agent was given the answer.', tone: 'yes' };
    case 'running':
      return { headline: `${yes}, and the tool is running`, sentence: operation.run.cancel_requested ? 'Somebody asked to cancel it. What it has done by then cannot be taken back here.' : 'It was started once and is not started again.', tone: 'open' };
    case 'completed':
      return { headline: `${yes}, and the tool has run`, sentence: 'It ran once and says that it is done.', tone: 'yes' };
    case 'failed':
      return { headline: `${yes}, but the tool failed`, sentence: 'It was started once and is not started again.', tone: 'no' };
    case 'unknown':
      return { headline: `${yes} and started; the outcome is unknown`, sentence: `${reasonText(operation.reason)} It may or may not have had its effect: a person must look. Nothing repeats it.`, tone: 'no' };
    case 'refused':
      return { headline: 'Refused', sentence: reasonText(operation.decision.reason), tone: 'no' };
    case 'denied':
      return { headline: 'Denied', sentence: reasonText(operation.decision.reason), tone: 'no' };
    case 'expired':
      return { headline: 'Expired', sentence: reasonText(operation.decision.reason), tone: 'no' };
    case 'cancelled':
      return { headline: 'Cancelled', sentence: reasonText(operation.decision.reason), tone: 'no' };
    case 'voided':
      return { headline: `${yes}, but not run`, sentence: reasonText(operation.decision.reason), tone: 'no' };
  }
}

/** Reasons that we do not know are told beside the sentence, as codes. */
export function reasonText(reason: string | undefined): string {
  return (reason === undefined ? undefined : REASONS[reason]) ?? 'No more is known of it.';
}
