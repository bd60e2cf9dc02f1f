// Local sign-in: the header `X-Local-Identity: user:ana`, or the cookie that the sign-in form sets. What API Gateway's
// authorizers would put into the request context is put there from it, per route prefix, and nothing else is trusted.
import { parseCookie } from 'cookie';
import type { Route } from '../routes.ts';

export const LOCAL_ISSUER = 'local';
/** As long as a token of a provider might hold. */
const TOKEN_SECONDS = 3600;
export const IDENTITY_COOKIE = 'countersign_local_identity';

/** The principals of a local subject, as the registry must list them. */
export function localPrincipal(subject: string): string {
  return subject.startsWith('user:') ? `oidc:${LOCAL_ISSUER}#${subject}` : `iam:local:${subject}`;
}

/** The name that a request gives; undefined where it gives none. A cookie only counts for pages. */
export function namedIdentity(headers: Readonly<Record<string, string>>, authorization: Route['authorization']): string | undefined {
  const header = headers['x-local-identity'];
  if (header !== undefined) return header;
  return authorization === 'page' ? parseCookie(headers['cookie'] ?? '')[IDENTITY_COOKIE] : undefined;
}

/** `X-Local-Groups: finance leads` is what a token's claim `groups` would say, written as API Gateway writes it. */
export function namedGroups(headers: Readonly<Record<string, string>>): Record<string, string> {
  const groups = headers['x-local-groups'];
  return groups === undefined ? {} : { groups: `[${groups}]` };
}

/** Machines sign (`iam`), people bring tokens (`jwt`, and here pages too); the wrong kind has no credential for a route. */
export function authorizerContext(identity: string | undefined, authorization: Route['authorization'], more: Readonly<Record<string, string>> = {}): Record<string, unknown> {
  if (identity === undefined) return {};
  if (authorization === 'iam') return identity.startsWith('user:') ? {} : { authorizer: { iam: { userArn: `local:${identity}` } } };
  return identity.startsWith('user:') ? { authorizer: { jwt: { claims: { ...more, iss: LOCAL_ISSUER, sub: identity, exp: String(Math.floor(Date.now() / 1000) + TOKEN_SECONDS) }, scopes: null } } } : {};
}
