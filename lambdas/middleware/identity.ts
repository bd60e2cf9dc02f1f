// Who is asking: the credential that API Gateway verified, looked up in the registry. An unregistered principal
// is nobody, however well it signed.
import type { Caller } from '../domain/caller.ts';
import { refusal, type Refusal } from '../domain/refusals.ts';
import type { CallerRegistry, GroupClaims, RegisteredCaller } from '../ports/registry.ts';
import { claimedNames, claimsHoldUntil } from './group-claims.ts';
import type { HttpEvent } from './http-function.ts';

export type Identified = { readonly ok: true; readonly caller: Caller } | { readonly ok: false; readonly refusal: Refusal };

export async function identify(registry: CallerRegistry, event: HttpEvent): Promise<Identified> {
  const proof = proofOf(event);
  if (proof === undefined) return { ok: false, refusal: refusal('unauthenticated', 'This route needs a credential.') };
  const registered = await registry.callerOf(proof.principal);
  if (registered === undefined) return { ok: false, refusal: refusal('unauthenticated', 'The credential is good, but its principal is not registered here.') };
  const caller = callerFrom(registered, proof);
  return { ok: true, caller: registered.kind === 'person' && registry.groupClaims !== undefined ? await withClaimedGroups(caller, registry.groupClaims, event) : caller };
}

/** `iam:<user or role ARN>` or `oidc:<issuer>#<sub>`, as the authorizer of the route put it there. */
export function proofOf(event: HttpEvent): Caller['proof'] | undefined {
  const { authorizer } = event.requestContext as { authorizer?: { iam?: { userArn?: unknown } } };
  const userArn = authorizer?.iam?.userArn;
  if (typeof userArn === 'string' && userArn !== '') return { method: 'iam', principal: `iam:${roleOf(userArn)}` };
  const claims = claimsOf(event);
  const issuer = claims?.['iss'];
  const sub = claims?.['sub'];
  if (typeof issuer === 'string' && typeof sub === 'string' && issuer !== '' && sub !== '') return { method: 'jwt', principal: `oidc:${issuer}#${sub}` };
  return undefined;
}

function claimsOf(event: HttpEvent): Readonly<Record<string, unknown>> | undefined {
  return (event.requestContext as { authorizer?: { jwt?: { claims?: Record<string, unknown> } } }).authorizer?.jwt?.claims;
}

/** A group counts only where the directory lets tokens name it, and only as long as the token's word holds. */
async function withClaimedGroups(caller: Caller, { claim, max_age_seconds, ...directory }: GroupClaims, event: HttpEvent): Promise<Caller> {
  const claims = claimsOf(event) ?? {};
  const claims_hold_until = claimsHoldUntil(claims['exp'], event.requestContext.timeEpoch, max_age_seconds);
  const names = claims_hold_until === undefined ? [] : claimedNames(claims[claim]);
  if (claims_hold_until === undefined || names.length === 0) return caller;
  const { claimed, around } = await directory.groupsNamed(names);
  if (claimed.length === 0) return caller;
  return { ...caller, groups: [...new Set([...caller.groups, ...claimed, ...around])].sort(), claimed_groups: [...claimed].sort(), claims_hold_until };
}

/** An assumed role's session name is chosen by whoever assumes it, so it proves nothing: the role does. */
function roleOf(arn: string): string {
  const assumed = /^arn:([^:]+):sts::(\d{12}):assumed-role\/([^/]+)\/.+$/.exec(arn);
  return assumed === null ? arn : `arn:${assumed[1] ?? ''}:iam::${assumed[2] ?? ''}:role/${assumed[3] ?? ''}`;
}

function callerFrom(registered: RegisteredCaller, proof: Caller['proof']): Caller {
  if (registered.kind === 'person') {
    const { subject, administrator } = registered.person;
    return { subject, kind: 'user', groups: registered.groups, administrator, proof };
  }
  const { subject, agent_ids, workspaces, may_act_for, owner } = registered.program;
  const kind = subject.startsWith('agent:') ? 'agent' : 'service';
  return { subject, kind, groups: [], administrator: false, proof, agency: { agent_ids, workspaces, may_act_for, owner } };
}
