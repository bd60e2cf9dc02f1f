// What one person's act came to, told to whoever acted and to the log in the same words.
import { describeOperation } from '../../domain/describe-operation.ts';
import type { Operation } from '../../domain/operation.ts';
import type { Refusal } from '../../domain/refusals.ts';
import { json, type HttpReply } from '../../middleware/reply.ts';
import type { Log } from '../../ports/system.ts';
import type { Change } from '../../record/change-operation.ts';

export type Decided = { readonly ok: true; readonly operation: Operation } | { readonly ok: false; readonly refusal: Refusal };

export function decidedBy({ log }: { readonly log: Log }, change: Change, operation_id: string, request_id: string): Decided {
  const refused = change.kind === 'unchanged' ? undefined : change.refusal;
  const status = change.operation?.status;
  log.write(refused === undefined ? 'CS2001' : 'CS2002', { operation_id, request_id, ...(status === undefined ? {} : { status }), ...(refused === undefined ? {} : { code: refused.code }) });
  if (change.kind === 'refused') return { ok: false, refusal: change.refusal };
  return refused === undefined ? { ok: true, operation: change.operation } : { ok: false, refusal: refused };
}

export function replyTo(decided: Decided): HttpReply | Refusal {
  return decided.ok ? json(200, describeOperation(decided.operation)) : decided.refusal;
}
