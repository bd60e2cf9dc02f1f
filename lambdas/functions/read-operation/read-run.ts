// A run of the caller's: what it has open, and whether that waits for people. Reading changes nothing.
import type { Caller } from '../../domain/caller.ts';
import { describeRun, type RunDescription } from '../../domain/describe-run.ts';
import { runName } from '../../domain/open-lists.ts';
import type { Runs } from '../../ports/open-operations.ts';
import { operationsOfRun, type RunPorts } from '../../record/operations-of-run.ts';

export interface ReadRunPorts extends RunPorts {
  readonly runs: Pick<Runs, 'run'>;
}

/** Undefined where the caller never proposed in such a run, nor cancelled it. */
export async function readRun(ports: ReadRunPorts, caller: Caller, run_id: string): Promise<RunDescription | undefined> {
  const run = await ports.runs.run(runName(caller.subject, run_id));
  if (run === undefined) return undefined;
  return describeRun(run_id, run.cancelled !== undefined, await operationsOfRun(ports, caller.subject, run_id));
}
