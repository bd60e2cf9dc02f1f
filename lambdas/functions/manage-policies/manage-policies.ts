// Administrators write policy here, and nowhere else. What is stored was read whole, refers to what exists, and does
// not pretend to loosen a wider scope.
import { actorOf, type Caller } from '../../domain/caller.ts';
import type { JsonObject } from '../../domain/json/json-value.ts';
import type { PolicyScope } from '../../domain/policy/policy-document.ts';
import type { PolicyEvent } from '../../domain/policy/policy-log.ts';
import { refusal, type Refusal } from '../../domain/refusals.ts';
import { faultOfDocument, type CheckingPorts } from '../../judging/check-document.ts';
import type { Policies, PolicyEditor } from '../../ports/policies.ts';
import type { Log } from '../../ports/system.ts';

export interface ManagePorts extends CheckingPorts {
  readonly policies: Policies & PolicyEditor;
  readonly log: Log;
}

export type Written = { readonly ok: true; readonly event: PolicyEvent } | { readonly ok: false; readonly refusal: Refusal };

export interface PolicyWrite {
  readonly scope: PolicyScope;
  /** null deletes. */
  readonly document: JsonObject | null;
  readonly revision: number;
}

export async function writePolicy(ports: ManagePorts, caller: Caller, { scope, document, revision }: PolicyWrite, request_id: string): Promise<Written> {
  if (!caller.administrator) return { ok: false, refusal: refusal('not_an_administrator', 'Only administrators change policy.') };
  const fault = document === null ? undefined : await faultOfDocument(ports, scope, document);
  if (fault !== undefined) return { ok: false, refusal: fault };
  const event = await ports.policies.change({ scope, document, actor: actorOf(caller) }, revision, `request:${request_id}`);
  if (event === 'conflict') return { ok: false, refusal: refusal('revision_conflict', 'The policy was changed meanwhile: read it again and write on its revision.', { field: 'if-match' }) };
  ports.log.write('CS6002', { request_id, event_id: event.id });
  return { ok: true, event };
}
