// Definitions of one idea each, for what the product's own machine cannot show of the local engine.

const PAYLOAD = {
  'task_token.$': '$$.Task.Token',
  'entered_at.$': '$$.State.EnteredTime',
  'retry_count.$': '$$.State.RetryCount',
  'state.$': '$$.State.Name',
  'execution.$': '$$.Execution.Name',
};

export const waiting = {
  Type: 'Task',
  Resource: 'arn:${Partition}:states:::lambda:invoke.waitForTaskToken',
  Parameters: { FunctionName: '${Ask}', Payload: PAYLOAD },
  TimeoutSecondsPath: '$.wait.timeout_seconds',
  ResultPath: null,
  End: true,
};

export const calling = {
  Type: 'Task',
  Resource: 'arn:${Partition}:states:::lambda:invoke',
  Parameters: { FunctionName: '${Call}', Payload: { 'seen.$': '$.wait' } },
  TimeoutSeconds: 60,
  ResultPath: '$.result',
  End: true,
};

export type States = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export function definitionOf(States: States, more: object = {}): string {
  return JSON.stringify({ StartAt: Object.keys(States)[0], States, ...more });
}

export function inputOf(operation_id: string, wait_seconds = 30) {
  return { operation_id, arguments_hash: 'sha256:0', wait: { timeout_seconds: wait_seconds }, run: { timeout_seconds: 30 } };
}
