// A run on the wire: whether it waits for people, goes on or was cancelled, and what it has open.
import type { Open } from './operation.ts';

export function describeRun(run_id: string, cancelled: boolean, open: readonly Open[]) {
  const waiting = open.some(({ status }) => status === 'pending');
  return { run_id, status: cancelled ? ('cancelled' as const) : waiting ? ('waiting_for_approval' as const) : ('running' as const), operations: open.map(describeShort) };
}

export type RunDescription = ReturnType<typeof describeRun>;

function describeShort(operation: Open) {
  const { operation_id, status, opening } = operation;
  const { tool, summary, arguments_hash } = opening.operation;
  return {
    ...{ operation_id, status, tool, summary, arguments_hash, requested_at: opening.requested_at },
    ...(opening.scope.frame_id === undefined ? {} : { frame_id: opening.scope.frame_id }),
    ...(operation.status === 'pending' ? { expires_at: operation.expires_at } : {}),
    ...(operation.status === 'running' ? { cancel_requested: operation.run.cancel_requested } : {}),
  };
}
