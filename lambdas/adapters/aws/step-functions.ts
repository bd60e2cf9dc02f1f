// The waiting execution on AWS Step Functions.
import { SFNClient, SendTaskFailureCommand, SendTaskSuccessCommand, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { ExecutionStarter, TaskWaker } from '../../ports/executions.ts';
import { asFault, nameOf } from './aws-errors.ts';

/** TaskTimedOut means "expired or already closed"; the other two that there never was, or is no more, such a task. */
const DEAD: ReadonlySet<string> = new Set(['TaskTimedOut', 'TaskDoesNotExist', 'InvalidToken']);

export function stepFunctionsStarter(client: SFNClient, state_machine_arn: string): ExecutionStarter {
  return {
    start: async (input) => {
      try {
        await client.send(new StartExecutionCommand({ stateMachineArn: state_machine_arn, name: input.operation_id, input: JSON.stringify(input) }));
        return 'started';
      } catch (thrown) {
        if (nameOf(thrown) === 'ExecutionAlreadyExists') return 'exists';
        throw asFault(thrown, 'starting an execution');
      }
    },
  };
}

export function stepFunctionsWaker(client: SFNClient): TaskWaker {
  const wake = async (work: () => Promise<unknown>): Promise<'woken' | 'dead'> => {
    try {
      await work();
      return 'woken';
    } catch (thrown) {
      if (DEAD.has(nameOf(thrown))) return 'dead';
      throw asFault(thrown, 'waking an execution');
    }
  };
  return {
    succeed: (task_token) => wake(() => client.send(new SendTaskSuccessCommand({ taskToken: task_token, output: '{}' }))),
    fail: (task_token, error) => wake(() => client.send(new SendTaskFailureCommand({ taskToken: task_token, error }))),
  };
}
