// Requests as API Gateway's HTTP API hands them to a function (payload format 2.0), with the authorizer context of a
// signed machine request or of a person's token. The shapes are those that AWS documents, not those of our local front.
import type { HttpEvent } from '../../lambdas/middleware/http-function.ts';
import { ACCOUNT, ISSUER } from './port-registry.ts';

export interface Asked {
  /** `POST /api/operations/{id}/decisions`: method and route as infra/routes.ts writes them. */
  readonly route: string;
  /** `agent:billing-bot` signs with its role, `user:ana` brings a token, nobody at all brings nothing. */
  readonly as?: string;
  readonly id?: string;
  /** Path parameters other than `id`, decoded as API Gateway hands them over. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value is sent as JSON, a string as it is, bytes as base64. */
  readonly body?: unknown;
  readonly request_id?: string;
}

export function gatewayEvent({ route, as, id, path, query, headers, body, request_id = 'JKJaXmPLvHcESHA=' }: Asked): HttpEvent {
  const [method = 'GET', template = '/'] = route.split(' ');
  const parameters: Readonly<Record<string, string>> = { ...(id === undefined ? {} : { id }), ...path };
  const rawPath = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
  return {
    version: '2.0',
    routeKey: route,
    rawPath,
    rawQueryString: new URLSearchParams(query ?? {}).toString(),
    headers: {
      accept: '*/*',
      host: 'id.execute-api.eu-central-1.amazonaws.com',
      'user-agent': 'agent/1.0',
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-port': '443',
      'x-forwarded-proto': 'https',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(query === undefined ? {} : { queryStringParameters: query }),
    ...(Object.keys(parameters).length === 0 ? {} : { pathParameters: parameters }),
    requestContext: {
      accountId: ACCOUNT,
      apiId: 'id',
      ...(as === undefined ? {} : { authorizer: authorizerOf(as) }),
      domainName: 'id.execute-api.eu-central-1.amazonaws.com',
      domainPrefix: 'id',
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'agent/1.0' },
      requestId: request_id,
      routeKey: route,
      stage: '$default',
      time: '02/Nov/2026:09:00:00 +0000',
      timeEpoch: 1793610000000,
    },
    ...bodyOf(body),
  };
}

function authorizerOf(subject: string): object {
  const [kind = '', name = ''] = subject.split(':');
  return kind === 'user' ? jwtAuthorizer({ sub: name }) : iamAuthorizer(`arn:aws:sts::${ACCOUNT}:assumed-role/${name}/session-1`);
}

export function jwtAuthorizer(claims: Readonly<Record<string, unknown>>): object {
  return { jwt: { claims: { aud: 'countersign', exp: '1793613600', iat: '1793610000', iss: ISSUER, token_use: 'access', ...claims }, scopes: null } };
}

export function iamAuthorizer(userArn: string): object {
  return {
    iam: { accessKey: 'ASIAEXAMPLE', accountId: ACCOUNT, callerId: 'AROAEXAMPLE:session-1', cognitoIdentity: null, principalOrgId: 'o-example', userArn, userId: 'AROAEXAMPLE:session-1' },
  };
}

function bodyOf(body: unknown): { readonly body?: string; readonly isBase64Encoded: boolean } {
  if (body === undefined) return { isBase64Encoded: false };
  if (body instanceof Uint8Array) return { body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
  return { body: typeof body === 'string' ? body : JSON.stringify(body), isBase64Encoded: false };
}
